//! The two readings of partiality, as data: where a symbol and its reverse derivatives are defined, and what the
//! messages say.

use fletch_smooth::Partiality::{Paper, Total};
use fletch_smooth::{Axis, Shape, Symbol, Type, Value, family};

fn symbol(name: &str, indices: &[usize], sizes: &[usize]) -> Symbol {
    let shapes: Vec<Shape> = sizes.iter().map(|n| Shape::vector(*n)).collect();
    family(name).unwrap().instantiate(indices, &shapes).unwrap()
}

fn argument(components: &[&[f64]]) -> Value {
    Value::tuple(
        components
            .iter()
            .map(|c| Value::vector(c.to_vec()))
            .collect(),
    )
}

fn result(f: &Symbol, x: &Value, mode: fletch_smooth::Partiality) -> Result<Vec<f64>, String> {
    f.eval(x, mode)
        .map(|v| v.tensors()[0].data().to_vec())
        .map_err(|undefined| {
            assert_eq!(undefined.symbol, f.to_string());
            undefined.reason
        })
}

/// Name, indices, components of the argument, value in paper mode, value in total mode.
type Case = (
    &'static str,
    &'static [usize],
    &'static [&'static [f64]],
    Result<&'static [f64], &'static str>,
    Result<&'static [f64], &'static str>,
);

const RELU: &str = "entry 3 is 0, where relu is not differentiable";
const LOG: &str = "entry 2 is -1, where log is not defined";
const HALF: &str = "entry 1 is 0.5, where round is not continuous";
const POOL: &str = "entries 3 and 4 of channel 2 are both 7, a tie in their window, where maxpool1d is not differentiable";
const CORRECT: &str =
    "entries 1 and 3 of argument 2 are both the maximum, a tie, where correct is not continuous";
const LIMITS: &str = "the lower limit 2 is greater than the upper limit 1";
const POWER: &str = "entry 1 is -2, which has no power 0.5";

