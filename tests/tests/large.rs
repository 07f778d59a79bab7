//! States that are too large to be read: their text shows only the surroundings of the step, but always the redex.

use fletch_playground::protocol::Digits;
use fletch_smooth::Partiality;
use fletch_tests::{examples, must_check};
use fletch_trace::{Budget, Trace};
use std::fs;

#[test]
fn the_text_of_every_state_of_the_u_net_shows_its_redex_and_little_else() {
    let source = fs::read_to_string(examples().join("unet_training.fletch")).unwrap();
    let main = must_check(&source);
    let mut trace = Trace::new(&main.program, Partiality::Paper);
    trace.run(usize::MAX, &Budget::steps(10_000));
    assert!(trace.len() > 4000);
    let mut folded = 0;
    for text in fletch_transcript::steps::steps(&trace, 1, trace.len(), Digits::Exact) {
        assert!(!text.redex.is_empty(), "step {}", text.number);
        assert!(!text.explanation.is_empty(), "step {}", text.number);
        let length = text.command.chars().count();
        assert!(length < 30_000, "step {}: {length} characters", text.number);
        folded += usize::from(text.command.contains('…'));
    }
    assert!(folded > 2000, "{folded}");
}

#[test]
fn a_small_state_is_shown_whole() {
    let source = fs::read_to_string(examples().join("mlp.fletch")).unwrap();
    let main = must_check(&source);
    let mut trace = Trace::new(&main.program, Partiality::Paper);
    trace.run(usize::MAX, &Budget::steps(10_000));
    for text in fletch_transcript::steps::steps(&trace, 1, trace.len(), Digits::Exact) {
        assert!(!text.command.contains('…'), "{}", text.command);
    }
}
