//! Equality of arrows modulo the axioms, decided by canonical forms, with the first difference.
//!
//! Decided equations are the axioms of a strong promonad (Fig. axioms-congruence-relation), since pure maps lie on wires and
//! only operations have an order, and the laws of copying, discarding and tuples, since wires are shared. Four facts about
//! PSmooth are decided: + is a commutative monoid; `slice`, `concat`, `reverse` and `padding` select entries
//! (`canonical::selection`); RD f is additive in the cotangent (RD.2); closed maps have computed values. Constants are equal if
//! their bits are, except that −0 is 0 and all NaNs are one (`canonical::Constants`). Arrows that differ only in constants, by
//! no more than rounding explains, have a verdict of their own. A partial map is kept for its domain even where its result is
//! unused; the domain of RD f is that of f. Other equations of pure maps (sin² + cos² = 1) are not decided: such arrows count
//! as different.

use crate::Arrow;
use crate::canonical::{Canonical, Compared, Constants, Forming, Forms, Id, Merged};
use fletch_smooth::{Partiality, numeral};
use std::borrow::Cow;
use std::fmt;

/// The first difference of two arrows: its position, and the value of each arrow there.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Position of the difference.
    pub place: Place,
    /// Value of the first arrow, in words.
    pub left: String,
    /// Value of the second arrow, in words.
    pub right: String,
    /// Statement of each arrow at the difference, by number; `None` if there is none.
    pub statements: [Option<usize>; 2],
    /// Statement of each arrow that makes the differing value; `None` if there is none.
    pub makers: [Option<usize>; 2],
}

/// A position in an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Inputs of the arrows.
    Inputs,
    /// The operation of this number, from 0, in order.
    Operation(usize),
    /// An argument of an operation: both numbers from 0.
    Argument(usize, usize),
    /// The output of this number, from 0.
    Output(usize),
    /// Domain of definition.
    Domain,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Inputs => f.write_str("what they take"),
            Place::Operation(op) => write!(f, "operation {}", op + 1),
            Place::Argument(op, k) => write!(f, "argument {} of operation {}", k + 1, op + 1),
            Place::Output(k) => write!(f, "output {}", k + 1),
            Place::Domain => f.write_str("what has to be defined"),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference {
            place, left, right, ..
        } = self;
        write!(f, "they differ in {place}: {left} against {right}")
    }
}

/// A verdict on two arrows.
#[derive(Clone, Debug, PartialEq)]
pub enum Equality {
    /// The arrows are equal: this is a proof.
    Equal {
        /// True if the arrows have loops and are equal for any number of moments, because the bodies of the loops are equal.
        any_length: bool,
    },
    /// The arrows are equal but for constants, which differ by no more than the rounding of closed maps explains.
    Rounding(Rounding),
    /// The arrows have loops that are too long to be compared moment by moment.
    TooLong,
    /// The arrows differ, or no decided axiom makes them equal.
    Different(Difference),
}

/// The largest difference between constants that were merged, which means taken as equal because rounding explains the difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounding {
    /// Absolute difference of the entries.
    pub difference: f64,
    /// The differing entry in each arrow.
    pub entries: [f64; 2],
    /// Statement of each arrow that makes the entry, by number; `None` if there is none.
    pub makers: [Option<usize>; 2],
}

impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [left, right] = self.entries.map(numeral);
        let difference = numeral(self.difference);
        write!(
            f,
            "the largest difference is {difference}, {left} against {right}"
        )?;
        match self.makers {
            [Some(one), Some(other)] => {
                write!(
                    f,
                    ", in statement {one} of the first and {other} of the second"
                )
            }
            [Some(one), None] => write!(f, ", in statement {one} of the first"),
            [None, Some(other)] => write!(f, ", in statement {other} of the second"),
            [None, None] => Ok(()),
        }
    }
}

/// Compares two arrows; closed maps are evaluated in this mode.
pub fn equality(left: &Arrow, right: &Arrow, mode: Partiality) -> Equality {
    let mut comparing = Comparing::new(Cow::Borrowed(left), Cow::Borrowed(right), mode);
    loop {
        if let Some(equality) = comparing.advance(&|| true) {
            return equality;
        }
    }
}