const VALUES: &[Case] = &[
    (
        "relu",
        &[],
        &[&[1.0, -1.0, 0.0]],
        Err(RELU),
        Ok(&[1.0, 0.0, 0.0]),
    ),
    (
        "relu",
        &[],
        &[&[1.0, -1.0]],
        Ok(&[1.0, 0.0]),
        Ok(&[1.0, 0.0]),
    ),
    (
        "abs",
        &[],
        &[&[-0.0]],
        Err("entry 1 is 0, where abs is not differentiable"),
        Ok(&[0.0]),
    ),
    (
        "sign",
        &[],
        &[&[0.0]],
        Err("entry 1 is 0, where sign is not continuous"),
        Ok(&[0.0]),
    ),
    (
        "sign",
        &[],
        &[&[-2.0, 3.0]],
        Ok(&[-1.0, 1.0]),
        Ok(&[-1.0, 1.0]),
    ),
    ("log", &[], &[&[1.0, -1.0]], Err(LOG), Err(LOG)),
    (
        "log",
        &[],
        &[&[0.0]],
        Err("entry 1 is 0, where log is not defined"),
        Err("entry 1 is 0, where log is not defined"),
    ),
    (
        "log",
        &[],
        &[&[f64::NAN]],
        Err("entry 1 is NaN, where log is not defined"),
        Err("entry 1 is NaN, where log is not defined"),
    ),
    (
        "sqrt",
        &[],
        &[&[0.0]],
        Err("entry 1 is 0, where sqrt is not differentiable"),
        Ok(&[0.0]),
    ),
    (
        "sqrt",
        &[],
        &[&[-4.0]],
        Err("entry 1 is -4, where sqrt is not defined"),
        Err("entry 1 is -4, where sqrt is not defined"),
    ),
    (
        "recip",
        &[],
        &[&[0.0]],
        Err("entry 1 is 0, which has no reciprocal"),
        Err("entry 1 is 0, which has no reciprocal"),
    ),
    (
        "divide",
        &[],
        &[&[1.0], &[0.0]],
        Err("entry 1 of the divisor is 0"),
        Err("entry 1 of the divisor is 0"),
    ),
    (
        "max",
        &[],
        &[&[1.0, 2.0], &[0.0, 2.0]],
        Err("entry 2 of both arguments is 2, a tie, where max is not differentiable"),
        Ok(&[1.0, 2.0]),
    ),
    (
        "min",
        &[],
        &[&[1.0], &[1.0]],
        Err("entry 1 of both arguments is 1, a tie, where min is not differentiable"),
        Ok(&[1.0]),
    ),
    (
        "clamp",
        &[],
        &[&[0.0], &[1.0], &[-1.0, 0.5, 2.0]],
        Ok(&[0.0, 0.5, 1.0]),
        Ok(&[0.0, 0.5, 1.0]),
    ),
    (
        "clamp",
        &[],
        &[&[0.0], &[1.0], &[1.0]],
        Err("entry 1 is 1, at a limit, where clamp is not differentiable"),
        Ok(&[1.0]),
    ),
    (
        "clamp",
        &[],
        &[&[2.0], &[1.0], &[1.5]],
        Err(LIMITS),
        Err(LIMITS),
    ),
    (
        "clamp",
        &[],
        &[&[1.0], &[1.0], &[3.0]],
        Err("both limits are 1, where clamp is not differentiable"),
        Ok(&[1.0]),
    ),
    ("round", &[], &[&[0.5, 1.2]], Err(HALF), Ok(&[1.0, 1.0])),
    (
        "round",
        &[],
        &[&[-2.5]],
        Err("entry 1 is -2.5, where round is not continuous"),
        Ok(&[-3.0]),
    ),
    (
        "round",
        &[],
        &[&[0.4, -0.6]],
        Ok(&[0.0, -1.0]),
        Ok(&[0.0, -1.0]),
    ),
    (
        "where",
        &[],
        &[&[1.0, -1.0, 0.0], &[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]],
        Err("entry 3 of the condition is 0, which selects neither side"),
        Ok(&[1.0, 5.0, 6.0]),
    ),
    (
        "where",
        &[],
        &[&[0.5], &[1.0, 2.0], &[f64::NAN, 0.0]],
        Ok(&[1.0, 2.0]),
        Ok(&[1.0, 2.0]),
    ),
    (
        "less",
        &[],
        &[&[1.0, 2.0, 3.0], &[2.0, 1.0, 3.0]],
        Err("entry 3 of both arguments is 3, a tie, where less is not continuous"),
        Ok(&[1.0, 0.0, 0.0]),
    ),
    (
        "argmax",
        &[],
        &[&[1.0, 3.0, 3.0]],
        Err("entries 2 and 3 are both 3, a tie, where argmax is not continuous"),
        Ok(&[1.0]),
    ),
    (
        "max_of",
        &[],
        &[&[1.0, 3.0, 3.0]],
        Err("entries 2 and 3 are both 3, a tie, where max_of is not differentiable"),
        Ok(&[3.0]),
    ),
    (
        "min_of",
        &[],
        &[&[1.0, 3.0, 1.0]],
        Err("entries 1 and 3 are both 1, a tie, where min_of is not differentiable"),
        Ok(&[1.0]),
    ),
    ("min_of", &[], &[&[2.0, -3.0]], Ok(&[-3.0]), Ok(&[-3.0])),
    (
        "one_hot",
        &[3],
        &[&[1.2]],
        Ok(&[0.0, 1.0, 0.0]),
        Ok(&[0.0, 1.0, 0.0]),
    ),
    (
        "one_hot",
        &[2],
        &[&[-0.4]],
        Ok(&[1.0, 0.0]),
        Ok(&[1.0, 0.0]),
    ),
    (
        "one_hot",
        &[3],
        &[&[1.5]],
        Err("the place 1.5 is halfway between two"),
        Ok(&[0.0, 0.0, 1.0]),
    ),
    (
        "one_hot",
        &[3],
        &[&[3.0]],
        Err("there is no place 3 among 3, from 0"),
        Err("there is no place 3 among 3, from 0"),
    ),
    (
        "one_hot",
        &[3],
        &[&[f64::NAN]],
        Err("there is no place NaN among 3, from 0"),
        Err("there is no place NaN among 3, from 0"),
    ),
    (
        "norm",
        &[],
        &[&[0.0, -0.0]],
        Err("all entries are 0, where norm is not differentiable"),
        Ok(&[0.0]),
    ),
    ("norm", &[], &[&[3.0, -4.0]], Ok(&[5.0]), Ok(&[5.0])),
    (
        "maxpool2d",
        &[3, 3, 2, 1],
        &[&[1.0, 2.0, 5.0, 3.0, 4.0, 5.0, 7.0, 8.0, 9.0]],
        Err(
            "entries (1, 3) and (2, 3) of channel 1 are both 5, a tie in their window, where maxpool2d is not differentiable",
        ),
        Ok(&[4.0, 5.0, 8.0, 9.0]),
    ),
    ("pow", &[], &[&[-2.0], &[3.0]], Ok(&[-8.0]), Ok(&[-8.0])),
    ("pow", &[], &[&[0.0], &[2.0]], Ok(&[0.0]), Ok(&[0.0])),
    (
        "pow",
        &[],
        &[&[0.0], &[0.5]],
        Err("entry 1 is 0, where the power 0.5 is not differentiable"),
        Ok(&[0.0]),
    ),
    ("pow", &[], &[&[1e308], &[1.0]], Ok(&[1e308]), Ok(&[1e308])),
    (
        "log",
        &[],
        &[&[-1e308]],
        Err("entry 1 is -1e308, where log is not defined"),
        Err("entry 1 is -1e308, where log is not defined"),
    ),
    ("pow", &[], &[&[-2.0], &[0.5]], Err(POWER), Err(POWER)),
    (
        "pow",
        &[],
        &[&[0.0], &[-1.0]],
        Err("entry 1 is 0, where the power -1 is not differentiable"),
        Err("entry 1 is 0, where the power -1 or its derivative is infinite"),
    ),
    (
        "pow",
        &[],
        &[&[2.0], &[0.5]],
        Ok(&[std::f64::consts::SQRT_2]),
        Ok(&[std::f64::consts::SQRT_2]),
    ),
    (
        "maxpool1d",
        &[4, 2, 2],
        &[&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 7.0]],
        Err(POOL),
        Ok(&[2.0, 4.0, 6.0, 7.0]),
    ),
    (
        "maxpool1d",
        &[2, 2, 1],
        &[&[1e308, 1e308]],
        Err(
            "entries 1 and 2 of channel 1 are both 1e308, a tie in their window, where maxpool1d is not differentiable",
        ),
        Ok(&[1e308]),
    ),
    (
        "maxpool1d",
        &[3, 2, 1],
        &[&[1.0, 2.0, 2.0]],
        Ok(&[2.0, 2.0]),
        Ok(&[2.0, 2.0]),
    ),
    (
        "correct",
        &[],
        &[&[3.0, 1.0, 2.0], &[1.0, 0.0, 1.0]],
        Err(CORRECT),
        Ok(&[1.0]),
    ),
    (
        "correct",
        &[],
        &[&[3.0, 1.0], &[0.0, 1.0]],
        Ok(&[0.0]),
        Ok(&[0.0]),
    ),
];

