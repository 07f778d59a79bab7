//! Rules for lessons: every number is computed again, every start fails, every solution passes, every mistake is recognised.
//! `fletch tour check` and the tests of the project apply the same rules.

use crate::BUDGET;
use crate::ask::answer;
use crate::attempt::{Attempt, files_alike};
use crate::blocks::{Block, Inline, Target, each, plain};
use crate::checks::Check;
use crate::findings::Findings;
use crate::lesson::{Exercise, Fact, Front, Lesson};
use crate::predict::{Asking, entries, same};
use crate::question::{Answer, Question, StepLike};
use crate::sheet::places;
use crate::steps;
use crate::text::items;
use fletch_syntax::{Severity, Spelling};
use std::rc::Rc;

/// Minimum and maximum number of words of a text, exercises included.
const WORDS: [usize; 2] = [120, 420];

/// Numbers of the things that were checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Predictions.
    pub predictions: usize,
    /// Exercises.
    pub exercises: usize,
    /// Known mistakes.
    pub mistakes: usize,
    /// Other right answers.
    pub also: usize,
    /// Facts of the text.
    pub facts: usize,
    /// Bookmarks.
    pub marks: usize,
}

/// The faults of a lesson, and the amount that was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// A sentence for each fault.
    pub problems: Vec<String>,
    /// Number of words of the text.
    pub words: usize,
    /// Numbers of the things that were checked.
    pub counts: Counts,
}

/// Checks a lesson against all rules.
pub fn verify(lesson: &Lesson) -> Report {
    let front = &lesson.front;
    let exercises = || front.exercises.iter();
    let mut verifying = Verifying {
        lesson: Rc::new(lesson.clone()),
        problems: Vec::new(),
    };
    let words = verifying.text();
    verifying.translations();
    verifying.programs();
    verifying.facts();
    verifying.marks();
    verifying.ways();
    verifying.predictions();
    for exercise in exercises() {
        verifying.exercise(exercise);
    }
    Report {
        problems: verifying.problems,
        words,
        counts: Counts {
            predictions: front.predictions.len(),
            exercises: front.exercises.len(),
            mistakes: exercises().map(|exercise| exercise.mistakes.len()).sum(),
            also: exercises().map(|exercise| exercise.also.len()).sum(),
            facts: front.facts.len(),
            marks: front.marks.len(),
        },
    }
}

struct Verifying {
    lesson: Rc<Lesson>,
    problems: Vec<String>,
}

impl Verifying {
    fn bad(&mut self, problem: String) {
        self.problems.push(problem);
    }

    /// Checks the length, headings, links and decimal numbers of the text. Returns its number of words.
    fn text(&mut self) -> usize {
        let lesson = self.lesson.clone();
        let prose = prose(&lesson.text);
        let words = prose.split_whitespace();
        let words = words.filter(|word| word.contains(char::is_alphanumeric));
        let words = words.count();
        let [least, most] = WORDS;
        if !(least..=most).contains(&words) {
            self.bad(format!(
                "the text has {words} words; lessons have {least} to {most}"
            ));
        }
        let titles: Vec<&str> = lesson.text.iter().filter_map(exercise_title).collect();
        let exercises = lesson.front.exercises.iter();
        let known: Vec<&str> = exercises.map(|exercise| exercise.title.as_str()).collect();
        if titles != known {
            self.bad(format!(
                "the text has the exercises {titles:?}, the front matter {known:?}"
            ));
        }
        let asked = lesson.text.iter();
        let asked = asked.filter(|block| matches!(block, Block::Predict(..)));
        let (asked, answered) = (asked.count(), lesson.front.predictions.len());
        if asked != answered {
            self.bad(format!(
                "the text has {asked} predictions, the front matter {answered}"
            ));
        }
        for sentence in sentences(&lesson.front) {
            if let Err(fault) = crate::markdown::words(sentence) {
                self.bad(format!("{fault}: {sentence}"));
            }
        }
        let mut links = Vec::new();
        each(&lesson.text, &mut |inline| {
            if let Inline::Link(target, _) = inline {
                links.push(target);
            }
        });
        for target in links {
            let fault = match target {
                Target::Step(id) => lesson.front.marks.iter().all(|mark| mark.id != *id),
                Target::View(tab) => !TABS.contains(&tab.as_str()),
                Target::Code(code) => fletch_ide::codes::page(code).is_none(),
                Target::Page(path) => !path.starts_with('/'),
            };
            if fault {
                self.bad(format!("{target:?} leads nowhere"));
            }
        }
        for number in decimals(&prose) {
            if !self.is_computed(&number) {
                self.bad(format!("{number} is in the text, and nothing computes it"));
            }
        }
        words
    }

