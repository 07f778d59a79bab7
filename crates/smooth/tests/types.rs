//! Types and values: printing, products, sums.

use fletch_smooth::{Shape, Tensor, Type, Value};

#[test]
fn types_print_as_in_the_language() {
    let (a, b) = (
        Type::real(1),
        Type::product(vec![Type::real(2), Type::real(3)]),
    );
    let cases = [
        (
            Type::product(vec![Type::real(3), Type::real(2)]),
            "Real(3) × Real(2)",
        ),
        (
            Type::product(vec![a.clone(), b.clone()]),
            "Real(1) × (Real(2) × Real(3))",
        ),
        (
            Type::product(vec![b.clone(), a.clone()]),
            "(Real(2) × Real(3)) × Real(1)",
        ),
        (Type::product(vec![a, Type::unit()]), "Real(1) × 1"),
        (Type::product(vec![]), "1"),
        (Type::product(vec![b.clone()]), "Real(2) × Real(3)"),
    ];
    for (ty, printed) in cases {
        assert_eq!(ty.to_string(), printed);
    }
    assert_eq!(b.dimension(), 5);
    assert_eq!(Shape::new(vec![4, 3]).to_string(), "4 × 3");
}

#[test]
fn sums_keep_the_shape_of_higher_rank() {
    let data = vec![1.0, 2.0, 3.0, 4.0];
    let matrix = Value::Real(Tensor::new(Shape::matrix(2, 2), data.clone()).unwrap());
    let row = Value::Real(Tensor::new(Shape::matrix(1, 4), data.clone()).unwrap());
    let vector = Value::vector(data);
    let shape = |v: Value| v.tensors()[0].shape().clone();
    assert_eq!(shape(vector.add(&matrix).unwrap()), Shape::matrix(2, 2));
    assert_eq!(shape(matrix.add(&row).unwrap()), Shape::matrix(2, 2));
    assert_eq!(vector.add(&Value::unit()), None);
    assert_eq!(
        vector.add(&Value::zero(&Type::real(4))),
        Some(vector.clone())
    );
    let pair = Value::tuple(vec![vector.clone(), row]);
    assert_eq!(pair.add(&Value::zero(&pair.ty())).as_ref(), Some(&pair));
    assert_eq!(Tensor::new(Shape::matrix(2, 2), vec![0.0; 3]), None);
    assert_eq!(Value::tuple(vec![vector.clone()]), vector);
}
