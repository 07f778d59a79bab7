//! Predictions: the answer is computed, and a reader's answer is compared with it. A number must be right to the digits that are typed, and
//! at least to two digits.

use crate::ask::answer;
use crate::findings::Findings;
use crate::judge::near;
use crate::lesson::{Choice, Lesson, Prediction};
use crate::question::Answer;
use fletch_print::numbers;
use fletch_runs::generated::Host;
use fletch_trace::Budget;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The answer of a reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Given {
    /// The choice of this number, from 1.
    Choice(usize),
    /// Numbers as they were typed: `1.7`, `[5, 2]`, `5 2`.
    Typed(String),
}

/// The judgement of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// A right answer, with its explanation.
    Right(String),
    /// A known wrong answer, with its explanation.
    Slip(String),
    /// Any other wrong answer.
    Wrong,
    /// No answer at all, with the form of answer that is expected.
    NoAnswer(String),
}

/// A prediction whose answer is being computed.
pub struct Asking {
    lesson: Rc<Lesson>,
    at: usize,
    findings: Findings,
}

/// A prediction with its answer.
#[derive(Clone, Debug)]
pub struct Answered {
    prediction: Prediction,
    answer: Answer,
}

impl Asking {
    /// Starts to compute the answer of the prediction with this number, from 1. Each run may use `budget`. `None` if the lesson has no such
    /// prediction.
    pub fn new(lesson: Rc<Lesson>, number: usize, budget: Budget) -> Option<Asking> {
        let at = number.checked_sub(1)?;
        lesson.front.predictions.get(at)?;
        Some(Asking {
            lesson,
            at,
            findings: Findings::new(budget),
        })
    }

    /// Sets the host that runs trainings as compiled modules.
    #[must_use]
    pub fn with_host(self, host: Option<Host>) -> Asking {
        let findings = self.findings.with_host(host);
        Asking { findings, ..self }
    }

    /// Continues while `may` is true. Returns the answer once it is known, or in words the reason why there is none.
    pub fn advance(&mut self, may: &dyn Fn() -> bool) -> Option<Result<Answered, String>> {
        let lesson = self.lesson.clone();
        let prediction = lesson.front.predictions.get(self.at)?;
        loop {
            if !self.findings.advance(may) {
                return None;
            }
            if let Ok(answer) = answer(&prediction.of, &lesson, &mut self.findings) {
                return Some(answer.map(|answer| Answered {
                    prediction: prediction.clone(),
                    answer,
                }));
            }
        }
    }
}

impl Answered {
    /// The answer.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// Numbers of the choices that are right, from 1: exactly one in a valid lesson.
    pub fn right_choices(&self) -> Vec<usize> {
        let choices = self.prediction.choices.iter().enumerate();
        let right = choices.filter(|(_, choice)| fits(choice, &self.answer));
        right.map(|(at, _)| at + 1).collect()
    }

    /// The answer in words: the right choice, or the number.
    pub fn text(&self) -> String {
        let right = self.right_choices().first().copied();
        let choice = right.and_then(|right| self.prediction.choices.get(right - 1));
        match (choice, &self.answer) {
            (Some(choice), _) => choice.says.clone(),
            (None, Answer::Number(number)) => numbers::clean(*number),
            (None, Answer::Numbers(entries)) => {
                let entries = entries.iter().map(|entry| numbers::clean(*entry));
                match &entries.collect::<Vec<_>>()[..] {
                    [one] => one.clone(),
                    entries => format!("[{}]", entries.join(", ")),
                }
            }
            (None, Answer::Word(word)) => word.clone(),
            (None, Answer::Words(words)) => words.join(", "),
        }
    }

    /// Explanation of the answer.
    pub fn because(&self) -> &str {
        let right = self.right_choices().first().copied();
        let choice = right.and_then(|right| self.prediction.choices.get(right - 1));
        match choice {
            Some(choice) => &choice.because,
            None => self.prediction.because.as_deref().unwrap_or(""),
        }
    }

