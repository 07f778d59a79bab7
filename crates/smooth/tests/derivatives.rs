//! Reverse derivatives of every family, at the first orders, against finite differences and the laws.

use crate::common::{
    assert_close, check_reverse, dot, eval, lifted, numbers, point, scattered, symbol, symbols,
    value,
};
use fletch_smooth::generate::SplitMix64;
use fletch_smooth::{Partiality, Type, Value, families, family};

#[test]
fn the_laws_are_tried_on_every_family() {
    for family in families() {
        let samples = family.samples();
        assert!(samples.len() > 1, "{}: {samples:?}", family.name);
        assert!(
            samples.iter().all(|symbol| symbol.name() == family.name),
            "{samples:?}"
        );
    }
}

#[test]
fn typing_of_rd() {
    for f in symbols() {
        let rd = f.reverse();
        assert_eq!(
            rd.domain(),
            Type::product(vec![f.domain(), f.codomain()]),
            "{f}"
        );
        assert_eq!(rd.codomain(), f.domain(), "{f}");
        assert_eq!(rd.to_string(), format!("rd[{f}]"));
        assert_eq!(rd.name(), "rd");
        assert_eq!(rd.reverse_of(), Some(&f));
    }
}

#[test]
fn a_component_of_a_derivative_belongs_to_a_family() {
    for f in symbols() {
        for g in [f.reverse(), f.reverse().reverse(), f] {
            for statement in g.map().statements() {
                let name = statement.applied.family();
                let has_none = ["zero", "plus", "constant"].contains(&&*name);
                assert!(has_none || family(&name).is_some(), "{g}: {name}");
            }
        }
    }
}

#[test]
fn first_order() {
    for f in symbols() {
        for seed in 0..3 {
            check_reverse(&f, seed);
        }
    }
}

#[test]
fn second_order() {
    for f in symbols() {
        check_reverse(&f.reverse(), 7);
    }
}

#[test]
fn third_order() {
    for name in [
        "swish",
        "tanh",
        "exp",
        "log",
        "sqrt",
        "recip",
        "divide",
        "pow",
        "matmul",
        "softmax",
        "log_softmax",
        "cross_entropy",
        "conv1d",
        "maxpool1d",
        "half_sq",
        "softplus",
        "sin",
        "relu",
        "gelu",
        "erf",
        "where",
        "max_of",
        "min_of",
        "norm",
        "logsumexp",
        "cumsum",
        "reverse",
        "conv2d",
        "maxpool2d",
        "avgpool2d",
    ] {
        let instance = crate::common::INSTANCES
            .iter()
            .find(|(n, ..)| *n == name)
            .unwrap();
        check_reverse(&symbol(instance).reverse().reverse(), 11);
    }
    for instance in &crate::common::LIFTED[..4] {
        check_reverse(&lifted(instance).reverse().reverse(), 12);
    }
}

#[test]
fn fourth_order_stays_small() {
    for f in symbols() {
        let fourth = f.reverse().reverse().reverse().reverse();
        let x = point(&fourth, &mut SplitMix64::new(5));
        assert!(eval(&fourth, &x).iter().all(|x| x.is_finite()), "{fourth}");
        let n = fourth.map().statements().len();
        assert!(n < 500, "{fourth} has {n} statements");
    }
}

/// rd is linear in the cotangent, and rd[rd[f]] gives the forward derivative, to which rd[f] is exactly adjoint.
#[test]
fn linear_and_adjoint() {
    for f in symbols() {
        let random = &mut SplitMix64::new(3);
        let rd = f.reverse();
        let x = point(&f, random);
        let (a, b) = (0.75, -1.5);
        let (y, z) = (
            scattered(f.codomain().dimension(), random),
            scattered(f.codomain().dimension(), random),
        );
        let at = |y: &[f64]| eval(&rd, &[x.as_slice(), y].concat());
        let mixed: Vec<f64> = y.iter().zip(&z).map(|(y, z)| a * y + b * z).collect();
        let sum: Vec<f64> = at(&y)
            .iter()
            .zip(at(&z))
            .map(|(p, q)| a * p + b * q)
            .collect();
        assert_close(&at(&mixed), &sum, 1e-12, &format!("linearity of rd[{f}]"));
        assert_close(
            &at(&vec![0.0; y.len()]),
            &vec![0.0; x.len()],
            0.0,
            &format!("rd[{f}] at 0"),
        );

        let v = scattered(x.len(), random);
        let forward = eval(&rd.reverse(), &[x.as_slice(), &y, &v].concat()).split_off(x.len());
        let difference = crate::common::difference(&f, &x, &v);
        assert_close(
            &forward,
            &difference,
            2e-7,
            &format!("forward derivative of {f}"),
        );
        assert_close(
            &[dot(&at(&y), &v)],
            &[dot(&y, &forward)],
            1e-12,
            &format!("adjointness of rd[{f}]"),
        );
    }
}