#[test]
fn values() {
    for (name, indices, components, paper, total) in VALUES {
        let sizes: Vec<usize> = components.iter().map(|c| c.len()).collect();
        let f = symbol(name, indices, &sizes);
        let x = argument(components);
        for (mode, expected) in [(Paper, paper), (Total, total)] {
            let expected = expected.map(<[f64]>::to_vec).map_err(str::to_owned);
            assert_eq!(result(&f, &x, mode), expected, "{f} in {mode:?}");
        }
    }
}

/// In paper mode rd[f] and rd[rd[f]] are defined exactly where f is, and for the same reason.
#[test]
fn the_domain_of_rd_is_that_of_f() {
    for (name, indices, components, ..) in VALUES {
        let sizes: Vec<usize> = components.iter().map(|c| c.len()).collect();
        let f = symbol(name, indices, &sizes);
        let x = argument(components);
        let pair = |x: Value, f: &Symbol| {
            let ones = vec![1.0; f.codomain().dimension()];
            let ones = match f.codomain() {
                Type::Real(_) => Value::vector(ones),
                product => Value::zero(&product),
            };
            Value::tuple(vec![x, ones])
        };
        let first = pair(x.clone(), &f);
        let second = pair(first.clone(), &f.reverse());
        for (g, argument) in [(f.reverse(), first), (f.reverse().reverse(), second)] {
            match (result(&f, &x, Paper), g.eval(&argument, Paper)) {
                (Ok(_), Ok(_)) => {}
                (Err(reason), Err(undefined)) => assert_eq!(reason, undefined.reason, "{g}"),
                (a, b) => panic!("{g}: {a:?} against {b:?}"),
            }
        }
    }
}

/// Name, indices, components, cotangent, cotangent of the first component in total mode.
type TotalCase = (
    &'static str,
    &'static [usize],
    &'static [&'static [f64]],
    &'static [f64],
    Result<&'static [f64], &'static str>,
);

