//! Tests of new programs and their titles, of drafts, and of files that are read and written.

use crate::drafts::update::{Came, DraftsMsg, Own, PROGRAM_LIMIT, Unread};
use crate::drafts::{DataFile, Drafts, Kept, Trouble, file_stem};
use crate::editor::heading;
use crate::effects::{Draft, Effect, Store, Wanted};
use crate::model::{Overlay, Pane, WorkerId};
use crate::update::tests::{Page, asked, fetched};
use crate::update::{Chord, Focus, Key, Msg, shortcut};
use fletch_playground::protocol::{Ask, Reply, Request};
use std::rc::Rc;

impl Page {
    /// Draft that the last message kept.
    fn kept(&self) -> Option<&Draft> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Keep(draft) => Some(draft),
            _ => None,
        })
    }

    /// Requests of the last message to the drafts.
    fn stores(&self) -> Vec<Store> {
        let stores = self.effects.iter().filter_map(|effect| match effect {
            Effect::Drafts(store) => Some(store.clone()),
            _ => None,
        });
        stores.collect()
    }

    fn drafts(&mut self, msg: DraftsMsg) -> &mut Self {
        self.tell(Msg::Drafts(msg))
    }

    /// A page with a fixed prefix of ids, on which one draft has begun.
    fn seeded() -> Page {
        let mut page = Page::running(20);
        page.model.drafts.seed = "s-".into();
        page.model.program.draft = page.model.drafts.begin();
        page
    }
}

fn kept(id: &str, file: &str, text: &str) -> Kept {
    Kept {
        id: id.into(),
        file: file.into(),
        given: "".into(),
        text: text.into(),
        when: "today".into(),
    }
}

fn own(history: Option<&str>, files: &[DataFile]) -> Own {
    Own {
        given: "".into(),
        history: history.map(Rc::from),
        files: files.into(),
    }
}

fn data(name: &str, text: &str) -> DataFile {
    DataFile {
        name: name.into(),
        bytes: text.as_bytes().into(),
    }
}

fn came(files: &[(&str, Result<&[u8], Unread>)]) -> DraftsMsg {
    let file = |(name, bytes): &(&str, Result<&[u8], Unread>)| Came {
        name: (*name).into(),
        bytes: bytes.clone().map(Rc::from),
    };
    DraftsMsg::Files(files.iter().map(file).collect(), None)
}

/// True if these requests send the files and then a check, and nothing else.
fn gives_files(requests: &[&Request]) -> bool {
    let asks: Vec<&Ask> = requests.iter().map(|request| &request.ask).collect();
    matches!(asks[..], [Ask::Files(_), Ask::Load { .. }])
}

#[test]
fn a_new_program_is_a_draft_of_its_own_and_undo_brings_the_old_one_back_with_its_draft() {
    let mut page = Page::seeded();
    page.tell(Msg::Edited("main = A + 1".into()));
    assert_eq!(
        page.kept().map(|draft| (&*draft.id, draft.lasts)),
        Some(("s-1", true))
    );
    page.tell(Msg::New);
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
    let expected = Draft {
        id: "s-2".into(),
        given: "".into(),
        heading: "Untitled".into(),
        file: "program.fletch".into(),
        text,
        lasts: false,
    };
    assert_eq!(
        draft,
        Some(expected),
        "what was written is kept on under its own id"
    );
    page.tell(Msg::Edited("main = A + 1".into()));
    assert_eq!(&*page.model.program.name, "mlp.fletch");
    assert_eq!(page.kept().map(|draft| &*draft.id), Some("s-1"));
    // An example never overwrites a draft.
    page.tell(Msg::Open(0));
    assert_eq!(&*page.model.program.draft, "s-3");
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
        page.kept().map(|draft| draft.file.clone()),
        Some(name.clone())
    );
    page.tell(Msg::Edited("-- Mine.\nmain = ⌊2⌋".into()));
    assert!(page.model.program.is_own());
    assert_eq!(&*page.model.program.heading(), "Mine");
    let own = page.kept().map(|draft| (&*draft.file, draft.lasts));
    assert_eq!(own, Some(("program.fletch", true)));
    // Undo restores the text of the example.
    page.tell(Msg::Edited("-- Residual block.\nmain = ⌊1⌋".into()));
    assert_eq!(page.model.program.file(), &*name);
    assert_eq!(page.kept().map(|draft| draft.lasts), Some(false));
}