/// RD.7: mixed second derivatives commute, so the Hessian of ⟨y, f⟩ is symmetric. RD.6: the derivative is linear in
/// the vector, so its own derivative in that direction is itself.
#[test]
fn hessian_is_symmetric_and_derivative_linear() {
    for f in symbols() {
        let random = &mut SplitMix64::new(23);
        let second = f.reverse().reverse();
        let x = point(&f, random);
        let y = scattered(f.codomain().dimension(), random);
        let (v, w) = (scattered(x.len(), random), scattered(x.len(), random));
        let at = |v: &[f64]| eval(&second, &[x.as_slice(), &y, v].concat());
        let (hv, hw) = (at(&v), at(&w));
        assert_close(
            &[dot(&w, &hv[..x.len()])],
            &[dot(&v, &hw[..x.len()])],
            1e-11,
            &format!("Hessian of {f}"),
        );
        let both: Vec<f64> = v.iter().zip(&w).map(|(v, w)| v + w).collect();
        let sum: Vec<f64> = hv.iter().zip(&hw).map(|(p, q)| p + q).collect();
        assert_close(
            &at(&both),
            &sum,
            1e-11,
            &format!("linearity of the derivative of {f}"),
        );
    }
}

#[test]
fn a_lift_is_the_symbol_on_each_column() {
    for instance @ (by_columns, b, inner) in crate::common::LIFTED {
        let (f, g) = (symbol(inner), lifted(instance));
        let random = &mut SplitMix64::new(9);
        let x = point(&g, random);
        let whole = eval(&g, &x);
        // Entry i of column p of a matrix with n rows starting at `start`.
        let place = |start: usize, n: usize, i: usize, p: usize| {
            start + if *by_columns { i * b + p } else { p * n + i }
        };
        for p in 0..*b {
            let mut column = Vec::new();
            let mut start = 0;
            for n in f.domain().sizes() {
                column.extend((0..n).map(|i| x[place(start, n, i, p)]));
                start += n * b;
            }
            let result = eval(&f, &column);
            let expected: Vec<f64> = (0..result.len())
                .map(|i| whole[place(0, result.len(), i, p)])
                .collect();
            assert_close(&result, &expected, 0.0, &format!("{g}, part {p}"));
        }
    }
}

/// A cotangent has the shape of its point.
#[test]
fn shapes_of_results() {
    for (instance, f) in crate::common::INSTANCES.iter().map(|i| (i, symbol(i))) {
        let arguments = crate::common::shapes(instance.2);
        let x = value(&f.domain(), &point(&f, &mut SplitMix64::new(2)));
        let tensors: Vec<_> = x
            .tensors()
            .iter()
            .zip(&arguments)
            .map(|(t, s)| t.with_shape(s.clone()).unwrap())
            .collect();
        let x = Value::assemble(&f.domain(), &mut tensors.into_iter()).unwrap();
        let result = f.eval(&x, Partiality::Paper).unwrap();
        assert_eq!(
            Some(result.tensors()[0].shape()),
            f.result_shape(&arguments).as_ref(),
            "{f}"
        );
        let cotangents = f
            .reverse()
            .eval(&Value::tuple(vec![x.clone(), result]), Partiality::Paper)
            .unwrap();
        let found: Vec<_> = cotangents
            .tensors()
            .iter()
            .map(|t| t.shape().clone())
            .collect();
        assert_eq!(found, arguments, "{f}");
        assert_eq!(numbers(&cotangents).len(), numbers(&x).len());
    }
}
