//! Tests of the editor's questions, and of texts that are fetched for the page.

use crate::editor::view::by_severity;
use crate::effects::{Effect, Timer, Wanted};
use crate::model::{Model, Overlay, WorkerId};
use crate::update::tests::{Page, advanced, asked, checked, error, fetched, shown};
use crate::update::{Msg, start};
use fletch_playground::protocol::{
    Answer, Ask, EditorDiagnostic, Hover, Insertion, OutlineEntry, Question, Reply, RunStatus,
    SHELF, Severity, TextEdit,
};
use std::rc::Rc;

#[test]
fn of_two_examples_chosen_at_once_the_last_one_is_opened() {
    let mut page = Page::running(20);
    page.tell(Msg::Open(1)).tell(Msg::Open(2));
    page.tell(fetched(Wanted::Example(1), "main = one"));
    assert_eq!(&*page.model.program.text, "main = A");
    page.tell(fetched(Wanted::Example(2), "main = two"));
    assert_eq!(&*page.model.program.text, "main = two");
    page.tell(Msg::Open(1)).tell(Msg::Open(0));
    page.tell(fetched(Wanted::Example(1), "main = one"));
    assert_eq!(&*page.model.program.text, crate::examples::FIRST);
}

#[test]
fn an_example_that_cannot_be_had_leaves_the_editor_as_it_is() {
    let mut page = Page::running(20);
    page.tell(Msg::Open(1)).tell(Msg::Fetched(
        Wanted::Example(1),
        Err("the site does not answer".into()),
    ));
    assert_eq!(&*page.model.program.text, "main = A");
    let notice = page.model.notice.as_deref();
    assert_eq!(
        notice,
        Some("The example could not be loaded: the site does not answer.")
    );
}

#[test]
fn a_draft_of_an_example_knows_what_it_began_as_once_that_is_there() {
    let number = crate::examples::number("resnet.fletch").unwrap();
    let draft = Model::new("resnet.fletch", "Residual network", "", "main = mine");
    let (model, effects) = start(draft, None);
    assert_eq!(
        effects.last(),
        Some(&Effect::Fetch(Wanted::Original(number)))
    );
    let mut page = Page { model, effects };
    page.tell(fetched(Wanted::Original(number + 1), "main = another"));
    assert_eq!(&*page.model.program.original, "");
    page.tell(fetched(Wanted::Original(number), "main = resnet"));
    assert_eq!(&*page.model.program.original, "main = resnet");
    assert_eq!(&*page.model.program.text, "main = mine");
}

#[test]
fn a_question_goes_with_the_text_of_now_and_its_answer_to_who_asked() {
    let mut page = Page::running(20);
    page.tell(Msg::Edited("main = B".into()));
    page.tell(Msg::Asked(7, Question::Hover { offset: 7 }));
    assert_eq!(
        page.requests(),
        [&asked(
            7,
            Ask::Question {
                source: "main = B".into(),
                question: Question::Hover { offset: 7 }
            }
        )]
    );
    let hover = Answer::Hover(Some(Hover {
        from: 7,
        to: 8,
        kind: "command".into(),
        signature: "B".into(),
        note: None,
    }));
    page.answer(Reply::Answered(hover.clone()));
    assert!(
        page.effects
            .contains(&Effect::Answer(7, Some(Rc::new(hover))))
    );
}

#[test]
fn a_question_is_answered_though_the_worker_is_not() {
    let mut page = Page::running(20);
    page.tell(Msg::Asked(7, Question::Complete { offset: 0 }))
        .tell(Msg::WorkerFailed(WorkerId::Steps, "out of memory".into()));
    assert!(page.effects.contains(&Effect::Answer(7, None)));
    page.tell(Msg::Asked(8, Question::Complete { offset: 0 }));
    assert_eq!(page.effects, [Effect::Answer(8, None)]);
}

#[test]
fn a_question_waits_no_longer_than_a_slice_of_a_run() {
    let mut page = Page::open();
    page.tell(Msg::WorkerReady(WorkerId::Steps))
        .answer(checked())
        .answer(advanced(900, RunStatus::Running));
    page.tell(Msg::Asked(1, Question::Hover { offset: 0 }));
    // One slice and the first view are requested; the next slice is requested when this one has ended.
    assert_eq!(page.model.worker.in_flight.len(), 3);
    page.answer(shown(0))
        .answer(advanced(1800, RunStatus::Running));
    page.answer(Reply::Answered(Answer::Hover(None)));
    assert!(
        page.effects
            .contains(&Effect::Answer(1, Some(Rc::new(Answer::Hover(None)))))
    );
}