#[test]
fn a_new_visit_is_offered_the_newest_and_opens_one_with_its_files_and_its_history() {
    let mut page = Page::seeded();
    page.model.drafts.fresh = true;
    assert!(
        page.model.drafts.offer("").is_empty(),
        "nothing is known yet"
    );
    let mut all = vec![
        kept("7", "program.fletch", "-- Mine\nmain = ⌊7⌋"),
        kept("3", "resnet.fletch", "main = resnet, changed"),
    ];
    all.extend((10..14).map(|id| kept(&id.to_string(), "program.fletch", "main = ⌊1⌋")));
    let mine = all[0].clone();
    page.drafts(DraftsMsg::Ready(None, all.clone().into()));
    let offer = page.model.drafts.offer("");
    let titles: Vec<&str> = offer.into_iter().map(Kept::heading).collect();
    assert_eq!(titles, ["Mine", "Residual block", "Untitled", "Untitled"]);
    page.drafts(DraftsMsg::Open("7".into()));
    assert!(page.stores().contains(&Store::Load("7".into())));
    let files = [data("points.csv", "1,2")];
    page.drafts(DraftsMsg::Loaded(Box::new((mine, own(Some("{}"), &files)))));
    assert_eq!(&*page.model.program.text, "-- Mine\nmain = ⌊7⌋");
    assert_eq!(&*page.model.program.draft, "7");
    let history = Some("{}".into());
    assert!(
        page.effects
            .contains(&Effect::Restore("-- Mine\nmain = ⌊7⌋".into(), history))
    );
    let files = vec![data("points.csv", "1,2").input()];
    let sent = asked(0, Ask::Files(files));
    assert_eq!(
        page.requests().first(),
        Some(&&sent),
        "before it is checked"
    );
    assert_eq!(page.kept().map(|draft| draft.lasts), Some(true));
    let offered = |page: &Page| -> Vec<Rc<str>> {
        let offer = page.model.drafts.offer(&page.model.program.draft);
        offer.into_iter().map(|kept| kept.id.clone()).collect()
    };
    assert!(
        offered(&page).len() == 3 && !offered(&page).contains(&"7".into()),
        "but for the one that is open"
    );
    page.answer(Reply::Taken);
    page.drafts(DraftsMsg::Loaded(Box::new((
        all[1].clone(),
        own(None, &[]),
    ))));
    let number = crate::examples::number("resnet.fletch").unwrap();
    let original = Effect::Fetch(Wanted::Original(number));
    assert!(
        page.effects.contains(&original),
        "to tell whether it was changed"
    );
    assert_eq!(
        &*page.model.program.files,
        [],
        "those of the other one stay with it"
    );
    page.tell(Msg::Later);
    assert!(offered(&page).is_empty() && page.effects.is_empty());
}

#[test]
fn a_reload_has_what_can_be_undone_and_the_files_again() {
    let mut page = Page::seeded();
    let files = [data("points.csv", "1,2")];
    let (id, text) = (
        page.model.program.draft.clone(),
        page.model.program.text.clone(),
    );
    let found = |id: &str| {
        let found = (kept(id, "program.fletch", &text), own(Some("past"), &files));
        DraftsMsg::Ready(Some(Box::new(found)), Rc::new([]))
    };
    page.drafts(found("of another program"));
    assert!(page.requests().is_empty() && page.model.program.files.is_empty());
    page.drafts(found(&id));
    let remembered = Effect::Remember(text.clone(), "past".into());
    assert!(page.effects.contains(&remembered));
    let loads = page.requests();
    assert!(gives_files(&loads), "{loads:?}");
    // The worker gets no files that it has.
    page.tell(Msg::Edited("main = B".into()));
    assert!(page.requests().is_empty());
    // The page keeps a text that the database does not have.
    let mut page = Page::seeded();
    page.drafts(DraftsMsg::Ready(None, Rc::new([])));
    assert!(page.kept().is_some() && page.requests().is_empty());
}