    /// Checks the translations: each must have all words, the same links as the lesson, and the words of its facts.
    fn translations(&mut self) {
        let lesson = self.lesson.clone();
        for language in lesson.languages() {
            let mut problems = Vec::new();
            match lesson.translated(language) {
                Err(faults) => problems.extend(faults),
                Ok(translated) => {
                    if targets(&lesson.text) != targets(&translated.text) {
                        problems.push("its links are others".to_owned());
                    }
                    let text = said(&translated);
                    let facts = lesson.front.facts.iter().filter(|fact| fact.is_in_text);
                    let missing = facts.filter(|fact| !text.contains(&bare(&fact.says)));
                    problems
                        .extend(missing.map(|fact| format!("`{}` is not in the text", fact.says)));
                    let mut verifying = Verifying {
                        lesson: Rc::new(translated),
                        problems: Vec::new(),
                    };
                    verifying.text();
                    problems.extend(verifying.problems);
                }
            }
            let problems = problems.into_iter();
            self.problems
                .extend(problems.map(|problem| format!("{language}.md: {problem}")));
        }
    }

    /// True if a decimal number of the text occurs in the program, a fact, a prediction or a check.
    fn is_computed(&self, number: &str) -> bool {
        let front = &self.lesson.front;
        let own = |answer: &Answer| {
            let shown = |entry: &f64| fletch_print::numbers::clean(entry.abs()) == *number;
            entries(answer).is_some_and(|entries| entries.iter().any(shown))
        };
        let predicted = front.predictions.iter().any(|prediction| {
            let slips = prediction.slips.iter().map(|slip| &slip.is);
            let mut numbers = slips.chain(&prediction.is);
            numbers.any(own) || prediction.of.main.as_deref().unwrap_or("").contains(number)
        });
        let stated = front.facts.iter().any(|fact| {
            let main = fact.of.main.as_deref().unwrap_or("");
            let file = fact
                .of
                .file
                .as_deref()
                .and_then(|file| self.lesson.file(file));
            let texts = [&*fact.says, main, file.unwrap_or("")];
            texts.iter().any(|text| text.contains(number))
        });
        let mut checked = front.exercises.iter();
        let checked = checked.any(|exercise| format!("{:?}", exercise.checks).contains(number));
        predicted || stated || checked || self.lesson.program().contains(number)
    }

    /// Checks the diagnostics of the program, and the layout and use of every file.
    fn programs(&mut self) {
        let lesson = self.lesson.clone();
        let checked = Findings::new(BUDGET).checked(lesson.program());
        let found = checked.diagnostics.iter();
        let found = found.filter(|found| found.severity != Severity::Hint);
        let mut codes: Vec<&str> = found.map(|found| found.code.as_str()).collect();
        codes.sort_unstable();
        codes.dedup();
        let mut wanted = lesson.front.diagnostics.clone();
        wanted.sort();
        if codes != wanted {
            self.bad(format!("the program gives {codes:?}, not {wanted:?}"));
        }
        let named = lesson.named();
        for (file, text) in &lesson.files {
            if !named.contains(&file.as_str()) {
                self.bad(format!("{file} is used by nothing"));
            }
            let symbols = fletch_smooth::symbols();
            if let Ok(laid_out) = fletch_syntax::format(text, Spelling::Unicode, symbols)
                && laid_out != *text
            {
                self.bad(format!("{file} is not laid out as `fletch fmt` does"));
            }
        }
    }

    fn ask(&self, question: &Question) -> Result<Answer, String> {
        let mut findings = Findings::new(BUDGET);
        loop {
            match answer(question, &self.lesson, &mut findings) {
                Ok(answer) => return answer,
                Err(_) => findings.advance(&|| true),
            };
        }
    }

