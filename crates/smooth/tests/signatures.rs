//! User syntax of symbols: instantiation of families, inference of indices, shapes of results, printing, errors.

use crate::common::shapes;
use fletch_smooth::{Axis, Shape, SignatureError, Symbol, Type, families, family};

fn instantiate(
    name: &str,
    indices: &[usize],
    arguments: &[&[usize]],
) -> Result<Symbol, SignatureError> {
    family(name)
        .unwrap()
        .instantiate(indices, &shapes(arguments))
}

/// A family, its indices, the shapes of the arguments, and the expected result.
type Case<Expected> = (
    &'static str,
    &'static [usize],
    &'static [&'static [usize]],
    Expected,
);

/// The symbol, its type, and the shape of the result.
const GOOD: &[Case<[&str; 3]>] = &[
    (
        "matmul",
        &[],
        &[&[2, 4], &[4]],
        ["matmul[2, 4, 1]", "Real(8) × Real(4) → Real(2)", "2"],
    ),
    (
        "matmul",
        &[],
        &[&[2, 4], &[4, 3]],
        ["matmul[2, 4, 3]", "Real(8) × Real(12) → Real(6)", "2 × 3"],
    ),
    (
        "matmul",
        &[],
        &[&[3], &[1, 2]],
        ["matmul[3, 1, 2]", "Real(3) × Real(2) → Real(6)", "3 × 2"],
    ),
    (
        "matmul",
        &[],
        &[&[1, 2], &[2, 3]],
        ["matmul[1, 2, 3]", "Real(2) × Real(6) → Real(3)", "1 × 3"],
    ),
    (
        "matmul",
        &[],
        &[&[1, 2], &[2]],
        ["matmul[1, 2, 1]", "Real(2) × Real(2) → Real(1)", "1"],
    ),
    (
        "matmul",
        &[],
        &[&[3], &[1]],
        ["matmul[3, 1, 1]", "Real(3) × Real(1) → Real(3)", "3"],
    ),
    (
        "matmul",
        &[2, 4, 1],
        &[&[8], &[4]],
        ["matmul[2, 4, 1]", "Real(8) × Real(4) → Real(2)", "2"],
    ),
    (
        "transpose",
        &[],
        &[&[2, 3]],
        ["transpose[2, 3]", "Real(6) → Real(6)", "3 × 2"],
    ),
    (
        "transpose",
        &[],
        &[&[3]],
        ["transpose[3, 1]", "Real(3) → Real(3)", "1 × 3"],
    ),
    (
        "transpose",
        &[],
        &[&[1, 3]],
        ["transpose[1, 3]", "Real(3) → Real(3)", "3"],
    ),
    (
        "reshape",
        &[3, 1],
        &[&[3]],
        ["reshape[3, 1]", "Real(3) → Real(3)", "3 × 1"],
    ),
    (
        "minus",
        &[],
        &[&[4], &[2, 2]],
        ["minus", "Real(4) × Real(4) → Real(4)", "2 × 2"],
    ),
    (
        "minus",
        &[],
        &[&[2, 2], &[1, 4]],
        ["minus", "Real(4) × Real(4) → Real(4)", "2 × 2"],
    ),
    (
        "scale",
        &[],
        &[&[1], &[2, 2]],
        ["scale", "Real(1) × Real(4) → Real(4)", "2 × 2"],
    ),
    (
        "swish",
        &[],
        &[&[3, 2, 2]],
        ["swish", "Real(12) → Real(12)", "3 × 2 × 2"],
    ),
    ("exp", &[], &[&[0]], ["exp", "1 → 1", "0"]),
    (
        "clamp",
        &[],
        &[&[1], &[1], &[2, 3]],
        ["clamp", "Real(1) × Real(1) × Real(6) → Real(6)", "2 × 3"],
    ),
    (
        "pow",
        &[],
        &[&[2, 3], &[1]],
        ["pow", "Real(6) × Real(1) → Real(6)", "2 × 3"],
    ),
    ("sum", &[], &[&[2, 3]], ["sum", "Real(6) → Real(1)", "1"]),
    (
        "broadcast",
        &[4],
        &[&[1]],
        ["broadcast[4]", "Real(1) → Real(4)", "4"],
    ),
    ("count", &[4], &[], ["count[4]", "1 → Real(1)", "1"]),
    ("count", &[4], &[&[0]], ["count[4]", "1 → Real(1)", "1"]),
    (
        "conv1d",
        &[],
        &[&[2, 6], &[3, 2, 3]],
        [
            "conv1d[6, 3, 2, 3]",
            "Real(12) × Real(18) → Real(12)",
            "3 × 4",
        ],
    ),
    (
        "conv1d",
        &[],
        &[&[12], &[3, 2, 3]],
        [
            "conv1d[6, 3, 2, 3]",
            "Real(12) × Real(18) → Real(12)",
            "3 × 4",
        ],
    ),
    (
        "conv1d",
        &[8, 3, 2, 3],
        &[],
        ["conv1d[8, 3, 2, 3]", "Real(16) × Real(18) → Real(18)", ""],
    ),
    (
        "maxpool1d",
        &[5, 2, 2],
        &[&[10]],
        ["maxpool1d[5, 2, 2]", "Real(10) → Real(6)", "2 × 3"],
    ),
    (
        "avgpool1d",
        &[5, 2, 2],
        &[&[2, 5]],
        ["avgpool1d[5, 2, 2]", "Real(10) → Real(6)", "2 × 3"],
    ),
    (
        "padding",
        &[2, 3, 5],
        &[&[6]],
        ["padding[2, 3, 5]", "Real(6) → Real(10)", "2 × 5"],
    ),
    (
        "upscale",
        &[2, 3, 6],
        &[&[6]],
        ["upscale[2, 3, 6]", "Real(6) → Real(12)", "2 × 6"],
    ),
    (
        "concat",
        &[],
        &[&[1, 3], &[2, 3]],
        ["concat[1, 2, 3]", "Real(3) × Real(6) → Real(9)", "3 × 3"],
    ),
    (
        "concat",
        &[],
        &[&[3], &[2, 3]],
        ["concat[1, 2, 3]", "Real(3) × Real(6) → Real(9)", "3 × 3"],
    ),
    (
        "concat",
        &[1, 2, 3],
        &[&[3], &[6]],
        ["concat[1, 2, 3]", "Real(3) × Real(6) → Real(9)", "3 × 3"],
    ),
    (
        "slice",
        &[2, 3],
        &[&[5]],
        ["slice[2, 3]", "Real(5) → Real(3)", "3"],
    ),
    (
        "cross_entropy",
        &[],
        &[&[3], &[3]],
        ["cross_entropy", "Real(3) × Real(3) → Real(1)", "1"],
    ),
    (
        "softmax",
        &[],
        &[&[1, 3]],
        ["softmax", "Real(3) → Real(3)", "1 × 3"],
    ),
];