/// A comparison of two arrows that can be stopped between statements.
pub struct Comparing<'a> {
    mode: Partiality,
    /// Work in progress; `None` if the arrows have too many moments.
    work: Option<Work<'a>>,
}

struct Work<'a> {
    arrows: [Compared<'a>; 2],
    stage: Stage,
    forms: Forms,
    forming: [Forming; 2],
}

/// Methods of comparison, in the order in which they are tried.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// Loops compared as loops.
    Kept,
    /// Loops written out, constants compared exactly.
    Exact,
    /// Loops written out, constants up to rounding.
    Rounded,
}

impl<'a> Comparing<'a> {
    /// A comparison that has not begun; closed maps are evaluated in this mode.
    pub fn new(left: Cow<'a, Arrow>, right: Cow<'a, Arrow>, mode: Partiality) -> Comparing<'a> {
        let [left, right] = [left, right].map(Compared::kept);
        let work = match left.has_loops() && right.has_loops() {
            true => Some(Work::new([left, right], mode, Stage::Kept)),
            false => Work::expanded([left, right], mode),
        };
        Comparing { mode, work }
    }

    /// Continues while `may` returns true. Returns the verdict once there is one.
    pub fn advance(&mut self, may: &dyn Fn() -> bool) -> Option<Equality> {
        while let Some(mut work) = self.work.take() {
            if !work.advance(may) {
                self.work = Some(work);
                return None;
            }
            let [left, right] = &work.forming;
            let found = compared(&work.forms, &left.canonical, &right.canonical);
            match (found, work.stage) {
                (Ok(_), Stage::Kept) => return Some(Equality::Equal { any_length: true }),
                (Err(_), Stage::Kept) => self.work = Work::expanded(work.arrows, self.mode),
                (Ok(_), Stage::Exact) => return Some(Equality::Equal { any_length: false }),
                (Err(_), Stage::Exact) => {
                    self.work = Some(Work::new(work.arrows, self.mode, Stage::Rounded));
                }
                (Ok(rounding), Stage::Rounded) => return Some(Equality::Rounding(rounding)),
                (Err(difference), Stage::Rounded) => {
                    return Some(Equality::Different(*difference));
                }
            }
        }
        Some(Equality::TooLong)
    }
}

