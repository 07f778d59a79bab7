//! Environments of a derivation, as they are displayed. A short environment is written in full. A longer one is written as
//! the extension of a named environment by the assumptions that a premise adds. As in the figures, the new variables of a
//! command precede the others, and the new variables of a term follow them.

use super::derivation::Named;
use fletch_calculus::Variable;
use fletch_calculus::typing::{Assumption, Environment, Subject};
use fletch_print::Names;
use fletch_print::{Piece, PieceKind};

/// Maximum length, in characters, of an environment that is always written in full.
const SHORT: usize = 24;
/// Maximum length, in characters, of an environment that is written in full at a premise where it starts anew, as in a clause.
const BEGINNING: usize = 48;

/// The environments met so far, by number.
#[derive(Default)]
pub(super) struct Environments {
    all: Vec<Known>,
    /// Numbers of the environments that were given a name, in the order of naming.
    named: Vec<usize>,
}

struct Known {
    environment: Environment,
    names: Names,
    /// Assumptions in the order of display.
    entries: Vec<Entry>,
    /// Environment that this one extends: its number, the number of additional assumptions, and true if the additional ones
    /// precede.
    extends: Option<(usize, usize, bool)>,
}

#[derive(Clone)]
struct Entry {
    name: String,
    assumed: String,
}

impl Environments {
    /// Registers the environment of the root, and returns its number.
    pub(super) fn bottom(&mut self, environment: &Environment) -> usize {
        self.begin(environment)
    }

    /// Replaces the last environment by the environment of a premise, on the path from the root to the conclusion that is
    /// shown. Returns its number.
    pub(super) fn go_on(&mut self, conclusion: &Subject, environment: &Environment) -> usize {
        let Some(mut known) = self.all.pop() else {
            return self.begin(environment);
        };
        let added = added(environment, &known.environment);
        match added {
            Some(added) if !known.entries.is_empty() || added.is_empty() => {
                known.extend(conclusion, added);
                known.environment = environment.clone();
                self.add(known)
            }
            _ => self.begin(environment),
        }
    }

    /// Registers the environment of a premise, and returns its number. `below` is the number of the conclusion's environment.
    pub(super) fn above(
        &mut self,
        below: usize,
        conclusion: &Subject,
        environment: &Environment,
    ) -> usize {
        let Some(known) = self.all.get(below) else {
            return self.begin(environment);
        };
        if known.environment.same(environment) {
            return below;
        }
        let Some(added) = added(environment, &known.environment) else {
            return self.begin(environment);
        };
        if known.entries.is_empty() {
            return self.begin(environment);
        }
        let mut known = Known {
            environment: environment.clone(),
            names: known.names.clone(),
            entries: known.entries.clone(),
            extends: Some((below, added.len(), is_command(conclusion))),
        };
        known.extend(conclusion, added);
        self.add(known)
    }

    fn begin(&mut self, environment: &Environment) -> usize {
        let mut names = Names::default();
        let assumptions = added(environment, &Environment::default()).unwrap_or_default();
        let entries = assumptions.into_iter();
        let entries = entries.map(|(variable, assumption)| entry(&mut names, variable, assumption));
        let entries = entries.collect();
        self.add(Known {
            environment: environment.clone(),
            names,
            entries,
            extends: None,
        })
    }

    fn add(&mut self, known: Known) -> usize {
        self.all.push(known);
        self.all.len() - 1
    }

    /// Names of the variables of an environment.
    pub(super) fn names(&self, number: usize) -> Names {
        let known = self.all.get(number);
        known.map(|known| known.names.clone()).unwrap_or_default()
    }

    /// Display of environment `number`, above a judgement with environment `below` if there is one. It may give names to
    /// environments.
    pub(super) fn shown(&mut self, number: usize, below: Option<usize>) -> Vec<Piece> {
        let Some(known) = self.all.get(number) else {
            return Vec::new();
        };
        let full = listed(&known.entries);
        let length = length(&full);
        let begins = known.extends.is_none() && below.is_some_and(|below| below != number);
        if length <= SHORT || (begins && length <= BEGINNING) {
            return full;
        }
        match known.extends {
            Some((base, count, front)) if below == Some(base) => {
                let entries = &known.entries;
                let (new, rest) = if front {
                    entries.split_at(count.min(entries.len()))
                } else {
                    let (rest, new) = entries.split_at(entries.len().saturating_sub(count));
                    (new, rest)
                };
                let (mut new, rest) = (listed(new), listed(rest));
                let rest = if self::length(&rest) <= SHORT {
                    rest
                } else {
                    vec![self.name(base)]
                };
                if front {
                    new.push(Piece::new(PieceKind::Plain, ", "));
                    new.extend(rest);
                    new
                } else {
                    let mut rest = rest;
                    rest.push(Piece::new(PieceKind::Plain, ", "));
                    rest.extend(new);
                    rest
                }
            }
            _ => vec![self.name(number)],
        }
    }

