//! Data sets that are read from files: their samples, and the diagnostics of a wrong or missing file. A session reads the
//! files that it was given.

use fletch_elaborate::Files;
use fletch_playground::Session;
use fletch_playground::protocol::{Ask, Checked, InputFile, Reply, Severity};
use fletch_runs::Engine;
use fletch_runs::training::{Course, Training, train};
use fletch_syntax::Diagnostic;
use fletch_trace::Budget;

const PROGRAM: &str = "loc w ∷ (3) = zeros
data points : Real(2) × Real(1) = csv(\"points.csv\")
train points as ⟨v, t⟩ for 2 epochs = let w ⇐ Get[w]() in Put[w](w + concat[2, 1, 1](v, t))
main = ⌊1⌋";

fn files(text: &str) -> Files {
    let mut files = Files::default();
    files.insert("points.csv", text.to_owned());
    files
}

fn trained(source: &str, files: &Files) -> (Training, Option<Diagnostic>) {
    let checked = fletch_ide::check_with_files(source, files);
    assert!(!checked.rejected(), "{:#?}", checked.diagnostics);
    let (engine, budget) = (Engine::Denotation, Budget::steps(100_000));
    train(
        &checked.program,
        files,
        Course {
            engine,
            epochs: None,
            budget,
            heap: &[],
            host: Some(fletch_native::host),
            halt: &|| false,
        },
        |_, _| {},
    )
}

/// Returns the error of a training that is started although the check may reject the program.
fn trained_anyhow(files: &Files) -> Diagnostic {
    let checked = fletch_ide::check_with_files(PROGRAM, files);
    let (engine, budget) = (Engine::Denotation, Budget::steps(100_000));
    let course = Course {
        engine,
        epochs: None,
        budget,
        heap: &[],
        host: Some(fletch_native::host),
        halt: &|| false,
    };
    train(&checked.program, files, course, |_, _| {}).1.unwrap()
}

/// Checks that the check gives one diagnostic, with this severity, code, message and hint, and with the name of the file as its span.
#[track_caller]
fn says(
    source: &str,
    files: &Files,
    severity: Severity,
    code: &str,
    message: &str,
    hint: Option<&str>,
) {
    let said = fletch_ide::check_with_files(source, files).diagnostics;
    let [found] = &said[..] else {
        panic!("{said:#?}")
    };
    assert_eq!((found.severity, &*found.code), (severity, code));
    assert_eq!(found.span.text(source), "\"points.csv\"");
    assert_eq!((&*found.message, found.hint.as_deref()), (message, hint));
}

#[test]
fn the_columns_of_a_file_fill_the_type_in_order() {
    for text in [
        "a,b,t\n1,2,3\n10,20,30\n",
        "1;2;3\r\n10;20;30",
        "1\t2\t3\n\n10\t20\t30",
    ] {
        let (training, stopped) = trained(PROGRAM, &files(text));
        assert_eq!(stopped, None);
        assert_eq!(training.heap[0].1.data(), [22.0, 44.0, 66.0], "{text:?}");
    }
}

#[test]
fn what_is_wrong_in_a_file_is_said_with_its_place_there() {
    let error = |text: &str, message: &str, hint: Option<&str>| {
        says(
            PROGRAM,
            &files(text),
            Severity::Error,
            "F0607",
            message,
            hint,
        );
    };
    let half = "a header has no number in it: leave this line out, or the column of texts";
    error("1,2,x\n", "points.csv:1:5: `x` is not a number", Some(half));
    let numbers = "a file has numbers only, below a first line without any";
    error(
        "1,2,3\n1,2,x\n",
        "points.csv:2:5: `x` is not a number",
        Some(numbers),
    );
    error(
        "1,2,3\n1,,3\n1,2,3,4",
        "points.csv:2:3: a number is missing: field 2 is empty",
        Some(
            "a data set has no missing values: leave the line out, or write a number; one more place of the file is wrong",
        ),
    );
    error(
        "1,2,3\n1,2",
        "points.csv:2:1: this line has 2 fields, line 1 has 3",
        None,
    );
    let end = Some("end all lines of the file in a separator, or none");
    error(
        "1;2;3;\n1;2;3\n",
        "points.csv:2:1: this line does not end in `;`, line 1 does",
        end,
    );
    error(
        "a,b,t\n1,2,3\n1,2,3,\n",
        "points.csv:3:1: this line ends in `,`, line 2 does not",
        end,
    );
    // The type of the samples needs the empty column, so the column is not left out.
    error(
        "1;2;\n1;2;\n",
        "points.csv:1:5: a number is missing: field 3 is empty",
        Some("a data set has no missing values: leave the line out, or write a number"),
    );
    let order = "the columns fill the type in order";
    error(
        "1,2\n",
        "points.csv:1:1: a line has 2 fields, and a sample takes 3",
        Some(order),
    );
    error(
        "1.5;2;3,5",
        "points.csv:1:7: `3,5` has a decimal comma, and a number of line 1 a decimal point",
        Some("write all numbers with a point, or all with a comma, and thousands without a mark"),
    );
    error(
        "",
        "points.csv:1:1: there are no samples",
        Some("a file has numbers in lines, below a first line without any"),
    );
}

#[test]
fn what_is_left_out_of_a_file_is_a_hint() {
    let hint = |text: &str, message: &str| {
        says(
            PROGRAM,
            &files(text),
            Severity::Hint,
            "F0610",
            message,
            None,
        );
    };
    hint(
        "a,b,t\n1,2,3\n",
        "`points.csv`: line 1 is left out as a header, `a, b, t`",
    );
    hint(
        "1;2;3;\n1;2;3;\n",
        "`points.csv`: column 4 is left out, as it is empty in every line",
    );
    hint(
        "a;b;t;;\n1;2;3;;\n",
        "`points.csv`: line 1 is left out as a header, `a, b, t`; columns 4 to 5 are left out, as they are empty in every line",
    );
    hint(
        "1,2,3\n\n1,2,3\n",
        "`points.csv`: line 2 is left out, as it is blank",
    );
    hint(
        "a,b,t\n\n1,2,3\n\n1,2,3\n",
        "`points.csv`: line 1 is left out as a header, `a, b, t`; 2 blank lines are left out, the first is line 2",
    );
    assert_eq!(
        fletch_ide::check_with_files(PROGRAM, &files("1,5;2;3\n")).diagnostics,
        []
    );
}

#[test]
fn a_file_that_cannot_be_read_is_not_missing() {
    let error = |files: &Files, message: &str, hint: Option<&str>| {
        says(PROGRAM, files, Severity::Error, "F0607", message, hint);
        let stopped = trained_anyhow(files);
        assert_eq!((&*stopped.code, &*stopped.message), ("F0607", message));
    };
    let mut unreadable = Files::default();
    unreadable.insert_unreadable("points.csv", "it is a folder".to_owned());
    error(
        &unreadable,
        "points.csv: the file cannot be read: it is a folder",
        None,
    );
    let mut large = Files::default();
    large.insert_bytes("points.csv", &vec![b'1'; (8 << 20) + 1]);
    let part = Some("take a part of the file");
    error(&large, "points.csv: the file has more than 8 MiB", part);
    let faulty = files("1,2,\"3");
    error(
        &faulty,
        "points.csv:1:5: this quotation mark is not closed",
        None,
    );
    let mut wide = Files::default();
    let bytes = "\u{feff}1,5;2;3\r10;20;30".encode_utf16();
    let bytes: Vec<u8> = bytes.flat_map(u16::to_le_bytes).collect();
    wide.insert_bytes("points.csv", &bytes);
    assert_eq!(
        trained(PROGRAM, &wide).0.heap[0].1.data(),
        [23.0, 44.0, 66.0]
    );
}

#[test]
fn names_of_files_are_compared_in_nfc() {
    let (composed, decomposed) = ("größe.csv", "gro\u{308}ße.csv");
    for (own, other) in [(composed, decomposed), (decomposed, composed)] {
        let mut files = Files::default();
        files.insert(own, "1,2,3".to_owned());
        let source = PROGRAM.replace("points.csv", other);
        assert_eq!(
            fletch_ide::check_with_files(&source, &files).diagnostics,
            []
        );
    }
}

#[test]
fn a_file_that_is_not_there_is_a_warning_until_something_is_trained() {
    let none = Files::default();
    let message = "there is no file `points.csv`, so the data set has no samples";
    let hint = "the command line reads a file that lies beside the program; in the page, add it to the program";
    says(
        PROGRAM,
        &none,
        Severity::Warning,
        "F0606",
        message,
        Some(hint),
    );
    let stopped = trained(PROGRAM, &none).1.unwrap();
    assert_eq!(
        (&*stopped.code, stopped.span.text(PROGRAM)),
        ("F0606", "\"points.csv\"")
    );
    // A check without files reports nothing about missing files.
    assert_eq!(fletch_ide::check(PROGRAM).diagnostics, []);
}

fn loaded(session: &mut Session, revision: u32) -> Checked {
    match session.ask(revision, Ask::load(PROGRAM)) {
        Reply::Checked(checked) => checked,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_session_reads_the_files_that_it_was_given() {
    let mut session = Session::new(Budget::steps(1000));
    let codes = |checked: Checked| -> Vec<String> {
        checked
            .diagnostics
            .into_iter()
            .map(|found| found.code)
            .collect()
    };
    assert_eq!(codes(loaded(&mut session, 1)), ["F0606"]);
    for (revision, text, expected) in [(2, "1,2,3", None), (3, "1,2,", Some("F0607"))] {
        let files = vec![InputFile {
            name: "points.csv".to_owned(),
            bytes: text.as_bytes().to_vec(),
        }];
        assert_eq!(session.ask(1, Ask::Files(files)), Reply::Taken);
        assert_eq!(codes(loaded(&mut session, revision)), expected.as_slice());
    }
}