#[test]
fn formatting_changes_the_text_it_was_asked_about_and_no_other() {
    let edits = vec![TextEdit {
        from: 4,
        to: 6,
        insert: " ".into(),
    }];
    let mut page = Page::running(20);
    page.tell(Msg::Format);
    assert_eq!(
        page.requests(),
        [&asked(
            0,
            Ask::Question {
                source: "main = A".into(),
                question: Question::Format
            }
        )]
    );
    assert!(
        page.tell(Msg::Format).requests().is_empty(),
        "once at a time"
    );
    page.answer(Reply::Answered(Answer::Format(Ok(edits.clone()))));
    assert!(page.effects.contains(&Effect::Edit(edits.clone().into())));

    page.tell(Msg::Format).tell(Msg::Edited("main = B".into()));
    page.answer(Reply::Answered(Answer::Format(Ok(edits))));
    let changes = |effect: &Effect| matches!(effect, Effect::Edit(_));
    assert!(!page.effects.iter().any(changes));
    page.tell(Msg::Format)
        .answer(Reply::Answered(Answer::Format(Err(Box::new(error())))));
    assert!(!page.effects.iter().any(changes));
    assert_eq!(
        page.model.notice.as_deref(),
        Some("Not formatted, because line 1 cannot be read: unknown name")
    );
}

#[test]
fn a_code_is_explained_once_its_text_is_there() {
    let mut page = Page::running(20);
    let wanted = Wanted::Explanation("F0102".into());
    page.tell(Msg::Explain("F0102".into()));
    assert_eq!(page.model.overlay, Overlay::Explanation);
    assert_eq!(page.effects, [Effect::Fetch(wanted.clone())]);
    page.tell(fetched(Wanted::Explanation("F0201".into()), "another"));
    let text = |page: &Page| page.model.explanation.as_ref().unwrap().text.clone();
    assert_eq!(text(&page), None);
    page.tell(fetched(wanted, "# F0102"));
    assert_eq!(text(&page), Some(Ok("# F0102".into())));
    page.tell(Msg::Over(Overlay::None))
        .tell(Msg::Explain("F0102".into()));
    assert!(page.effects.is_empty(), "it is there already");
}

#[test]
fn errors_are_listed_before_hints_and_keep_their_numbers() {
    let found = [
        Severity::Hint,
        Severity::Error,
        Severity::Warning,
        Severity::Error,
    ];
    let diagnostics = found.map(|severity| EditorDiagnostic {
        severity,
        ..error()
    });
    let numbers: Vec<u32> = by_severity(&diagnostics)
        .map(|(number, _)| number)
        .collect();
    assert_eq!(numbers, [1, 3, 2, 0]);
}

#[test]
fn the_outline_is_a_way_to_a_declaration() {
    let mut page = Page::running(20);
    let Reply::Checked(mut found) = checked() else {
        panic!("a check")
    };
    found.outline = vec![OutlineEntry {
        kind: "op".into(),
        name: "FC".into(),
        from: 40,
        to: 60,
    }];
    page.tell(Msg::Edited("op FC".into()))
        .tell(Msg::Fired(Timer::Check))
        .answer(Reply::Checked(found));
    page.tell(Msg::Over(Overlay::Outline(0)));
    assert_eq!(page.effects, [Effect::Focus("outline-0".into())]);
    page.tell(Msg::Declaration(0));
    assert_eq!(page.effects, [Effect::GoTo(40)]);
    assert_eq!(page.model.overlay, Overlay::None);
}

#[test]
fn a_handler_of_the_shelf_is_inserted_into_the_text_it_was_made_for() {
    let made = Insertion {
        name: "adam".into(),
        about: String::new(),
        from: 9,
        to: 15,
        edits: vec![TextEdit {
            from: 0,
            to: 0,
            insert: "handler H_adam".into(),
        }],
    };
    let mut page = Page::running(20);
    let number = SHELF.iter().position(|it| it.name == "adam").unwrap();
    page.tell(Msg::Insert(number));
    let question = Question::Insert {
        name: "adam".into(),
    };
    let source = "main = A".into();
    assert_eq!(
        page.requests(),
        [&asked(0, Ask::Question { source, question })]
    );
    page.answer(Reply::Answered(Answer::Insert(Ok(made.clone().into()))));
    let edit = Effect::Edit(made.edits.clone().into());
    assert!(page.effects.contains(&edit));
    assert!(page.effects.contains(&Effect::GoTo(9)), "to the handler");

    // A changed text is left alone, and a handler that does not fit is refused with the reason.
    page.tell(Msg::Insert(number))
        .tell(Msg::Edited("main = B".into()));
    page.answer(Reply::Answered(Answer::Insert(Ok(made.into()))));
    assert!(!page.effects.contains(&edit));
    page.tell(Msg::Insert(number));
    page.answer(Reply::Answered(Answer::Insert(Err(
        "there is no location to train".into(),
    ))));
    assert!(!page.effects.contains(&edit));
    assert_eq!(
        page.model.notice.as_deref(),
        Some("Nothing was inserted: there is no location to train.")
    );
}