#[test]
fn the_list_is_searched_in_names_and_texts() {
    let mut drafts = Drafts {
        all: Some(Rc::new([
            kept("1", "program.fletch", "-- A sine\nmain = ⌊sin(1)⌋"),
            kept(
                "2",
                "resnet.fletch",
                "-- ResNet\n\nop FC\nop Skip\n\nloc w\nloc v\nloc u",
            ),
        ])),
        ..Drafts::default()
    };
    for (sought, ids) in [
        ("", &["1", "2"][..]),
        ("SINE", &["1"]),
        ("skip residual", &["2"]),
        ("sine skip", &[]),
    ] {
        drafts.sought = sought.into();
        let found: Vec<&str> = drafts.found().iter().map(|kept| &*kept.id).collect();
        assert_eq!(found, ids, "{sought}");
    }
    drafts.sought = "".into();
    let glances: Vec<String> = drafts.found().iter().map(|kept| kept.glance()).collect();
    assert_eq!(glances, ["main = ⌊sin(1)⌋", "op FC\nop Skip\nloc w\nloc v"]);
}

#[test]
fn a_draft_is_named_deleted_and_put_back() {
    let mut page = Page::seeded();
    page.tell(Msg::Over(Overlay::Drafts));
    assert_eq!(page.stores(), [Store::List]);
    let here = page.model.program.draft.clone();
    let mine = kept(&here, "program.fletch", "-- Mine\nmain = ⌊7⌋");
    page.drafts(DraftsMsg::Listed(Rc::new([mine])));
    assert!(
        page.model.drafts.offer("").is_empty(),
        "what this visit wrote is offered to no one"
    );
    page.drafts(DraftsMsg::Rename(Some(here.clone())));
    assert!(page.effects.contains(&Effect::Focus("draft-name".into())));
    page.drafts(DraftsMsg::NameTyped("Lec".into()));
    let typed = page
        .model
        .drafts
        .renaming
        .as_ref()
        .map(|(_, typed)| &**typed);
    assert_eq!(typed, Some("Lec"), "and a list that comes now leaves it");
    page.drafts(DraftsMsg::Renamed("  Lecture 3 ".into()));
    assert_eq!(
        page.stores(),
        [Store::Rename(here.clone(), "Lecture 3".into())]
    );
    assert_eq!(&*page.model.program.heading(), "Lecture 3");
    assert_eq!(page.model.drafts.renaming, None);
    page.drafts(DraftsMsg::Remove(here.clone()));
    assert_eq!(page.stores(), [Store::Remove(here)]);
    assert_eq!(page.model.drafts.removed.as_deref(), Some("Mine"));
    page.drafts(DraftsMsg::PutBack);
    assert_eq!(page.stores(), [Store::PutBack]);
    assert_eq!(page.model.drafts.removed, None);
}

#[test]
fn a_draft_that_another_tab_has_changed_goes_on_as_a_copy() {
    let mut page = Page::seeded();
    page.drafts(DraftsMsg::Elsewhere("another".into()));
    assert!(!page.model.drafts.elsewhere);
    page.drafts(DraftsMsg::Elsewhere("s-1".into()));
    assert!(page.model.drafts.elsewhere);
    let copied = |from: &str| DraftsMsg::Copied(from.into(), "s-1.x".into(), "Mine (copy)".into());
    page.drafts(copied("another"));
    assert_eq!(&*page.model.program.draft, "s-1");
    page.drafts(copied("s-1"));
    assert_eq!(
        page.kept().map(|draft| (&*draft.id, &*draft.given)),
        Some(("s-1.x", "Mine (copy)"))
    );
    assert!(!page.model.drafts.elsewhere);
    let said = "This program was changed in another tab too. What you write here is kept as “Mine (copy)”.";
    assert_eq!(page.model.notice.as_deref(), Some(said));
}

