//! Tests of the bar: runs that are stuck, and values that are not finite.

use crate::editor::CheckPhase;
use crate::model::{Model, Shared};
use crate::steps::run::RunState;
use crate::steps::view::state::{Msg, Said, Trace, said};
use fletch_playground::protocol::{
    EditorDiagnostic, Index, NonFinite, RunStatus, Severity, StepView, Stuck,
};

/// A page at a position of a run of twelve steps.
fn page(state: RunStatus, position: u32, non_finite: Option<u32>) -> Model {
    let mut model = Model::new("mlp.fletch", "Perceptron", "main = A", "main = A");
    model.check.phase = CheckPhase::Checked;
    model.trace = Some(Trace {
        revision: 0,
        steps: 12,
        state: RunState::Worker(state),
        index: Shared::new(Index {
            steps: 12,
            non_finite: non_finite.map(|position| NonFinite {
                position,
                step: position,
                what: "`exp` gives ∞".into(),
            }),
            ..Index::default()
        }),
        position,
        from: None,
        view: Some(Shared::new(StepView {
            position,
            next: Some(position + 2),
            ..StepView::default()
        })),
        shown: None,
        known: 12,
        follow: false,
    });
    model
}

fn stuck(convention: Option<&str>) -> RunStatus {
    RunStatus::Stuck(Box::new(Stuck {
        diagnostic: EditorDiagnostic {
            code: "F0601".into(),
            severity: Severity::Error,
            from: 8,
            to: 12,
            line: 1,
            message: "`relu` is undefined here: entry 2 is 0, where relu is not differentiable"
                .into(),
            labels: Vec::new(),
            hint: None,
            fix: None,
            file: None,
        },
        convention: convention.map(str::to_owned),
    }))
}

fn bar(class: &'static str, text: &str, action: Option<(&'static str, Msg)>) -> Option<Said> {
    let text = text.to_owned();
    Some(Said {
        class,
        text,
        action,
    })
}

#[test]
fn a_stuck_run_leads_to_its_place_and_offers_the_convention_there() {
    let convention = Some("relu′(0) = 0");
    let away = bar(
        "wrong",
        "The run is stuck at step 12.",
        Some(("Go there", Msg::Show(12))),
    );
    assert_eq!(said(&page(stuck(convention), 3, None)), away);
    let there = bar(
        "wrong",
        "Frameworks go on here by convention: relu′(0) = 0.",
        Some(("Go on as frameworks do", Msg::Total(true))),
    );
    assert_eq!(said(&page(stuck(convention), 12, None)), there);
    let nowhere = bar(
        "wrong",
        "There is no step from here.",
        Some(("Show in the program", Msg::GoTo(8))),
    );
    assert_eq!(said(&page(stuck(None), 12, None)), nowhere);
}

#[test]
fn the_first_value_that_is_not_finite_is_told_wherever_the_reader_is() {
    let away = bar(
        "odd",
        "`exp` gives ∞ at step 7: the first value of this run that is not a finite number.",
        Some(("Go there", Msg::Show(7))),
    );
    assert_eq!(said(&page(RunStatus::Value, 2, Some(7))), away);
    // At that step, the sentence reports the value.
    let mut there = page(RunStatus::Value, 7, Some(7));
    if let Some(trace) = &mut there.trace {
        trace.view = Some(Shared::new(StepView {
            position: 7,
            non_finite: Some("`exp` gives ∞".into()),
            ..StepView::default()
        }));
    }
    assert_eq!(said(&there), None);
    assert_eq!(said(&page(RunStatus::Value, 2, None)), None);
    // The end of the run is reported at the end, and the value before.
    assert_eq!(said(&page(stuck(None), 2, Some(7))), away);
    let end = said(&page(stuck(None), 12, Some(7)));
    assert!(end.is_some_and(|said| said.text == "There is no step from here."));
}