#[test]
fn instances() {
    for (name, indices, arguments, [printed, ty, shape]) in GOOD {
        let f =
            instantiate(name, indices, arguments).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(f.to_string(), *printed);
        assert_eq!(f.name(), *name);
        assert_eq!(format!("{} → {}", f.domain(), f.codomain()), *ty, "{f}");
        // A case without argument shapes has no result shape either. The exception is `count`, whose argument is empty.
        let arguments = if *name == "count" {
            vec![Shape::vector(0)]
        } else {
            shapes(arguments)
        };
        let found = f
            .result_shape(&arguments)
            .map(|s| s.to_string())
            .unwrap_or_default();
        assert_eq!(found, *shape, "{f}");
    }
}

const BAD: &[Case<&str>] = &[
    (
        "matmul",
        &[2, 3],
        &[&[6], &[3]],
        "it takes 3 indices, but has 2",
    ),
    (
        "swish",
        &[3],
        &[&[3]],
        "it takes no indices, but 1 is given",
    ),
    (
        "swish",
        &[],
        &[&[3], &[3]],
        "it takes 1 argument, but has 2",
    ),
    ("swish", &[], &[], "it takes 1 argument, but has 0"),
    ("minus", &[], &[&[3]], "it takes 2 arguments, but has 1"),
    (
        "minus",
        &[],
        &[&[3], &[4]],
        "argument 2 must have 3 entries, but has 4",
    ),
    (
        "scale",
        &[],
        &[&[2], &[3]],
        "argument 1 must have 1 entry, but has 2",
    ),
    (
        "pow",
        &[],
        &[&[2], &[3]],
        "argument 2 must have 1 entry, but has 3",
    ),
    (
        "matmul",
        &[],
        &[&[2, 4], &[3, 5]],
        "argument 2: the inner sizes differ: (2 × 4) ∗ (3 × 5) (4 columns on the left, 3 rows on the right)",
    ),
    (
        "matmul",
        &[],
        &[&[6], &[2]],
        "argument 2: the inner sizes differ: (vector of 6, a column 6 × 1) ∗ (vector of 2, a column 2 × 1) (1 column on the left, 2 rows on the right)",
    ),
    (
        "matmul",
        &[],
        &[&[2, 2, 2], &[2]],
        "argument 1: ∗ multiplies matrices, but this has the shape 2 × 2 × 2",
    ),
    (
        "matmul",
        &[2, 4, 1],
        &[&[8], &[5]],
        "argument 2 must have 4 entries, but has 5",
    ),
    (
        "matmul",
        &[2, 0, 1],
        &[&[0], &[0]],
        "the index k is 0, but must be at least 1",
    ),
    (
        "transpose",
        &[],
        &[&[2, 2, 2]],
        "argument 1: ᵀ transposes matrices, but this has the shape 2 × 2 × 2",
    ),
    (
        "reshape",
        &[],
        &[&[6]],
        "the shapes of the arguments do not determine the index m; write the indices in brackets",
    ),
    (
        "reshape",
        &[2, 2],
        &[&[6]],
        "argument 1 must have 4 entries, but has 6",
    ),
    (
        "broadcast",
        &[],
        &[&[1]],
        "the shapes of the arguments do not determine the index n; write the indices in brackets",
    ),
    (
        "slice",
        &[3, 3],
        &[&[5]],
        "the slice ends at entry 5, but the last of 5 entries, from 0, is 4",
    ),
    (
        "count",
        &[3],
        &[&[1]],
        "argument 1 must have 0 entries, but has 1",
    ),
    (
        "conv1d",
        &[],
        &[&[12], &[18]],
        "the shapes of the arguments do not determine the index m; write the indices in brackets",
    ),
    (
        "conv1d",
        &[],
        &[&[3, 4], &[1, 2, 2]],
        "argument 1: the image 3 × 4 has 3 channels, but the filter 1 × 2 × 2 is for 2",
    ),
    (
        "conv2d",
        &[],
        &[&[1, 3, 4], &[1, 2, 2, 2]],
        "argument 1: the image 1 × 3 × 4 has 1 channel, but the filter 1 × 2 × 2 × 2 is for 2",
    ),
    (
        "conv1d",
        &[],
        &[&[1, 2], &[1, 1, 3]],
        "a filter of length 3 does not fit into 2 entries",
    ),
    (
        "maxpool1d",
        &[],
        &[&[2, 6]],
        "the shapes of the arguments do not determine the index m; write the indices in brackets",
    ),
    (
        "padding",
        &[1, 5, 3],
        &[&[5]],
        "padding from 5 to 3 entries would make the image smaller",
    ),
    (
        "concat",
        &[],
        &[&[2, 3], &[2, 4]],
        "argument 2: it has 4 entries a channel, but the first image has 3",
    ),
    (
        "concat",
        &[],
        &[&[2, 3], &[4]],
        "argument 2: 4 entries are no whole number of channels of 3",
    ),
    (
        "concat",
        &[],
        &[&[3], &[4]],
        "the shapes of the arguments do not determine the index c; write the indices in brackets",
    ),
    (
        "mean",
        &[],
        &[&[0]],
        "the mean of no entries is not defined",
    ),
    ("softmax", &[], &[&[0]], "it needs at least one entry"),
    (
        "broadcast",
        &[1 << 25],
        &[&[1]],
        "33554432 entries are more than the largest size 16777216",
    ),
    (
        "matmul",
        &[1 << 20, 1 << 20, 1 << 20],
        &[],
        "1048576 × 1048576 entries are more than the largest size 16777216",
    ),
];