#[test]
fn what_keeps_a_program_from_being_kept_is_said_until_it_is_past() {
    let mut page = Page::seeded();
    for (trouble, says) in [
        (Trouble::Full, "no room left"),
        (Trouble::Blocked, "keeps nothing for this page"),
        (Trouble::Other("it broke".into()), "is not kept: it broke."),
    ] {
        page.drafts(DraftsMsg::Failed(trouble.clone()));
        assert!(trouble.words().contains(says), "{trouble:?}");
        assert_eq!(page.model.drafts.trouble, Some(trouble));
    }
    page.drafts(DraftsMsg::Saved);
    assert_eq!(page.model.drafts.trouble, None);
    page.drafts(DraftsMsg::Failed(Trouble::Cleared));
    assert!(
        page.model
            .notice
            .as_deref()
            .unwrap()
            .contains("were cleared")
    );
}

#[test]
fn a_program_file_begins_a_draft_and_data_is_added_to_the_one_that_is_there() {
    let mut page = Page::seeded();
    page.drafts(came(&[
        ("a.csv", Ok("1".as_bytes())),
        ("B.CSV", Ok("2".as_bytes())),
    ]));
    assert_eq!(
        *page.model.program.files,
        [data("a.csv", "1"), data("B.CSV", "2")]
    );
    assert_eq!(
        page.model.notice.as_deref(),
        Some("Added a.csv, B.CSV. The program reads it by csv(\"a.csv\"), csv(\"B.CSV\").")
    );
    assert!(
        page.kept().is_some_and(|draft| draft.lasts),
        "it is worth keeping now"
    );
    assert!(matches!(page.stores()[..], [Store::Files(..)]));
    assert!(gives_files(&page.requests()));
    page.drafts(came(&[("a.csv", Ok("3".as_bytes()))]));
    assert_eq!(
        *page.model.program.files,
        [data("B.CSV", "2"), data("a.csv", "3")]
    );
    page.drafts(DraftsMsg::DropFile("B.CSV".into()));
    assert_eq!(*page.model.program.files, [data("a.csv", "3")]);

    page.drafts(came(&[("week 2.fletch", Ok("main = ⌊2⌋".as_bytes()))]));
    assert_eq!(
        (&*page.model.program.draft, &*page.model.program.heading()),
        ("s-2", "week 2")
    );
    assert_eq!(*page.model.program.files, []);
    assert!(page.kept().is_some_and(|draft| draft.lasts));

    let large = "1".repeat((8 << 20) + 1);
    let gone = || Unread::Failed("it has gone".into());
    for (name, bytes, why) in [
        (
            "big.csv",
            Ok(large.as_bytes()),
            "a file of data has at most 8 MiB",
        ),
        (
            "huge.fletch",
            Err(Unread::Large),
            "a program has at most 16 MiB",
        ),
        ("folder", Err(gone()), "it has gone"),
    ] {
        page.drafts(came(&[(name, bytes)]));
        let notice = page.model.notice.clone().unwrap();
        assert!(
            notice.starts_with(&format!("{name} was not read: {why}")),
            "{notice}"
        );
        assert_eq!(&*page.model.program.text, "main = ⌊2⌋");
    }
    // Other files of the same drop are read.
    page.drafts(came(&[
        ("a.csv", Ok("1".as_bytes())),
        ("folder", Err(gone())),
        ("b.csv", Ok("2".as_bytes())),
    ]));
    assert_eq!(
        *page.model.program.files,
        [data("a.csv", "1"), data("b.csv", "2")]
    );
    assert_eq!(
        page.model.notice.as_deref(),
        Some(
            "folder was not read: it has gone. Added a.csv, b.csv. The program reads it by csv(\"a.csv\"), csv(\"b.csv\")."
        )
    );
}