    fn facts(&mut self) {
        let lesson = self.lesson.clone();
        let text = said(&lesson);
        for fact in &lesson.front.facts {
            if fact.is_in_text && !text.contains(&bare(&fact.says)) {
                self.bad(format!("fact `{}` is not in the text", fact.says));
            }
            match self.ask(&fact.of) {
                Ok(found) if holds(fact, &found) => {}
                Ok(found) => self.bad(format!("fact `{}` is {found:?}", fact.says)),
                Err(message) => self.bad(format!("fact `{}`: {message}", fact.says)),
            }
        }
    }

    /// True if the run of the lesson's program has a step of this description.
    fn has_step(&self, like: &StepLike) -> bool {
        let mut findings = Findings::new(BUDGET);
        loop {
            match findings.trace(self.lesson.program()) {
                Ok(trace) => {
                    return trace.is_ok_and(|trace| steps::meant(&trace, like).is_some());
                }
                Err(_) => findings.advance(&|| true),
            };
        }
    }

    fn marks(&mut self) {
        let lesson = self.lesson.clone();
        for mark in &lesson.front.marks {
            if !self.has_step(&mark.step) {
                self.bad(format!("bookmark {}: there is no such step", mark.id));
            }
            let mut used = false;
            each(&lesson.text, &mut |inline| {
                let target = Target::Step(mark.id.clone());
                used |= matches!(inline, Inline::Link(found, _) if *found == target);
            });
            if !used {
                self.bad(format!("bookmark {} is not used", mark.id));
            }
        }
    }

    /// Reports bookmarks that lead nowhere: a prediction after such a bookmark holds the run before the bookmark's step.
    fn ways(&mut self) {
        let lesson = self.lesson.clone();
        let places = places(&lesson);
        for (at, block) in lesson.text.iter().enumerate() {
            let Block::Predict(number, _) = block else {
                continue;
            };
            let held = number.checked_sub(1).and_then(|at| places.holds.get(at));
            let Some(Some(held)) = held else { continue };
            let mut barred = Vec::new();
            let (before, _) = lesson.text.split_at(at);
            each(before, &mut |inline| {
                if let Inline::Link(Target::Step(id), _) = inline
                    && places.marks.get(id).is_some_and(|place| place > held)
                {
                    barred.push(id.clone());
                }
            });
            for id in barred {
                self.bad(format!("bookmark {id} stands before prediction {number}, which holds the run before its step"));
            }
        }
    }

    fn predictions(&mut self) {
        let lesson = self.lesson.clone();
        for (at, prediction) in lesson.front.predictions.iter().enumerate() {
            let number = at + 1;
            if let Some(before) = &prediction.before
                && !self.has_step(before)
            {
                self.bad(format!(
                    "prediction {number}: the run is held before no step"
                ));
            }
            let asking = Asking::new(lesson.clone(), number, BUDGET);
            let answered = asking.and_then(|mut asking| asking.advance(&|| true));
            let answered = match answered {
                Some(Ok(answered)) => answered,
                Some(Err(message)) => {
                    self.bad(format!("prediction {number}: {message}"));
                    continue;
                }
                None => continue,
            };
            let answer = answered.answer();
            if prediction.choices.is_empty() {
                match &prediction.is {
                    None => self.bad(format!("prediction {number} has no `is` ({answer:?})")),
                    Some(is) if !same(is, answer) => {
                        self.bad(format!("prediction {number}: it is {answer:?}, not {is:?}"));
                    }
                    Some(_) => {}
                }
                if prediction.because.is_none() {
                    self.bad(format!("prediction {number} says nothing once it is right"));
                }
                for slip in prediction
                    .slips
                    .iter()
                    .filter(|slip| same(&slip.is, answer))
                {
                    self.bad(format!("prediction {number}: slip {:?} is right", slip.is));
                }
            } else {
                let right = answered.right_choices();
                if right.len() != 1 {
                    self.bad(format!(
                        "prediction {number}: {answer:?} is the answer of {} choices",
                        right.len()
                    ));
                }
            }
        }
    }