    fn name(&mut self, number: usize) -> Piece {
        let place = match self.named.iter().position(|known| *known == number) {
            Some(place) => place,
            None => {
                self.named.push(number);
                self.named.len() - 1
            }
        };
        Piece::new(PieceKind::Metavariable, name_of(place))
    }

    /// Definitions of the environment names. An environment that extends a named one lists only its additional assumptions.
    pub(super) fn legend(&mut self) -> Vec<Named> {
        let mut legend = Vec::new();
        for (place, number) in self.named.clone().into_iter().enumerate() {
            let known = self.all.get(number);
            let base = known.and_then(|known| known.extends).map(|it| it.0);
            let entries = match base.filter(|base| self.named.contains(base)) {
                Some(base) => self.shown(number, Some(base)),
                None => known.map_or(Vec::new(), |known| listed(&known.entries)),
            };
            let name = name_of(place);
            legend.push(Named { name, entries });
        }
        legend
    }

    /// All assumptions of an environment, one per entry.
    pub(super) fn entries(&self, number: usize) -> Vec<Vec<Piece>> {
        let known = self.all.get(number);
        let entries = known.map(|known| known.entries.as_slice());
        entries.unwrap_or_default().iter().map(pieces).collect()
    }

    /// Removes all names that were given.
    pub(super) fn unname(&mut self) {
        self.named.clear();
    }
}

impl Known {
    fn extend(&mut self, conclusion: &Subject, added: Vec<(&Variable, &Assumption)>) {
        for (variable, assumption) in added {
            let entry = entry(&mut self.names, variable, assumption);
            let place = if is_command(conclusion) {
                0
            } else {
                self.entries.len()
            };
            self.entries.insert(place, entry);
        }
    }
}

fn is_command(subject: &Subject) -> bool {
    matches!(subject, Subject::Command(_))
}

/// Name of an environment: `Δ₁` for index 0.
fn name_of(place: usize) -> String {
    let digits = (place + 1).to_string();
    let subscript = digits
        .chars()
        .filter_map(|digit| char::from_u32(u32::from(digit) - 0x30 + 0x2080));
    std::iter::once('Δ').chain(subscript).collect()
}

/// Assumptions of one environment beyond another one, oldest first; `None` if the first does not extend the second.
fn added<'e>(
    environment: &'e Environment,
    base: &Environment,
) -> Option<Vec<(&'e Variable, &'e Assumption)>> {
    let mut found = Vec::new();
    let mut rest = environment;
    while !rest.same(base) {
        let (variable, assumption, before) = rest.latest()?;
        found.push((variable, assumption));
        rest = before;
    }
    found.reverse();
    Some(found)
}

fn entry(names: &mut Names, variable: &Variable, assumption: &Assumption) -> Entry {
    Entry {
        name: names.enter(variable).to_string(),
        assumed: assumed(assumption),
    }
}

/// Text of an assumption: `Real(2)`, `Real(2) ⇝ Real(1)`.
pub(super) fn assumed(assumption: &Assumption) -> String {
    match assumption {
        Assumption::Term(ty) => ty.to_string(),
        Assumption::Continuation(input, output) => format!("{input} ⇝ {output}"),
    }
}

fn pieces(entry: &Entry) -> Vec<Piece> {
    vec![
        Piece::new(PieceKind::Variable, entry.name.clone()),
        Piece::new(PieceKind::Plain, format!(" : {}", entry.assumed)),
    ]
}

/// Assumptions as `x : A, y : B`, or `◇` if there are none.
fn listed(entries: &[Entry]) -> Vec<Piece> {
    if entries.is_empty() {
        return vec![Piece::new(PieceKind::Plain, "◇")];
    }
    let mut all = Vec::new();
    for entry in entries {
        if !all.is_empty() {
            all.push(Piece::new(PieceKind::Plain, ", "));
        }
        all.extend(pieces(entry));
    }
    all
}

/// Length of pieces in characters.
pub(super) fn length(pieces: &[Piece]) -> usize {
    let lengths = pieces.iter().map(|piece| piece.text.chars().count());
    lengths.sum()
}
