//! `fletch tour`: prints lessons for a terminal or as a page, checks lessons against their rules, and grades hand-ins.

mod page;
mod words;

use crate::answer::{REJECTED, USAGE, complain, print_json, refuse};
use crate::explain::{Style, text};
use crate::lessons;
use fletch_smooth::counted;
use fletch_tour::{
    Answered, Asking, BUDGET, Block, Graded, HandedIn, Inline, Lesson, Listing, Target, Tour,
    grade, plain, verify,
};
use page::Page;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::ExitCode;
use std::rc::Rc;
use words::{ENGLISH, Words};

/// The arguments of `fletch tour`.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
    /// The lesson to read: its number or name; without one, all are listed.
    lesson: Option<String>,
    /// Compute the answers to its predictions, and say them.
    #[arg(long, requires = "lesson")]
    answers: bool,
    /// Print a page in HTML that needs no other file; without a lesson, one with all of them. Answers, hints and solutions are folded.
    #[arg(long, conflicts_with = "answers")]
    html: bool,
    /// The address of the site that links of that page lead to, `https://example.org/fletch/`; relative (`../../`) for a page of the site itself.
    #[arg(long, value_name = "ADDRESS", requires = "html", value_parser = site)]
    base: Option<String>,
    /// The language, by its code: lessons that are translated have it (`de`).
    #[arg(long, value_name = "LANGUAGE", requires = "lesson", value_parser = words::words)]
    lang: Option<&'static Words>,
    /// Print the result as JSON; of a lesson, what the live page needs of it, with --html the contents of the page.
    #[arg(long)]
    json: bool,
}

/// The address of a site, with a slash at its end.
fn site(address: &str) -> Result<String, String> {
    let is_relative = ["./", "../", "/"]
        .iter()
        .any(|begin| address.starts_with(begin));
    // A relative address may have the characters of an absolute one.
    match is_relative {
        true => fletch_link::base(&format!("https://site/{address}"))?,
        false => fletch_link::base(address)?,
    };
    Ok(format!("{}/", address.trim_end_matches('/')))
}