    fn exercise(&mut self, exercise: &Exercise) {
        let id = &exercise.id;
        let lesson = self.lesson.clone();
        let verdict = |file: &str| {
            let text = lesson.file(file).unwrap_or("");
            let attempt = Attempt::new(lesson.clone(), id, text, BUDGET);
            attempt.and_then(|mut attempt| attempt.verdict_now())
        };
        if verdict(&exercise.start).is_none_or(|verdict| verdict.is_done()) {
            self.bad(format!("{id}: the start passes already"));
        }
        for file in [&exercise.solution].into_iter().chain(&exercise.also) {
            match verdict(file) {
                Some(verdict) if verdict.is_done() => {}
                Some(verdict) => self.bad(format!(
                    "{id}: {file} is right, and fails check {} ({}): {}",
                    verdict.check, verdict.kind, verdict.says
                )),
                None => self.bad(format!("{id}: {file} has no verdict")),
            }
        }
        // A missing item would count as kept in every program.
        let begun = Findings::new(BUDGET).checked(lesson.file(&exercise.start).unwrap_or(""));
        for check in &exercise.checks {
            let Check::Keep { items: kept } = check else {
                continue;
            };
            for name in kept.iter().filter(|name| items(&begun, name).is_empty()) {
                self.bad(format!("{id}: the start has no `{name}` to keep"));
            }
        }
        let mut known = vec![exercise.start.as_str()];
        for mistake in &exercise.mistakes {
            let file = mistake.file.as_str();
            let like = known
                .iter()
                .find(|other| files_alike(&lesson, exercise, [file, other]));
            if let Some(other) = like {
                self.bad(format!("{id}: {file} cannot be told from {other}"));
            }
            known.push(file);
            match verdict(file) {
                Some(verdict) if verdict.is_done() => {
                    self.bad(format!("{id}: {file} passes, and is a mistake"));
                }
                Some(verdict) if verdict.slip.as_deref() != Some(mistake.name()) => {
                    self.bad(format!("{id}: {file} is not recognised: {}", verdict.says));
                }
                _ => {}
            }
        }
        if exercise.mistakes.len() < 2 {
            self.bad(format!("{id}: fewer than two known mistakes"));
        }
        if exercise.hints.is_empty() {
            self.bad(format!("{id}: no hint"));
        }
        if !self.is_anchored(exercise) {
            self.bad(format!("{id}: the solution is compared with itself alone"));
        }
    }

    /// True if something other than the solution determines the right result.
    fn is_anchored(&self, exercise: &Exercise) -> bool {
        let mut checks = exercise.checks.iter();
        let itself = checks.any(|check| matches!(check, Check::Run { .. }));
        let mut checks = exercise.checks.iter();
        let otherwise = checks.any(|check| {
            matches!(
                check,
                Check::Gradient { .. } | Check::Arrow { .. } | Check::ComesTo { .. }
            )
        });
        let mut facts = self.lesson.front.facts.iter();
        let stated = facts.any(|fact| fact.of.file.as_ref() == Some(&exercise.solution));
        !itself || otherwise || stated || !exercise.also.is_empty()
    }
}

/// Tabs that a text may link to.
const TABS: [&str; 5] = ["steps", "diagram", "train", "types", "compare"];

fn exercise_title(block: &Block) -> Option<&str> {
    match block {
        Block::Exercise(title) => Some(title),
        _ => None,
    }
}

/// Text of the blocks for counting words. Each piece of code becomes the single word `x`.
fn prose(blocks: &[Block]) -> String {
    let mut text = String::new();
    let mut add = |inlines: &[Inline]| {
        let plain = plain(inlines);
        // Every second part was between backticks.
        let parts = plain.split('`').enumerate();
        let parts = parts.map(|(at, part)| if at % 2 == 1 { "x" } else { part });
        text.push_str(&parts.collect::<String>());
        text.push('\n');
    };
    for block in blocks {
        match block {
            Block::Paragraph(inlines) | Block::Predict(_, inlines) => add(inlines),
            Block::List(items) => items.iter().for_each(|item| add(item)),
            Block::Exercise(title) => add(&[Inline::Text(title.clone())]),
            Block::Code(_) => {}
        }
    }
    text
}