    /// Compares a reader's answer with the computed answer.
    pub fn judge(&self, given: &Given) -> Judgement {
        let choices = &self.prediction.choices;
        match given {
            Given::Choice(number) => {
                let chosen = number.checked_sub(1).and_then(|at| choices.get(at));
                match chosen {
                    None if choices.is_empty() => Judgement::NoAnswer(self.wanted()),
                    None => Judgement::NoAnswer(format!("there are {} choices", choices.len())),
                    Some(chosen) if fits(chosen, &self.answer) => {
                        Judgement::Right(chosen.because.clone())
                    }
                    Some(chosen) => Judgement::Slip(chosen.because.clone()),
                }
            }
            Given::Typed(text) => {
                let Some(wanted) = entries(&self.answer).filter(|_| choices.is_empty()) else {
                    return Judgement::NoAnswer("one of the choices is asked for".to_owned());
                };
                let Some(typed) = typed(text, wanted.len()) else {
                    return Judgement::NoAnswer(self.wanted());
                };
                if alike(&typed, wanted) {
                    return Judgement::Right(self.because().to_owned());
                }
                let mut slips = self.prediction.slips.iter();
                let slip =
                    slips.find(|slip| entries(&slip.is).is_some_and(|slip| alike(&typed, slip)));
                slip.map_or(Judgement::Wrong, |slip| Judgement::Slip(slip.says.clone()))
            }
        }
    }

    /// Describes the form of answer that is expected.
    fn wanted(&self) -> String {
        match entries(&self.answer) {
            Some([_]) => "a number is asked for".to_owned(),
            Some(entries) => format!("{} numbers are asked for", entries.len()),
            None => "one of the choices is asked for".to_owned(),
        }
    }
}

/// True if a choice equals the computed answer, or is a range that contains it.
pub(crate) fn fits(choice: &Choice, answer: &Answer) -> bool {
    match (&choice.is, answer) {
        (Some(is), answer) => same(is, answer),
        (None, Answer::Number(number)) => {
            let (above, below) = (choice.above, choice.below);
            let bounded = above.is_some() || below.is_some();
            bounded
                && above.is_none_or(|above| *number > above)
                && below.is_none_or(|below| *number < below)
        }
        (None, _) => false,
    }
}

/// True if two answers are equal, numbers to nine digits. A number equals the list of that number alone.
pub(crate) fn same(one: &Answer, other: &Answer) -> bool {
    match (entries(one), entries(other)) {
        (Some(one), Some(other)) => near(one, other, 1e-9),
        _ => one == other,
    }
}

/// The numbers of an answer; `None` for words.
pub(crate) fn entries(answer: &Answer) -> Option<&[f64]> {
    match answer {
        Answer::Number(number) => Some(std::slice::from_ref(number)),
        Answer::Numbers(numbers) => Some(numbers),
        Answer::Word(_) | Answer::Words(_) => None,
    }
}

/// A number as typed, with its number of decimal places.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Typed {
    number: f64,
    places: i32,
}

/// Parses exactly `count` numbers as typed. A single number may have a decimal comma.
fn typed(text: &str, count: usize) -> Option<Vec<Typed>> {
    let mut text = text.trim().replace('−', "-");
    text.retain(|character| !"[]()⟨⟩⌊⌋".contains(character));
    if count == 1 && text.matches(',').count() == 1 && !text.contains('.') {
        text = text.replace(',', ".");
    }
    let words = text.split(|character: char| character.is_whitespace() || ",;".contains(character));
    let words = words.filter(|word| !word.is_empty());
    let numbers: Option<Vec<Typed>> = words.map(number).collect();
    numbers.filter(|numbers| numbers.len() == count)
}

fn number(word: &str) -> Option<Typed> {
    let number = word
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())?;
    let (digits, exponent) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
    let places = digits.split_once('.').map_or(0, |(_, places)| places.len());
    let exponent = exponent.parse::<i32>().ok()?;
    Some(Typed {
        number,
        places: i32::try_from(places).ok()? - exponent,
    })
}