#[test]
fn errors() {
    for (name, indices, arguments, message) in BAD {
        let error = instantiate(name, indices, arguments).unwrap_err();
        assert_eq!(error.to_string(), *message, "{name}");
    }
}

/// No indices or shapes, however absurd, make a family panic or accept more than the largest size.
#[test]
fn absurd_sizes() {
    let sizes = [
        0,
        1,
        2,
        3,
        7,
        1 << 13,
        1 << 24,
        (1 << 24) + 1,
        usize::MAX / 2,
        usize::MAX,
    ];
    for family in families() {
        let mut accepted = 0;
        for a in sizes {
            for b in sizes {
                let indices: Vec<usize> = [a, b, a, b, a, b]
                    .into_iter()
                    .take(family.indices.len())
                    .collect();
                let matrix = vec![Shape::matrix(a, b); family.arity];
                let vector = vec![Shape::vector(a); family.arity];
                let tensor = vec![Shape::new(vec![a, b, a, 2]); family.arity];
                for arguments in [&matrix, &vector, &tensor, &vec![]] {
                    for indices in [indices.as_slice(), &[]] {
                        let Ok(f) = family.instantiate(indices, arguments) else {
                            continue;
                        };
                        accepted += 1;
                        assert!(
                            f.domain()
                                .sizes()
                                .iter()
                                .all(|n| *n <= fletch_smooth::MAX_SIZE),
                            "{f}"
                        );
                        assert!(f.codomain().dimension() <= fletch_smooth::MAX_SIZE, "{f}");
                        let _ = Axis::Cols.lift(Some(b), &f, arguments);
                        let _ = Axis::Rows.lift(None, &f.reverse(), arguments);
                        let _ = f.result_shape(arguments);
                    }
                }
            }
        }
        assert!(accepted > 0, "{family:?}");
    }
}

