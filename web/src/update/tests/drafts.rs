//! New programs, their titles, and what is kept of them.

use super::{Page, fetched};
use crate::effects::{Draft, Effect, Wanted};
use crate::model::{Kept, Pane, heading};
use crate::update::Msg;

impl Page {
    /// What the last message kept.
    fn kept(&self) -> Option<&Draft> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Keep(draft) => Some(draft),
            _ => None,
        })
    }
}

#[test]
fn a_new_program_takes_the_place_of_the_old_one_which_undo_brings_back() {
    let mut page = Page::running(20);
    page.tell(Msg::Edited("main = A + 1".into())).tell(Msg::New);
    let text = page.model.program.text.clone();
    assert!(page.effects.contains(&Effect::SetText(text.clone())));
    assert_eq!(&*page.model.program.heading(), "Untitled");
    assert_eq!(page.model.program.file(), "program.fletch");
    assert_eq!(page.model.layout.pane, Pane::Program);
    assert_eq!(
        page.model.notice.as_deref(),
        Some("Began a new program. Undo in the editor brings your program back.")
    );
    let draft = page.kept().cloned();
    assert_eq!(
        draft,
        Some(Draft {
            name: "program.fletch".into(),
            text,
            begins: true,
            lasts: false,
        }),
        "what was written is kept on under its own key"
    );
    page.tell(Msg::Edited("main = A + 1".into()));
    assert_eq!(&*page.model.program.name, "mlp.fletch");
}

#[test]
fn an_own_program_is_called_by_the_comment_that_it_begins_with() {
    for (text, title) in [
        ("-- My net.\nmain = ⌊1⌋", Some("My net")),
        ("\n  --  two   layers \n", Some("two   layers")),
        ("--\n-- Under a rule\n", Some("Under a rule")),
        ("{- A block\n of text -}\nmain = ⌊1⌋", Some("A block")),
        ("--: a note of a step\nmain = ⌊1⌋", None),
        ("main = ⌊1⌋ -- no title", None),
        ("dim n = 2\n-- the sizes", None),
        ("", None),
    ] {
        assert_eq!(heading(text), title, "{text}");
    }
}

#[test]
fn an_example_is_the_readers_own_once_its_first_line_is_another() {
    let mut page = Page::running(20);
    page.tell(Msg::Open(1));
    page.tell(fetched(
        Wanted::Example(1),
        "-- Residual block.\nmain = ⌊1⌋",
    ));
    let name = page.model.program.name.clone();
    let title = page.model.program.title.clone();
    page.tell(Msg::Edited("-- Residual block.\nmain = ⌊2⌋".into()));
    assert!(!page.model.program.is_own() && page.model.program.is_changed());
    assert_eq!(page.model.program.heading(), title);
    assert_eq!(
        page.kept().map(|draft| draft.name.clone()),
        Some(name.clone())
    );
    page.tell(Msg::Edited("-- Mine.\nmain = ⌊2⌋".into()));
    assert!(page.model.program.is_own());
    assert_eq!(&*page.model.program.heading(), "Mine");
    let own = page.kept().map(|draft| (&*draft.name, draft.lasts));
    assert_eq!(own, Some(("program.fletch", true)));
    // Undo.
    page.tell(Msg::Edited("-- Residual block.\nmain = ⌊1⌋".into()));
    assert_eq!(page.model.program.file(), &*name);
    assert_eq!(page.kept().map(|draft| draft.lasts), Some(false));
}

#[test]
fn what_an_earlier_visit_wrote_is_offered_and_opened_when_asked() {
    let kept = |key: &str, name: &str, text: &str| Kept {
        key: key.into(),
        name: name.into(),
        text: text.into(),
    };
    let mut page = Page::running(20);
    page.model.kept = [
        kept("7", "program.fletch", "-- Mine\nmain = ⌊7⌋"),
        kept("3", "resnet.fletch", "main = resnet, changed"),
    ]
    .into();
    let titles: Vec<&str> = page.model.kept.iter().map(Kept::heading).collect();
    assert_eq!(titles, ["Mine", "Residual block"]);
    page.tell(Msg::Reopen("7".into()));
    assert_eq!(&*page.model.program.text, "-- Mine\nmain = ⌊7⌋");
    assert_eq!(&*page.model.program.heading(), "Mine");
    assert_eq!(page.kept().map(|draft| draft.lasts), Some(true));
    assert_eq!(page.model.kept.len(), 1, "the other one is still offered");
    page.tell(Msg::Reopen("3".into()));
    let number = crate::examples::number("resnet.fletch").unwrap();
    let original = Effect::Fetch(Wanted::Original(number));
    assert!(
        page.effects.contains(&original),
        "to tell whether it was changed"
    );
    page.model.kept = [kept("1", "program.fletch", "main = ⌊1⌋")].into();
    page.tell(Msg::Later);
    assert!(page.model.kept.is_empty() && page.effects.is_empty());
}