const TOTAL: &[TotalCase] = &[
    (
        "relu",
        &[],
        &[&[0.0, 2.0, -2.0]],
        &[5.0, 5.0, 5.0],
        Ok(&[0.0, 5.0, 0.0]),
    ),
    (
        "abs",
        &[],
        &[&[0.0, 2.0, -2.0]],
        &[5.0, 5.0, 5.0],
        Ok(&[0.0, 5.0, -5.0]),
    ),
    (
        "max",
        &[],
        &[&[1.0, 3.0], &[1.0, 4.0]],
        &[5.0, 6.0],
        Ok(&[5.0, 0.0]),
    ),
    (
        "where",
        &[],
        &[&[1.0, -1.0, 0.0], &[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]],
        &[5.0, 6.0, 7.0],
        Ok(&[0.0, 0.0, 0.0]),
    ),
    ("norm", &[], &[&[0.0, 0.0]], &[5.0], Ok(&[0.0, 0.0])),
    (
        "min_of",
        &[],
        &[&[1.0, 3.0, 1.0]],
        &[5.0],
        Ok(&[5.0, 0.0, 0.0]),
    ),
    ("round", &[], &[&[0.5]], &[5.0], Ok(&[0.0])),
    ("sign", &[], &[&[0.0]], &[5.0], Ok(&[0.0])),
    (
        "maxpool1d",
        &[5, 2, 1],
        &[&[2.0, 2.0, 1.0, 3.0, 0.0]],
        &[5.0, 6.0, 7.0],
        Ok(&[5.0, 0.0, 0.0, 6.0, 7.0]),
    ),
    (
        "sqrt",
        &[],
        &[&[0.0]],
        &[1.0],
        Err("entry 1 is 0, where sqrt has no finite derivative"),
    ),
    (
        "log",
        &[],
        &[&[-1.0]],
        &[0.0],
        Err("entry 1 is -1, where log is not defined"),
    ),
    (
        "pow",
        &[],
        &[&[-2.0, 0.0], &[2.0]],
        &[1.0, 1.0],
        Ok(&[-4.0, 0.0]),
    ),
    ("pow", &[], &[&[0.0], &[1.0]], &[3.0], Ok(&[3.0])),
    (
        "correct",
        &[],
        &[&[1.0, 1.0], &[0.0, 1.0]],
        &[1.0],
        Ok(&[0.0, 0.0]),
    ),
];

#[test]
fn conventions_of_total_mode() {
    for (name, indices, components, cotangent, expected) in TOTAL {
        let sizes: Vec<usize> = components.iter().map(|c| c.len()).collect();
        let rd = symbol(name, indices, &sizes).reverse();
        let x = Value::tuple(vec![
            argument(components),
            Value::vector(cotangent.to_vec()),
        ]);
        let expected = expected.map(<[f64]>::to_vec).map_err(str::to_owned);
        assert_eq!(result(&rd, &x, Total), expected, "{rd}");
    }
}

#[test]
fn a_lift_says_where() {
    let f = symbol("log", &[], &[2]);
    let shape = [Shape::matrix(2, 3)];
    let x = Value::vector(vec![1.0, 1.0, 1.0, 1.0, 1.0, -1.0]);
    // A lifted entrywise symbol counts the entries of the matrix.
    let cols = Axis::Cols.lift(None, &f, &shape).unwrap();
    assert_eq!(
        result(&cols, &x, Total).unwrap_err(),
        "entry 6 is -1, where log is not defined"
    );
    let pool = symbol("maxpool1d", &[2, 2, 1], &[2]);
    let rows = Axis::Rows
        .lift(Some(3), &pool, &[Shape::vector(6)])
        .unwrap();
    let message = "in row 1, entries 1 and 2 of channel 1 are both 1, a tie in their window, where maxpool1d is not differentiable";
    assert_eq!(result(&rows, &x, Paper).unwrap_err(), message);
}

#[test]
fn an_argument_of_another_type_is_refused() {
    let f = symbol("exp", &[], &[2]);
    let undefined = f.eval(&Value::vector(vec![1.0]), Paper).unwrap_err();
    assert_eq!(
        undefined.reason,
        "the argument is of type Real(1), not Real(2)"
    );
}