/// All words of a lesson: its text, and the words of its predictions and exercises.
fn said(lesson: &Lesson) -> String {
    let mut text = String::new();
    for block in &lesson.text {
        let inlines = match block {
            Block::Paragraph(inlines) | Block::Predict(_, inlines) => plain(inlines),
            Block::List(items) => items.iter().map(|item| plain(item)).collect(),
            Block::Exercise(title) | Block::Code(title) => title.clone(),
        };
        text.push_str(&format!("{inlines}\n"));
    }
    for sentence in sentences(&lesson.front) {
        text.push_str(&format!("{sentence}\n"));
    }
    bare(&text)
}

/// Targets of the links of a text, sorted: another language may have its sentences in another order.
fn targets(blocks: &[Block]) -> Vec<String> {
    let mut targets = Vec::new();
    each(blocks, &mut |inline| {
        if let Inline::Link(target, _) = inline {
            targets.push(format!("{target:?}"));
        }
    });
    targets.sort();
    targets
}

/// The sentences of the front matter that a reader sees.
fn sentences(front: &Front) -> Vec<&String> {
    let mut sentences = vec![&front.claim];
    for prediction in &front.predictions {
        sentences.extend(&prediction.because);
        sentences.extend(prediction.slips.iter().map(|slip| &slip.says));
        for choice in &prediction.choices {
            sentences.extend([&choice.says, &choice.because]);
        }
    }
    for exercise in &front.exercises {
        sentences.extend(exercise.hints.iter().chain([&exercise.done]));
        sentences.extend(exercise.mistakes.iter().map(|mistake| &mistake.says));
    }
    sentences
}

/// A text without backticks and asterisks.
fn bare(text: &str) -> String {
    text.replace(['`', '*'], "")
}

/// The decimal numbers of a text.
fn decimals(text: &str) -> Vec<String> {
    let words = text.split(|character: char| !(character.is_alphanumeric() || character == '.'));
    let words = words.map(|word| word.trim_end_matches('.'));
    let decimal = |word: &&str| {
        let parts = word.split_once('.');
        parts.is_some_and(|(whole, places)| {
            let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            digits(whole) && digits(places)
        })
    };
    words.filter(decimal).map(str::to_owned).collect()
}

/// True if the computed answer agrees with the fact.
fn holds(fact: &Fact, found: &Answer) -> bool {
    if let Some(below) = fact.below {
        return matches!(found, Answer::Number(number) if *number < below);
    }
    if let Some(is) = &fact.is {
        return same(is, found);
    }
    match (entries(found), found) {
        (Some(found), _) => {
            let shown = shown(&fact.says);
            let alike = |(shown, found): (&Shown, &f64)| shown.is(*found);
            shown.len() == found.len() && shown.iter().zip(found).all(alike)
        }
        (None, Answer::Word(word)) => *word == fact.says,
        (None, _) => false,
    }
}

/// A number as written in a text.
struct Shown {
    number: f64,
    places: usize,
    has_exponent: bool,
}

impl Shown {
    /// True if the written number is `found`, to the digits written. With an exponent, 6 % of difference is allowed.
    fn is(&self, found: f64) -> bool {
        let apart = (self.number - found).abs();
        match self.has_exponent {
            true => apart <= 0.06 * found.abs(),
            false => apart <= 0.500_000_1 * libm::pow(10.0, -(self.places as f64)),
        }
    }
}

/// The numbers of a text, in order.
fn shown(text: &str) -> Vec<Shown> {
    let text = text.replace('−', "-");
    let words =
        text.split(|character: char| !(character.is_ascii_digit() || ".-e".contains(character)));
    let number = |word: &str| {
        let word = word.trim_matches(['.', 'e']);
        let number = word.parse::<f64>().ok()?;
        let (digits, exponent) = match word.split_once('e') {
            Some((digits, _)) => (digits, true),
            None => (word, false),
        };
        Some(Shown {
            number,
            places: digits.split_once('.').map_or(0, |(_, places)| places.len()),
            has_exponent: exponent,
        })
    };
    words.filter_map(number).collect()
}
