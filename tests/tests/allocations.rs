//! What a step of training allocates: nothing, on the machine, whatever is trained. Counted by the allocator of this test alone, which
//! has one test so that no other runs beside it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

use fletch_arrows::Arrow;
use fletch_calculus::Tensor;
use fletch_elaborate::{component, with_items};
use fletch_engine::{Machine, Wanted, lower, plan};
use fletch_playground::{Partiality, report};
use fletch_tests::{examples, programs};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static COUNTING: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[test]
fn a_step_allocates_nothing() {
    let mut stepped = 0;
    for folder in [examples(), examples().join("bench")] {
        for (name, source) in programs(&folder) {
            let program = report::check(&source).program;
            with_items(&program, &Default::default(), |items| {
                for train in items.trains() {
                    let sample = items.sample(train, 0).unwrap();
                    let open = items.on_any(train).unwrap();
                    let sizes: Vec<usize> = sample.iter().map(Tensor::len).collect();
                    let arrow = Arrow::of(&[], &open.main, &open.ty).unwrap();
                    let line = lower(&arrow, &sizes, component, Wanted::Heap).unwrap();
                    let plan = plan(&line, Partiality::Total);
                    let mut machine = Machine::new(&plan, Partiality::Total);
                    let heap: usize = open.initial.iter().map(Tensor::len).sum();
                    for (number, contents) in open.initial.iter().enumerate() {
                        machine.set_cell(number, contents.data());
                    }
                    for (number, component) in sample.iter().enumerate() {
                        machine.set_input(number, component.data());
                    }
                    // The first step may make room.
                    machine.step().unwrap();
                    let region = Region::new(COUNTING);
                    machine.step().unwrap();
                    machine.step().unwrap();
                    let change = region.change();
                    assert_eq!(
                        (change.allocations, change.reallocations),
                        (0, 0),
                        "{name}: {heap} numbers in the heap"
                    );
                    stepped += 1;
                }
            });
        }
    }
    assert!(stepped > 15, "{stepped}");
}