/// True if each number is right to the digits that were typed, and at least to two digits.
fn alike(typed: &[Typed], wanted: &[f64]) -> bool {
    let right = |(typed, wanted): (&Typed, &f64)| {
        // Decimal places for two digits of the number: one for 1.7, three for 0.017.
        let two = match wanted.abs() {
            0.0 => 1,
            size => 1 - libm::floor(libm::log10(size)) as i32,
        };
        let places = f64::from(typed.places.max(two));
        let half = 0.5 * libm::pow(10.0, -places);
        (typed.number - wanted).abs() <= half * 1.000_001
    };
    typed.len() == wanted.len() && typed.iter().zip(wanted).all(right)
}

#[cfg(test)]
mod tests {
    use super::{Answered, Given, Judgement};
    use crate::lesson::Prediction;
    use crate::question::Answer;

    fn answered(answer: Answer, rest: &str) -> Answered {
        let text = format!("of = {{ value = 0 }}\nbecause = \"So.\"\n{rest}");
        let prediction: Prediction = toml::from_str(&text).unwrap();
        Answered { prediction, answer }
    }

    fn typed(answered: &Answered, text: &str) -> Judgement {
        answered.judge(&Given::Typed(text.to_owned()))
    }

    #[test]
    fn a_number_is_right_to_the_digits_typed_and_at_least_two() {
        let right = Judgement::Right("So.".to_owned());
        for (value, text, is_right) in [
            (1.7, "1.7", true),
            (1.7, "1,7", true),
            (1.7, "2", false),
            (1.7, "1.70", true),
            (1.74, "1.7", true),
            (1.74, "1.73", false),
            (-4.0, "−4", true),
            (-4.0, "-4.0", true),
            (6.0, "6", true),
            (108.0, "110", false),
            (0.2, "0.2", true),
            (0.2, ".2", true),
            (0.2, "0.24", false),
            (9e-19, "9e-19", true),
            (9e-19, "0", false),
            (0.0, "0", true),
        ] {
            let answered = answered(Answer::Numbers(vec![value]), "");
            assert_eq!(
                typed(&answered, text) == right,
                is_right,
                "{text} for {value}"
            );
        }
    }

    #[test]
    fn several_numbers_stand_between_brackets_or_not() {
        let pair = answered(Answer::Numbers(vec![5.0, 2.0]), "");
        for text in ["[5, 2]", "5 2", "5;2", "(5.0, 2.0)"] {
            assert_eq!(
                typed(&pair, text),
                Judgement::Right("So.".to_owned()),
                "{text}"
            );
        }
        assert_eq!(typed(&pair, "[2, 5]"), Judgement::Wrong);
        for text in ["", "5", "5, 2, 1", "five", "nan inf"] {
            let wanted = Judgement::NoAnswer("2 numbers are asked for".to_owned());
            assert_eq!(typed(&pair, text), wanted, "{text}");
        }
    }

    #[test]
    fn a_slip_has_its_words() {
        let answered = answered(
            Answer::Number(1.7),
            "slips = [{ is = 1.9, says = \"The input.\" }]",
        );
        let slip = Judgement::Slip("The input.".to_owned());
        assert_eq!(typed(&answered, "1.9"), slip);
        assert_eq!(typed(&answered, "3"), Judgement::Wrong);
    }

    #[test]
    fn the_right_choice_is_found() {
        let choices = "choices = [\n\
            { says = \"Below.\", because = \"No.\", below = 0.01 },\n\
            { says = \"Above.\", because = \"Yes.\", above = 0.1 },\n\
            { says = \"Never.\", because = \"No.\" }]";
        let answered = answered(Answer::Number(0.17), choices);
        assert_eq!(answered.right_choices(), [2]);
        assert_eq!(answered.text(), "Above.");
        let judge = |number| answered.judge(&Given::Choice(number));
        assert_eq!(judge(2), Judgement::Right("Yes.".to_owned()));
        assert_eq!(judge(1), Judgement::Slip("No.".to_owned()));
        assert_eq!(
            judge(4),
            Judgement::NoAnswer("there are 3 choices".to_owned())
        );
    }
}