impl<'a> Work<'a> {
    /// Comparison of arrows with their loops written out; `None` if they would have too many statements.
    fn expanded(arrows: [Compared<'a>; 2], mode: Partiality) -> Option<Work<'a>> {
        let [left, right] = arrows.map(Compared::expanded);
        Some(Work::new([left?, right?], mode, Stage::Exact))
    }

    fn new(arrows: [Compared<'a>; 2], mode: Partiality, stage: Stage) -> Work<'a> {
        let constants = match stage {
            Stage::Kept | Stage::Exact => Constants::Exact,
            Stage::Rounded => Constants::Rounded,
        };
        let mut forms = Forms::new(mode, constants);
        let [left, right] = &arrows;
        let forming = [forms.begin(0, left), forms.begin(1, right)];
        Work {
            arrows,
            stage,
            forms,
            forming,
        }
    }

    /// Builds both canonical forms while `may` returns true. Returns true once both are complete.
    fn advance(&mut self, may: &dyn Fn() -> bool) -> bool {
        let mut pairs = self.forming.iter_mut().zip(&self.arrows);
        pairs.all(|(forming, arrow)| self.forms.advance(forming, arrow, may))
    }
}

/// Compares two canonical forms. Returns the largest difference of merged constants, or the first difference as the error.
fn compared(
    forms: &Forms,
    left: &Canonical,
    right: &Canonical,
) -> Result<Rounding, Box<Difference>> {
    let differ = |place, left: String, right: String, statements| {
        Err(Box::new(Difference {
            place,
            left,
            right,
            statements,
            makers: statements,
        }))
    };
    let apart = |forms: &Forms, place, a: Id, b: Id, statements| {
        let (inner, other) = forms.apart(a, b);
        let maker = |of: &Canonical, inner: Id, outer: Id| {
            let makers = &of.makers;
            makers.get(&inner).or_else(|| makers.get(&outer)).copied()
        };
        Err(Box::new(Difference {
            place,
            left: forms.written(inner),
            right: forms.written(other),
            statements,
            makers: [maker(left, inner, a), maker(right, other, b)],
        }))
    };
    if left.inputs != right.inputs || left.outputs.len() != right.outputs.len() {
        let types = |arrow: &Canonical| format!("{:?} → {}", arrow.inputs, arrow.outputs.len());
        return differ(Place::Inputs, types(left), types(right), [None, None]);
    }
    let count = left.operations.len().max(right.operations.len());
    for number in 0..count {
        let (a, b) = (left.operations.get(number), right.operations.get(number));
        let statements = [a.map(|a| a.statement), b.map(|b| b.statement)];
        let (Some(a), Some(b)) = (a, b) else {
            let name = |op: Option<&crate::canonical::Performed>| {
                op.map_or("none".to_owned(), |op: &crate::canonical::Performed| {
                    op.operation.to_string()
                })
            };
            return differ(Place::Operation(number), name(a), name(b), statements);
        };
        if a.operation != b.operation {
            let (a, b) = (a.operation.to_string(), b.operation.to_string());
            return differ(Place::Operation(number), a, b, statements);
        }
        let pairs = a.arguments.iter().zip(&b.arguments);
        for (k, (a, b)) in pairs.enumerate() {
            if a != b {
                return apart(forms, Place::Argument(number, k), *a, *b, statements);
            }
        }
    }
    for (k, (a, b)) in left.outputs.iter().zip(&right.outputs).enumerate() {
        if a != b {
            return apart(forms, Place::Output(k), *a, *b, [None, None]);
        }
    }
    let missing = |these: &Canonical, those: &Canonical| {
        let key = these
            .domain
            .iter()
            .find(|(key, _)| !those.domain.contains_key(*key));
        key.map(|(key, statement)| (forms.check(key), *statement))
    };
    if let Some((check, statement)) = missing(left, right) {
        return differ(
            Place::Domain,
            check,
            "nothing".to_owned(),
            [Some(statement), None],
        );
    }
    if let Some((check, statement)) = missing(right, left) {
        return differ(
            Place::Domain,
            "nothing".to_owned(),
            check,
            [None, Some(statement)],
        );
    }
    Ok(farthest(forms.merged, left, right))
}

/// The merged constants with the largest difference.
fn farthest(merged: Option<Merged>, left: &Canonical, right: &Canonical) -> Rounding {
    let Some(merged) = merged else {
        return Rounding {
            difference: 0.0,
            entries: [0.0, 0.0],
            makers: [None, None],
        };
    };
    let (which, statement) = merged.of;
    let [form, own] = merged.entries;
    let maker = |of: &Canonical| of.makers.get(&merged.form).copied();
    let (entries, makers) = match which {
        0 => ([own, form], [Some(statement), maker(right)]),
        _ => ([form, own], [maker(left), Some(statement)]),
    };
    Rounding {
        difference: merged.difference,
        entries,
        makers,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic)] // A failed test is a panic.

    use crate::cases::{arrow, of_program, verdict};
    use crate::{Equality, equality};
    use fletch_smooth::Partiality;

    /// The verdict on two programs.
    fn of_programs(left: &str, right: &str) -> Equality {
        equality(&of_program(left), &of_program(right), Partiality::Paper)
    }

    #[test]
    fn operations_have_an_order_and_pure_maps_have_none() {
        let read =
            |first: &str, second: &str| format!("let a ⇐ {first} in let b ⇐ {second} in ⌊⟨a, b⟩⌋");
        let swapped =
            |first: &str, second: &str| format!("let b ⇐ {second} in let a ⇐ {first} in ⌊⟨a, b⟩⌋");
        let (w, v, sin) = ("Get[w]()", "Get[v]()", "⌊sin[1](1)⌋");
        assert_eq!(verdict(&read(w, sin), &swapped(w, sin)), "equal");
        assert_eq!(
            verdict(&read(w, v), &swapped(w, v)),
            "they differ in operation 1: Get[w] against Get[v]"
        );
    }

    #[test]
    fn the_first_argument_that_differs_is_told_before_an_output() {
        assert_eq!(
            verdict(
                "x : Real(1), y : Real(1) ⊢ let _ ⇐ Put[w](x) in ⌊x⌋",
                "x : Real(1), y : Real(1) ⊢ let _ ⇐ Put[w](y) in ⌊y⌋",
            ),
            "they differ in argument 1 of operation 1: input 1 against input 2"
        );
    }

    #[test]
    fn the_innermost_difference_is_told() {
        assert_eq!(
            verdict(
                "x : Real(1) ⊢ ⌊sin[1](exp[1](x)) + x⌋",
                "x : Real(1) ⊢ ⌊sin[1](cos[1](x)) + x⌋",
            ),
            "they differ in output 1: exp(input 1) against cos(input 1)"
        );
    }

    #[test]
    fn a_partial_map_that_nothing_uses_is_a_difference_of_domains() {
        assert_eq!(
            verdict(
                "x : Real(1) ⊢ let _ ⇐ ⌊log[1](x)⌋ in ⌊x⌋",
                "x : Real(1) ⊢ ⌊x⌋"
            ),
            "they differ in what has to be defined: log(input 1) against nothing"
        );
    }

    #[test]
    fn constants_that_rounding_sets_apart_have_a_verdict_of_their_own() {
        let sum = "x : Real(1) ⊢ ⌊x + (0.1 + 0.2)⌋";
        assert_eq!(
            verdict(sum, "x : Real(1) ⊢ ⌊x + 0.3⌋"),
            "equal but for rounding"
        );
        assert_eq!(
            verdict(sum, "x : Real(1) ⊢ ⌊x + 0.3000001⌋"),
            "they differ in output 1: 0.30000000000000004 against 0.3000001"
        );
    }

    #[test]
    fn loops_of_equal_bodies_are_equal_at_any_length() {
        let looped = |body: &str| {
            format!(
                "loc w ∷ (1) main = let a ⇐ Get[w]() in feedback[1000000](a, ())⟨s, _⟩. ⌊{body}⌋"
            )
        };
        assert_eq!(
            of_programs(&looped("s + sin(s)"), &looped("sin(s) + s")),
            Equality::Equal { any_length: true }
        );
        assert_eq!(
            of_programs(&looped("s + sin(s)"), &looped("s + cos(s)")),
            Equality::TooLong
        );
    }

    #[test]
    fn a_loop_is_equal_to_its_moments_one_after_the_other_at_its_length_alone() {
        let looped = "loc w ∷ (1) main = let a ⇐ Get[w]() in feedback[3](a, ())⟨s, _⟩. ⌊sin(s)⌋";
        let written = "loc w ∷ (1) main = let a ⇐ Get[w]() in ⌊sin(sin(sin(a)))⌋";
        assert_eq!(
            of_programs(looped, written),
            Equality::Equal { any_length: false }
        );
    }

    #[test]
    fn a_difference_names_the_statements_that_make_it() {
        let (left, right) = (
            arrow("x : Real(1) ⊢ let a ⇐ ⌊sin[1](x)⌋ in let b ⇐ ⌊exp[1](a)⌋ in ⌊a + b⌋"),
            arrow("x : Real(1) ⊢ let a ⇐ ⌊sin[1](x)⌋ in let b ⇐ ⌊cos[1](a)⌋ in ⌊a + b⌋"),
        );
        let Equality::Different(difference) = equality(&left, &right, Partiality::Paper) else {
            panic!();
        };
        assert_eq!(difference.makers, [Some(1), Some(1)]);
        assert_eq!(
            difference.statements,
            [None, None],
            "an output is no statement"
        );
    }
}