#[test]
fn the_page_reads_files_up_to_the_limit_of_programs() {
    let script = include_str!("../../drafts/files.js");
    let most = format!("const MOST = {} << 20;", PROGRAM_LIMIT >> 20);
    assert!(script.contains(&most), "{most}");
}

#[test]
fn a_file_that_is_missing_is_chosen_under_any_name_and_read_in_its_encoding() {
    let mut page = Page::seeded();
    page.drafts(DraftsMsg::ChooseAs("points.csv".into()));
    let name = Some("points.csv".into());
    assert_eq!(
        page.stores(),
        [Store::Choose(".csv,.tsv,.txt", name.clone())]
    );
    let wide: Vec<u8> = "\u{feff}1;2"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let file = |name: &str| Came {
        name: name.into(),
        bytes: Ok(wide.as_slice().into()),
    };
    page.drafts(DraftsMsg::Files(vec![file("Export (1).txt")], name));
    assert_eq!(
        page.model.notice.as_deref(),
        Some("Added Export (1).txt as points.csv. The program reads it by csv(\"points.csv\").")
    );
    let files = page.model.program.files.clone();
    let [kept] = &*files else { panic!("{files:?}") };
    assert_eq!((&*kept.name, &*kept.bytes), ("points.csv", &*wide));
    // A program in another encoding opens as its decoded text.
    page.drafts(DraftsMsg::Files(vec![file("wide.fletch")], None));
    assert_eq!(&*page.model.program.text, "1;2");
}

#[test]
fn a_file_is_data_if_the_program_reads_it_whatever_its_ending_and_however_its_name_is_spelled() {
    let mut page = Page::seeded();
    page.model.check.files = vec!["me\u{300}tres.txt".to_owned()].into();
    page.drafts(came(&[("m\u{e8}tres.txt", Ok(b"1"))]));
    page.drafts(came(&[("me\u{300}tres.txt", Ok(b"2"))]));
    assert_eq!(*page.model.program.files, [data("m\u{e8}tres.txt", "2")]);
    page.drafts(came(&[("other.txt", Ok(b"main = A"))]));
    assert_eq!(&*page.model.program.text, "main = A");
}

#[test]
fn a_program_is_saved_under_its_name_and_all_are_exported_under_theirs() {
    let mut page = Page::seeded();
    let save = Key {
        name: "s".into(),
        modified: true,
        chord: Chord::of("KeyS", true, false, false),
        focus: Focus::Editor,
    };
    page.tell(Msg::Edited("-- A/B: \"test\".\nmain = A".into()));
    let msg = shortcut(&page.model, &save).unwrap();
    page.tell(msg);
    let text = page.model.program.text.clone();
    assert_eq!(
        page.stores(),
        [Store::Save("A-B- -test.fletch".into(), text)]
    );
    for (title, stem) in [
        ("...", "program"),
        ("../x", "x"),
        ("Größe 2 (copy)", "Größe 2 (copy)"),
    ] {
        assert_eq!(file_stem(title), stem);
    }
    let all = ["-- Net", "-- net", "-- Net", ""].map(|text| kept(text, "program.fletch", text));
    page.drafts(DraftsMsg::Listed(Rc::new(all)));
    page.drafts(DraftsMsg::Export);
    let Some(Store::Export(names)) = page.stores().pop() else {
        panic!("{:?}", page.effects)
    };
    let names: Vec<&str> = names.iter().map(|(_, name)| &**name).collect();
    assert_eq!(
        names,
        [
            "Net.fletch",
            "net (2).fletch",
            "Net (3).fletch",
            "Untitled.fletch"
        ]
    );
}

#[test]
fn a_worker_that_starts_again_is_given_the_files_again() {
    let mut page = Page::seeded();
    page.drafts(came(&[("a.csv", Ok("1".as_bytes()))]));
    page.tell(Msg::WorkerFailed(WorkerId::Steps, "out of memory".into()));
    page.tell(Msg::Retry);
    assert!(gives_files(&page.requests()));
}