/// No overflow, cancellation or NaN far out.
#[test]
fn stability() {
    let at = |name: &str, x: &[f64]| {
        result(
            &symbol(name, &[], &[x.len()]),
            &Value::vector(x.to_vec()),
            Total,
        )
        .unwrap()
    };
    assert_eq!(at("sigmoid", &[-800.0, 800.0]), [0.0, 1.0]);
    assert_eq!(at("softplus", &[-800.0, 800.0]), [0.0, 800.0]);
    assert_eq!(at("swish", &[-800.0, 800.0]), [0.0, 800.0]);
    assert_eq!(at("softmax", &[1000.0, 1000.0, -1000.0]), [0.5, 0.5, 0.0]);
    assert_eq!(at("log_softmax", &[1000.0, 0.0]), [0.0, -1000.0]);
    // Scores whose difference is no finite number.
    let lowest = f64::MIN;
    for far in [
        [1e308, -1e308],
        [f64::MAX, f64::MIN],
        [f64::INFINITY, 0.0],
        [f64::INFINITY, f64::NEG_INFINITY],
        [0.0, f64::NEG_INFINITY],
    ] {
        assert_eq!(at("softmax", &far), [1.0, 0.0], "{far:?}");
        assert_eq!(at("log_softmax", &far), [0.0, lowest], "{far:?}");
    }
    let low = [f64::NEG_INFINITY; 2];
    assert_eq!(at("softmax", &low), [0.5, 0.5]);
    // A NaN is not hidden.
    assert!(at("log_softmax", &[f64::NAN, 0.0])[0].is_nan());
    for name in ["sigmoid", "softplus", "swish", "tanh"] {
        let mut f = symbol(name, &[], &[2]);
        let mut x = Value::vector(vec![-800.0, 800.0]);
        for _ in 0..3 {
            x = Value::tuple(vec![x, Value::zero(&f.codomain())]);
            f = f.reverse();
            let value = f.eval(&x, Paper).unwrap();
            assert!(
                value
                    .tensors()
                    .iter()
                    .all(|t| t.data().iter().all(|x| x.is_finite())),
                "{f}"
            );
        }
    }
}

#[test]
fn a_convention_is_named_where_only_the_paper_has_no_value() {
    let relu = symbol("relu", &[], &[2]);
    let cases = [
        (relu.clone(), argument(&[&[1.0, 0.0]]), Some("relu′(0) = 0")),
        (relu.clone(), argument(&[&[1.0, 2.0]]), None),
        (
            relu.reverse(),
            argument(&[&[1.0, 0.0], &[1.0, 1.0]]),
            Some("relu′(0) = 0"),
        ),
        (
            symbol("maxpool1d", &[2, 2, 1], &[2]),
            argument(&[&[7.0, 7.0]]),
            Some("the first maximum counts"),
        ),
        (
            symbol("max", &[], &[1, 1]),
            argument(&[&[3.0], &[3.0]]),
            Some("the first argument is chosen on a tie"),
        ),
        (
            Axis::Rows.lift(Some(2), &relu, &[]).unwrap(),
            argument(&[&[1.0, 0.0, 2.0, 3.0]]),
            Some("relu′(0) = 0"),
        ),
        // Neither reading has a value, so no convention applies.
        (symbol("log", &[], &[1]), argument(&[&[-1.0]]), None),
        (symbol("recip", &[], &[1]), argument(&[&[0.0]]), None),
        (
            symbol("divide", &[], &[1, 1]),
            argument(&[&[1.0], &[0.0]]),
            None,
        ),
        (
            symbol("sqrt", &[], &[1]).reverse(),
            argument(&[&[0.0], &[1.0]]),
            None,
        ),
        (
            symbol("sqrt", &[], &[1]),
            argument(&[&[0.0]]),
            Some("√0 = 0, which has no derivative"),
        ),
    ];
    for (f, x, convention) in cases {
        assert_eq!(f.convention(&x), convention, "{f} at {x:?}");
    }
}

#[test]
fn every_symbol_that_only_the_paper_leaves_open_has_a_convention() {
    for family in fletch_smooth::families() {
        let paper = family.partial.contains("paper mode");
        assert_eq!(paper, !family.convention.is_empty(), "{}", family.name);
    }
}

/// An entry that is not selected may be a NaN or infinite, in the value and in the cotangent.
#[test]
fn a_selection_lets_nothing_of_the_other_side_through() {
    let f = symbol("where", &[], &[2, 2, 2]).reverse();
    let (a, b) = (
        Value::vector(vec![1.0, f64::NAN]),
        Value::vector(vec![f64::INFINITY, 4.0]),
    );
    let point = Value::tuple(vec![Value::vector(vec![1.0, -1.0]), a, b]);
    let y = Value::vector(vec![5.0, 6.0]);
    let found = f.eval(&Value::tuple(vec![point, y]), Paper).unwrap();
    let entries: Vec<Vec<f64>> = found.tensors().iter().map(|t| t.data().to_vec()).collect();
    assert_eq!(entries, [[0.0, 0.0], [5.0, 0.0], [0.0, 6.0]]);
}
