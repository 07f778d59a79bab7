//! Allocations of a training: a step of a module allocates nothing, and a large heap is held only once. The counting allocator
//! is that of the whole process, so this file is a test binary with a single test.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

use fletch_arrows::Arrow;
use fletch_calculus::Tensor;
use fletch_elaborate::{component, with_items};
use fletch_engine::{Wanted, lower, plan};
use fletch_smooth::Partiality;
use fletch_tests::module::Running;
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
            let program = fletch_ide::check(&source).program;
            with_items(&program, &Default::default(), |items| {
                for train in items.trains() {
                    let sample = items.sample(train, 0).unwrap();
                    let open = items.on_any(train).unwrap();
                    let sizes: Vec<usize> = sample.iter().map(Tensor::len).collect();
                    let arrow = Arrow::of(&[], &open.main, &open.ty).unwrap();
                    let line = lower(&arrow, &sizes, component, Wanted::Heap).unwrap();
                    let plan = plan(&line, Partiality::Total);
                    let mut running = Running::new(&plan, &open, &sample).unwrap();
                    let heap: usize = open.initial.iter().map(Tensor::len).sum();
                    // The first step may allocate.
                    assert!(running.steps(1));
                    let region = Region::new(COUNTING);
                    assert!(running.steps(1) && running.steps(2));
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
    a_large_heap_is_there_once();
}

/// Checks a layer of 100 MB, of which a step reads and writes every weight.
fn a_large_heap_is_there_once() {
    let source = "loc w ∷ (3600, 3500) = constant(0.001)
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
handler H(α : Real(1), t : Real(3500)) : Real(3500) {
  x ↦ ⌊α · (x − t)⌋
  FC[ℓ ∷ (n, m)] ( x         ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                 | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
main = rev handle(broadcast[3600](0.1))⟨x⟩. FC[w](x) with H(0.01, broadcast[3500](1))";
    let program = fletch_ide::check(source).main.unwrap().program;
    let arrow = Arrow::of(&[], &program.main, &program.ty).unwrap();
    let line = lower(&arrow, &[], |_| None, Wanted::Heap).unwrap();
    let plan = plan(&line, Partiality::Total);
    let region = Region::new(COUNTING);
    let mut running = Running::new(&plan, &program, &[]).unwrap();
    // The memory of a module is not counted by the allocator.
    let taken = running.bytes() + region.change().bytes_allocated;
    let heap = 8 * program.initial[0].len();
    assert!(
        (heap..heap + heap / 50).contains(&taken),
        "{taken} bytes for a heap of {heap}"
    );
    assert!(running.steps(1));
    let region = Region::new(COUNTING);
    assert!(running.steps(1));
    assert_eq!(region.change().allocations, 0);
    let moved = running.cell(0)[0];
    assert!((0.001..0.01).contains(&moved) && moved != 0.001, "{moved}");
}