#[derive(clap::Subcommand)]
enum Task {
    /// Hold lessons to their rules: every number computed again, every start failing, every solution passing, every mistake recognised.
    Check {
        /// A folder of lessons, or one lesson; else the tour of Fletch.
        folder: Option<String>,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Check hand-ins again, whatever verdicts they have: a line of CSV for each, exit code 1 if a verdict is not what its text gets.
    Grade {
        /// The files.
        #[arg(required = true)]
        files: Vec<String>,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
}

impl Arguments {
    /// True if standard output gets JSON.
    pub(crate) fn prints_json(&self) -> bool {
        match &self.task {
            Some(Task::Check { json, .. } | Task::Grade { json, .. }) => *json,
            None => self.json,
        }
    }
}

pub(crate) fn run(arguments: Arguments) -> ExitCode {
    match arguments.task {
        Some(Task::Check { folder, json }) => check(folder.as_deref(), json),
        Some(Task::Grade { files, json }) => graded(&files, json),
        None => {
            let Some(tour) = lessons::own() else {
                return ExitCode::from(USAGE);
            };
            let words = arguments.lang.unwrap_or(ENGLISH);
            let lesson = match &arguments.lesson {
                Some(asked) => match in_language(&tour, asked, words) {
                    None => return ExitCode::from(USAGE),
                    found => found,
                },
                None => None,
            };
            let shown = match lesson {
                lesson if arguments.html => {
                    let base = arguments.base.as_deref();
                    print_page(&tour, lesson.as_ref(), words, base, arguments.json)
                }
                Some(lesson) => show(&lesson, words, arguments.answers, arguments.json),
                None => {
                    list(&tour, arguments.json);
                    Ok(())
                }
            };
            match shown {
                Ok(()) => ExitCode::SUCCESS,
                Err(fault) => {
                    complain(fault);
                    ExitCode::from(REJECTED)
                }
            }
        }
    }
}

/// The lesson with this number or name, in a language. A missing lesson or translation is reported, and gives `None`.
fn in_language(tour: &Tour, asked: &str, words: &Words) -> Option<Rc<Lesson>> {
    let lesson = lessons::lesson(tour, asked)?;
    if words.language == ENGLISH.language {
        return Some(lesson);
    }
    match lesson.translated(words.language) {
        Ok(translated) => Some(Rc::new(translated)),
        Err(faults) => {
            complain(format!("{}: {}", lesson.name, faults.join("; ")));
            None
        }
    }
}

/// Prints a page with one lesson, or with all lessons.
fn print_page(
    tour: &Tour,
    lesson: Option<&Rc<Lesson>>,
    words: &Words,
    base: Option<&str>,
    json: bool,
) -> Result<(), String> {
    let page = match lesson {
        Some(lesson) => Page::of(tour, lesson, words, base)?,
        None => Page::of_all(tour, base)?,
    };
    match json {
        true => print_json(&page.parts()),
        false => say!("{}", page.document()),
    }
    Ok(())
}

/// Prints the list of all lessons with their minutes, and the tracks.
fn list(tour: &Tour, json: bool) {
    if json {
        print_json(&json!(Listing::of(tour)));
        return;
    }
    let mut lines = Vec::new();
    for part in &tour.parts {
        lines.push(format!("{}. {}", part.title, part.says));
        for lesson in tour
            .lessons
            .iter()
            .filter(|lesson| lesson.front.part == part.title)
        {
            let front = &lesson.front;
            lines.push(format!(
                "{:>4}  {:<34} {:>3} min  {}, {}",
                lesson.number,
                front.title,
                front.minutes,
                counted(front.predictions.len(), "prediction"),
                counted(front.exercises.len(), "exercise"),
            ));
        }
        lines.push(String::new());
    }
    for track in &tour.tracks {
        let numbers = track.lessons.iter();
        let numbers = numbers.filter_map(|name| tour.lesson(name));
        let numbers: Vec<String> = numbers.map(|lesson| lesson.number.to_string()).collect();
        lines.push(format!(
            "{}: {}. {}",
            track.title,
            numbers.join(", "),
            track.says
        ));
    }
    lines.push(
        "\nRead one with `fletch tour 1`; begin an exercise with `fletch exercise start 1 third`."
            .to_owned(),
    );
    lines.push(
        "On a terminal the tabs of the page are commands: Steps `fletch trace`, Diagram `fletch diagram`, Train `fletch train` (Check the gradient: \
         `--check`), Compare `fletch equal`, total reading `fletch run --mode total`, Share `fletch export`."
            .to_owned(),
    );
    say!("{}", lines.join("\n"));
}

/// Prints a lesson as text for a terminal, or as the JSON that the live page needs.
fn show(lesson: &Rc<Lesson>, words: &Words, answers: bool, json: bool) -> Result<(), String> {
    let answers = match answers {
        true => (1..=lesson.front.predictions.len())
            .map(|number| answered(lesson, number))
            .collect::<Result<Vec<_>, _>>()?,
        false => Vec::new(),
    };
    if json {
        let mut sheet = json!(lesson.for_page());
        if let (Json::Object(sheet), false) = (&mut sheet, answers.is_empty()) {
            let answers = answers.iter().map(|answered| {
                json!({
                    "answer": answered.text(),
                    "because": answered.because(),
                    "choice": answered.right_choices().first(),
                })
            });
            sheet.insert("answers".to_owned(), answers.collect());
        }
        print_json(&sheet);
        return Ok(());
    }
    let front = &lesson.front;
    let mut markdown = format!(
        "**{}. {}**\n\n{}\n\n",
        lesson.number, front.title, front.claim
    );
    let mut fences = format!("```\n{}```\n\n", lesson.program());
    let steps = lesson.for_page().places.marks;
    let plain = |inlines: &[Inline]| plain(&numbered(inlines, &steps, words));
    for block in &lesson.text {
        let _ = match block {
            Block::Paragraph(inlines) => write!(markdown, "{}\n\n", plain(inlines)),
            Block::List(items) => items
                .iter()
                .try_for_each(|item| write!(markdown, "• {}\n\n", plain(item))),
            Block::Code(code) => write!(markdown, "```\n{code}\n```\n\n"),
            Block::Predict(number, inlines) => {
                let question = plain(inlines);
                let written = write!(markdown, "**{}** {question}\n\n", words.predict);
                let prediction = front.predictions.get(number.saturating_sub(1));
                let choices = prediction.map_or(&[][..], |prediction| &prediction.choices);
                for (at, choice) in choices.iter().enumerate() {
                    let _ = write!(markdown, "{}. {}\n\n", at + 1, choice.says);
                }
                if let Some(answered) = answers.get(number.saturating_sub(1)) {
                    let (answer, because) = (answered.text(), answered.because());
                    let _ = write!(markdown, "**{}: {answer}**\n\n{because}\n\n", words.answer);
                }
                written
            }
            Block::Exercise(title) => {
                // The program comes before the first exercise.
                markdown.push_str(&std::mem::take(&mut fences));
                let mut exercises = front.exercises.iter();
                let id = exercises.find(|exercise| exercise.title == *title);
                let id = id.map_or("", |exercise| &exercise.id);
                let number = lesson.number;
                write!(
                    markdown,
                    "**{}: {title}** `fletch exercise start {number} {id}`\n\n",
                    words.exercise
                )
            }
        };
    }
    markdown.push_str(&fences);
    say!("{}", text(&markdown, Style::of_output()));
    Ok(())
}

/// Adds to each link to a bookmark the number of its step, for use with `fletch trace`.
fn numbered(inlines: &[Inline], steps: &BTreeMap<String, u32>, words: &Words) -> Vec<Inline> {
    let piece = |inline: &Inline| match inline {
        Inline::Link(Target::Step(id), inner) => {
            let mut pieces = inner.clone();
            // A position counts the steps before it, so the step after position 0 is step 1.
            let number = steps.get(id).map(|position| position + 1);
            pieces.extend(number.map(|number| Inline::Text(format!(" ({} {number})", words.step))));
            pieces
        }
        other => vec![other.clone()],
    };
    inlines.iter().flat_map(piece).collect()
}

/// The computed answer to a prediction.
///
/// # Errors
/// The reason why there is no answer, with the lesson and the number.
fn answered(lesson: &Rc<Lesson>, number: usize) -> Result<Answered, String> {
    let asking = Asking::new(lesson.clone(), number, BUDGET);
    let asking = asking.map(|asking| asking.with_host(Some(fletch_native::host)));
    let came = asking.and_then(|mut asking| asking.advance(&|| true));
    let came = came.unwrap_or_else(|| Err("there is no such prediction".to_owned()));
    came.map_err(|why| format!("{}, prediction {number}: {why}", lesson.name))
}

fn check(folder: Option<&str>, json: bool) -> ExitCode {
    let tour = match folder {
        None => lessons::own(),
        Some(folder) => lessons::of(folder),
    };
    let Some(tour) = tour else {
        return ExitCode::from(USAGE);
    };
    let mut reports = Vec::new();
    let mut faults = 0;
    for lesson in &tour.lessons {
        let report = verify(lesson);
        faults += report.problems.len();
        let name = match lesson.name.as_str() {
            "" => lesson.front.title.as_str(),
            name => name,
        };
        if json {
            let counts = report.counts;
            reports.push(json!({
                "lesson": name,
                "problems": report.problems,
                "words": report.words,
                "predictions": counts.predictions,
                "exercises": counts.exercises,
                "mistakes": counts.mistakes,
                "also": counts.also,
                "facts": counts.facts,
                "marks": counts.marks,
            }));
        } else {
            let counts = report.counts;
            let state = if report.problems.is_empty() {
                "ok"
            } else {
                "FAILS"
            };
            say!(
                "{state:<5}  {name}: {} words, {}, {}, {}",
                report.words,
                counted(counts.predictions, "prediction"),
                counted(counts.exercises, "exercise"),
                counted(counts.mistakes, "mistake"),
            );
            for problem in &report.problems {
                say!("       {problem}");
            }
        }
    }
    if json {
        print_json(&Json::Array(reports));
    } else {
        say!(
            "{}, {}",
            counted(tour.lessons.len(), "lesson"),
            counted(faults, "problem")
        );
    }
    ExitCode::from(if faults > 0 { REJECTED } else { 0 })
}

fn graded(files: &[String], json: bool) -> ExitCode {
    let Some(tour) = lessons::own() else {
        return ExitCode::from(USAGE);
    };
    let mut all = Vec::new();
    for file in files {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) => return refuse(format!("cannot read {file}: {error}")),
        };
        let handed: Result<HandedIn, _> = serde_json::from_str(&text);
        let graded = handed
            .map_err(|error| format!("it is no hand-in of the tour: {error}"))
            .and_then(|handed| grade(&tour, &handed));
        match graded {
            Ok(graded) => all.push((file, graded)),
            Err(message) => return refuse(format!("{file}: {message}")),
        }
    }
    let forged = all.iter().any(|(_, graded)| !graded.forged.is_empty());
    if json {
        let entry = |(file, graded): &(&String, Graded)| {
            let mut entry = json!(graded);
            if let Json::Object(entry) = &mut entry {
                entry.insert("file".to_owned(), json!(file));
            }
            entry
        };
        print_json(&Json::Array(all.iter().map(entry).collect()));
    } else {
        say!(
            "file,name,predictions,of predictions,exercises,of exercises,not proved,solution seen,forged,unknown"
        );
        for (file, graded) in &all {
            let names = [
                &graded.unproved,
                &graded.seen,
                &graded.forged,
                &graded.unknown,
            ];
            let names = names.map(|names| cell(&names.join(" ")));
            say!(
                "{},{},{},{},{},{},{}",
                cell(file),
                cell(&graded.name),
                graded.predictions.0,
                graded.predictions.1,
                graded.exercises.0,
                graded.exercises.1,
                names.join(",")
            );
        }
    }
    ExitCode::from(if forged { REJECTED } else { 0 })
}

/// Formats a cell of CSV. A text that a spreadsheet would take for a formula gets a leading quote.
fn cell(text: &str) -> String {
    let text = match text.starts_with(['=', '+', '-', '@']) {
        true => format!("'{text}"),
        false => text.to_owned(),
    };
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn cells_are_quoted_where_csv_needs_it() {
        for (text, quoted) in [
            ("Ada", "Ada"),
            ("Lovelace, Ada", "\"Lovelace, Ada\""),
            ("a \"b\"", "\"a \"\"b\"\"\""),
            ("=1+1", "'=1+1"),
        ] {
            assert_eq!(cell(text), quoted);
        }
    }
}