#[test]
fn lifting() {
    let f = instantiate("softmax", &[], &[&[4]]).unwrap();
    let cols = Axis::Cols.lift(None, &f, &[Shape::matrix(4, 3)]).unwrap();
    assert_eq!(cols.to_string(), "cols[3, softmax]");
    assert_eq!(cols.domain(), Type::real(12));
    assert_eq!(
        cols.result_shape(&[Shape::vector(12)]),
        Some(Shape::matrix(4, 3))
    );
    assert_eq!(cols.reverse().to_string(), "rd[cols[3, softmax]]");
    let rows = Axis::Rows.lift(Some(3), &f.reverse(), &[]).unwrap();
    assert_eq!(rows.to_string(), "rows[3, rd[softmax]]");
    assert_eq!(rows.domain().to_string(), "Real(12) × Real(12)");

    let error = |result: Result<Symbol, SignatureError>| result.unwrap_err().to_string();
    assert_eq!(
        error(Axis::Cols.lift(None, &f, &[Shape::matrix(3, 4)])),
        "argument 1: 3 columns of 4 entries make a matrix 4 × 3, not 3 × 4"
    );
    assert_eq!(
        error(Axis::Cols.lift(Some(2), &f, &[Shape::matrix(4, 3)])),
        "argument 1 must have 8 entries, but has 12"
    );
    assert_eq!(
        error(Axis::Rows.lift(Some(0), &f, &[])),
        "rows needs at least one row"
    );
    assert_eq!(
        error(Axis::Rows.lift(None, &f, &[])),
        SignatureError::CannotInfer { index: "b" }.to_string()
    );
    assert_eq!(
        error(Axis::Cols.lift(Some(1 << 23), &f, &[])),
        "4 × 8388608 entries are more than the largest size 16777216"
    );
    assert_eq!(
        Axis::Cols.split(None, &[Shape::matrix(4, 3)]),
        Ok((3, vec![Shape::vector(4)]))
    );
    assert_eq!(
        Axis::Rows.split(None, &[Shape::matrix(4, 3)]),
        Ok((4, vec![Shape::vector(3)]))
    );
    assert_eq!(
        Axis::Cols.split(Some(3), &[Shape::vector(12)]),
        Ok((3, vec![Shape::vector(4)]))
    );
    assert!(Axis::Cols.split(Some(5), &[Shape::vector(12)]).is_err());
}
