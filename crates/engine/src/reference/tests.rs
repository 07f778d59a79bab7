use super::*;
use crate::loops::Buffer;
use crate::{Constant, Rounds};
use fletch_smooth::Partiality;

/// Access from offset 0 with these strides.
fn at(buffer: usize, strides: &[usize]) -> Access {
    Access::new(buffer, strides)
}

fn plan(buffers: &[(usize, Holds)], items: Vec<Item>, output: usize) -> Plan {
    let buffer = |(size, holds): &(usize, Holds)| Buffer {
        size: *size,
        holds: holds.clone(),
    };
    Plan {
        buffers: buffers.iter().map(buffer).collect(),
        items,
        outputs: vec![output],
        origins: vec![Origin::default(), Origin::default()],
    }
}

fn constant(numbers: &[f64]) -> (usize, Holds) {
    let holds = Holds::Constant(Constant(numbers.into()));
    (numbers.len(), holds)
}

/// The output of a step.
fn gives(plan: &Plan, precision: Precision) -> Vec<f64> {
    let mut reference = Reference::new(plan.clone(), Partiality::Total, precision);
    reference.step().unwrap();
    reference.output(0).unwrap()
}

/// Folds four numbers.
fn folded(numbers: [f64; 4], fold: Fold, precision: Precision) -> f64 {
    let body = Body::on([at(0, &[1])], vec![Operation::Read(0)]);
    let fold = Some((vec![4], fold));
    let each = Loop::of(vec![], fold, body, at(1, &[]), vec![]);
    let buffers = [constant(&numbers), (1, Holds::Local)];
    gives(&plan(&buffers, vec![Item::Loop(each)], 1), precision)[0]
}

#[test]
fn sums_are_taken_in_the_order_of_the_plan() {
    let numbers = [1e16, 1.0, -1e16, 1.0];
    for (fold, precision, sum) in [
        (Fold::InTurn(0.0), Precision::Double, 1.0),
        (Fold::Lanes(0.0), Precision::Double, 2.0),
        (Fold::InTurn(0.0), Precision::Single, 1.0),
        (Fold::Lanes(0.0), Precision::Single, 0.0),
    ] {
        assert_eq!(
            folded(numbers, fold, precision),
            sum,
            "{fold:?} {precision:?}"
        );
    }
    let zeros = [-0.0; 4];
    let signs = [-0.0, 0.0].map(|start| {
        let sum = folded(zeros, Fold::InTurn(start), Precision::Double);
        sum.is_sign_negative()
    });
    assert_eq!(signs, [true, false]);
}

#[test]
fn a_maximum_passes_over_nan_and_takes_the_first_of_several() {
    let numbers = [f64::NAN, 2.0, 3.0, 3.0];
    assert_eq!(folded(numbers, Fold::Maximum, Precision::Double), 3.0);
    // The value at the largest key is its index, from 0.
    let body = Body::on([at(0, &[1])], vec![Operation::Index(0)]);
    let fold = Some((vec![4], Fold::AtMaximum));
    let each = Loop::of(vec![], fold, body, at(1, &[]), vec![]);
    let buffers = [constant(&[1.0, 3.0, 3.0, 2.0]), (1, Holds::Local)];
    let plan = plan(&buffers, vec![Item::Loop(each)], 1);
    assert_eq!(gives(&plan, Precision::Double), [1.0]);
}

#[test]
fn contributions_to_one_entry_are_added() {
    let body = Body::copy_of(Source::Entry(at(0, &[3, 1])));
    let scatter = Loop::of(vec![2, 3], None, body, at(1, &[0, 1]), vec![]);
    let buffers = [
        constant(&[1.0, 2.0, 3.0, 10.0, 20.0, 30.0]),
        (3, Holds::Local),
    ];
    let items = vec![Item::Fill(1), Item::Scatter(scatter)];
    let plan = plan(&buffers, items, 1);
    assert_eq!(gives(&plan, Precision::Double), [11.0, 22.0, 33.0]);
}

/// Loop that writes the sum of the first two buffers to the third.
fn added([a, b, to]: [usize; 3]) -> Item {
    let operations = vec![
        Operation::Read(0),
        Operation::Read(1),
        Operation::Binary(Binary::Add, 0, 1),
    ];
    let body = Body::on([a, b].map(|buffer| at(buffer, &[1])), operations);
    Item::Loop(Loop::of(vec![1], None, body, at(to, &[1]), vec![1]))
}

#[test]
fn moments_run_forwards_or_backwards_over_their_sequences() {
    // The state sums the entries. Buffers: 0 is the sequence, 1 the first state, 2 an entry, 3 the state, 4 the sequence of states.
    for (backwards, sums) in [(false, [1.0, 3.0, 7.0]), (true, [7.0, 6.0, 4.0])] {
        let rounds = Rounds {
            moments: crate::Moments {
                count: 3,
                backwards,
            },
            first: vec![(1, 3)],
            entries: vec![(0, 2)],
            items: vec![added([2, 3, 3])],
            results: vec![(3, 4)],
            last: vec![],
            local: vec![],
            part_of: None,
        };
        let local = |size| (size, Holds::Local);
        let buffers = [
            constant(&[1.0, 2.0, 4.0]),
            constant(&[0.0]),
            local(1),
            local(1),
            local(3),
        ];
        let plan = plan(&buffers, vec![Item::Repeat(Box::new(rounds))], 4);
        assert_eq!(gives(&plan, Precision::Double), sums);
    }
}

#[test]
fn the_first_nan_is_found_at_its_statement() {
    let buffers = [
        constant(&[f64::INFINITY]),
        constant(&[-f64::INFINITY]),
        (1, Holds::Local),
    ];
    let plan = plan(&buffers, vec![added([0, 1, 2])], 2);
    let mut reference = Reference::new(plan.clone(), Partiality::Total, Precision::Double);
    assert!(reference.step_to_nan().is_some());
    assert!(gives(&plan, Precision::Double)[0].is_nan());
}
