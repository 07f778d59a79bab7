//! Sentences under construction: text, and names and values as pieces of their kinds.

use super::glossary;
use crate::shown::ENDLESS;
use fletch_calculus::{
    Called, OperationRef, Origin, Reading, Symbol, Tensor, Term, TermKind, Variable,
};
use fletch_print::{
    Chips, Folds, Mark, Marks, Names, Piece, PieceKind, Style, Values, numbers, term_lines,
};
use fletch_trace::{CallRecord, Calls, ReverseRun};

/// Splits pieces so that each word of the glossary is a piece of its own, at its first occurrence.
pub fn glossed(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut words: Vec<&str> = glossary::words().collect();
    let mut found = Vec::with_capacity(pieces.len());
    for piece in pieces {
        if piece.kind != PieceKind::Plain {
            found.push(piece);
            continue;
        }
        let mut rest = piece.text.as_str();
        let part = |kind, text: &str| Piece {
            kind,
            text: text.to_owned(),
            ..piece.clone()
        };
        while let Some((at, word)) = first(rest, &words) {
            let (before, after) = (rest.get(..at), rest.get(at + word.len()..));
            let before = before.filter(|before| !before.is_empty());
            found.extend(before.map(|before| part(PieceKind::Plain, before)));
            found.push(part(PieceKind::Term, word));
            words.retain(|known| *known != word);
            rest = after.unwrap_or_default();
        }
        if !rest.is_empty() {
            found.push(part(PieceKind::Plain, rest));
        }
    }
    found
}

/// First occurrence of one of these words as a whole word of a text, with its byte offset.
fn first<'w>(text: &str, words: &[&'w str]) -> Option<(usize, &'w str)> {
    let alone = |at: usize, word: &str| {
        let letter = |character: Option<char>| character.is_some_and(char::is_alphabetic);
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + word.len()..);
        !letter(before) && !letter(after.and_then(|after| after.chars().next()))
    };
    let found = words.iter().filter_map(|word| {
        let mut places = text.match_indices(word).map(|(at, _)| at);
        Some((places.find(|at| alone(*at, word))?, *word))
    });
    found.min_by_key(|(at, _)| *at)
}

/// Maximum length of a list that is named in full.
const LISTED: usize = 6;

/// Maximum length of a term that is quoted in full, in characters.
const LENGTH: usize = 40;

/// Names and numbers that sentences refer to.
#[derive(Clone, Copy)]
pub struct Telling<'n> {
    /// Names of variables.
    pub names: &'n Names,
    /// Store of the large values.
    pub chips: &'n Chips,
    /// Number of the first step: 0 if states are counted, 1 if steps are.
    pub first: usize,
    /// Source text of the program, for terms quoted from it; empty if it is not available.
    pub source: &'n str,
}

/// A sentence under construction.
pub struct Sentence<'n> {
    /// Pieces so far.
    pub pieces: Vec<Piece>,
    telling: Telling<'n>,
}

impl<'n> Sentence<'n> {
    /// Empty sentence.
    pub fn new(telling: Telling<'n>) -> Self {
        Sentence {
            pieces: Vec::new(),
            telling,
        }
    }

    pub(super) fn telling(&self) -> Telling<'n> {
        self.telling
    }

    fn piece(&mut self, kind: PieceKind, text: String) -> &mut Self {
        self.pieces.push(Piece {
            kind,
            text,
            mark: Mark::None,
            chip: None,
            node: 0,
            fold: None,
        });
        self
    }

    /// Adds text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.piece(PieceKind::Plain, text.to_owned())
    }

    /// Adds a function symbol, by its name.
    pub fn symbol(&mut self, symbol: &Symbol) -> &mut Self {
        self.piece(PieceKind::Function, symbol.reading().name.into_owned())
    }

    /// Adds the name of an applied function, before `of` and the arguments: `tanh`, `The transpose`, `Entries 0–1`.
    pub(super) fn applied(&mut self, reading: &Reading) -> &mut Self {
        if reading.value == reading.name {
            self.function(&reading.name)
        } else {
            self.text(&capitalised(&reading.value))
        }
    }

    /// Adds a symbol without arguments as it is written: `count[d_key]`. The symbol itself has only the size.
    pub(super) fn written(&mut self, symbol: &Symbol, origin: Origin) -> &mut Self {
        let text = self
            .telling
            .source
            .get(origin.start as usize..origin.end as usize);
        let text = text.and_then(|text| text.trim_end().strip_suffix("()"));
        match text.filter(|text| text.starts_with(&symbol.name())) {
            Some(text) => self.function(text),
            None => self.symbol(symbol),
        }
    }

    /// Adds values as `a, b`.
    pub(super) fn row(&mut self, values: &[Term]) -> &mut Self {
        for (position, value) in values.iter().enumerate() {
            if position > 0 {
                self.text(", ");
            }
            self.value(value);
        }
        self
    }

    /// Adds the name of the callee.
    pub(super) fn call(&mut self, record: &CallRecord) -> &mut Self {
        match &record.call.called {
            Called::Operation(operation) => self.operation(operation),
            Called::Function(symbol) => self.symbol(symbol),
            Called::Feedback(_) => self.function(&record.name),
            Called::Term => self.text("the term (").function(&record.name).text(")"),
        }
    }

    pub(super) fn function(&mut self, name: &str) -> &mut Self {
        self.piece(PieceKind::Function, name.to_owned())
    }

    /// Makes a fragment of a sentence, with the same names.
    pub(super) fn apart(&self, say: impl FnOnce(&mut Self) -> &mut Self) -> Sentence<'n> {
        let mut part = Sentence::new(self.telling);
        say(&mut part);
        part
    }

    /// Adds a list: `a`, `a and b`, `a, b and c`; of a long list the first elements.
    pub(super) fn list(&mut self, parts: Vec<Sentence<'_>>) -> &mut Self {
        let (count, left) = abridged(parts.len());
        for (position, part) in parts.into_iter().take(count).enumerate() {
            self.text(match position {
                0 => "",
                _ if position + 1 == count && left == 0 => " and ",
                _ => ", ",
            });
            self.pieces.extend(part.pieces);
        }
        if left > 0 {
            self.text(&format!(" and {left} more"));
        }
        self
    }

    /// Adds a list whose elements may be lists: `a`, `a, and b`, `a, b, and c`.
    pub(super) fn clauses(&mut self, parts: Vec<Sentence<'_>>) -> &mut Self {
        let last = parts.len().saturating_sub(1);
        for (position, part) in parts.into_iter().enumerate() {
            self.text(match position {
                0 => "",
                _ if position == last => ", and ",
                _ => ", ",
            });
            self.pieces.extend(part.pieces);
        }
        self
    }

    /// Adds a list of predicates: `reads a and gives b`; with `, and` if one before the last is a list itself.
    pub(super) fn verbs(&mut self, parts: Vec<Sentence<'_>>) -> &mut Self {
        let list = |part: &Sentence<'_>| part.pieces.iter().any(|piece| piece.text == " and ");
        let before_last = parts.split_last().map_or(&[][..], |(_, before)| before);
        if before_last.iter().any(list) {
            self.clauses(parts)
        } else {
            self.list(parts)
        }
    }

    /// Begins another sentence.
    pub(super) fn next(&mut self) -> &mut Self {
        if self.pieces.is_empty() {
            self
        } else {
            self.text(" ")
        }
    }

    /// Adds another sentence, if there is one.
    pub(super) fn then(&mut self, pieces: Vec<Piece>) -> &mut Self {
        if !pieces.is_empty() {
            self.next().pieces.extend(pieces);
        }
        self
    }

    /// Removes the full stop, so that the sentence can continue.
    pub(super) fn unended(&mut self) -> &mut Self {
        if let Some(last) = self.pieces.last_mut()
            && let Some(text) = last.text.strip_suffix('.')
        {
            last.text = text.to_owned();
        }
        self
    }

    /// Adds an operation.
    pub fn operation(&mut self, operation: &OperationRef) -> &mut Self {
        self.piece(PieceKind::Operation, operation.to_string())
    }

    pub(super) fn handler(&mut self, name: &str) -> &mut Self {
        self.piece(PieceKind::Handler, name.to_owned())
    }

    /// Adds the handler of a run. Where runs of the same handler are nested, it says which one: the outer or the inner run, or for a
    /// run between these the step where it starts.
    pub(super) fn run(&mut self, calls: &Calls, run: usize) -> &mut Self {
        let Some(ReverseRun { handler, from, .. }) = calls.runs.get(run) else {
            return self;
        };
        let runs = calls.runs.iter().enumerate();
        let alike = runs.filter(|(other, of)| *other != run && of.handler == *handler);
        let mut alike = alike.map(|(other, _)| other);
        let around = alike.clone().any(|other| calls.is_inside(run, other));
        let within = alike.any(|other| calls.is_inside(other, run));
        if !around && !within {
            return self.handler(handler);
        }
        let begins = self
            .pieces
            .last()
            .is_none_or(|last| last.text.ends_with(". "));
        self.text(if begins { "The " } else { "the " });
        match (around, within) {
            (false, _) => self.text("outer ").handler(handler),
            (_, false) => self.text("inner ").handler(handler),
            (true, true) => {
                let number = from + self.telling.first;
                self.handler(handler).text(&format!(" of step {number}"))
            }
        }
    }

    pub(super) fn location(&mut self, name: &str) -> &mut Self {
        self.piece(PieceKind::Location, name.to_owned())
    }

    pub(super) fn variable(&mut self, variable: &Variable) -> &mut Self {
        let name = self.telling.names.get(variable);
        self.piece(PieceKind::of(variable), name.to_string())
    }

    /// Adds a tensor: its first entries, and the whole as a chip.
    pub fn tensor(&mut self, tensor: &Tensor) -> &mut Self {
        match tensor.data() {
            [] => self.piece(PieceKind::Value, "()".to_owned()),
            [number] => self.piece(PieceKind::Value, numbers::short(*number)),
            data => {
                self.piece(PieceKind::Value, numbers::first(data));
                if let Some(piece) = self.pieces.last_mut() {
                    piece.chip = Some(self.telling.chips.chip(tensor));
                }
                self
            }
        }
    }

    /// Adds a value; of a long tuple only the first components. Adds a term that is not computed yet if it is short, else `…`.
    pub fn value(&mut self, value: &Term) -> &mut Self {
        match value.kind() {
            TermKind::Constant(tensor) => self.tensor(tensor),
            TermKind::Tuple(parts) => {
                let (count, left) = abridged(parts.len());
                self.text("⟨");
                for (position, part) in parts.iter().take(count).enumerate() {
                    if position > 0 {
                        self.text(", ");
                    }
                    self.value(part);
                }
                if left > 0 {
                    self.text(&format!(", … {left} more"));
                }
                self.text("⟩")
            }
            TermKind::Variable(x) => self.variable(x),
            _ => {
                if !self.short(value) {
                    self.text("…");
                }
                self
            }
        }
    }

    /// Adds a term as it is printed, if its text is short. Returns true if it is.
    pub(super) fn short(&mut self, term: &Term) -> bool {
        let style = Style {
            names: self.telling.names.clone(),
            folds: Folds::inside(term),
            values: Values::Told(self.telling.chips),
            marks: Marks::default(),
        };
        let lines = term_lines(term, style, ENDLESS);
        let pieces = || lines.iter().flat_map(|line| &line.pieces);
        let length: usize = pieces().map(|piece| piece.text.chars().count()).sum();
        let fits = lines.len() == 1 && length <= LENGTH;
        if fits {
            self.pieces.extend(pieces().cloned());
        }
        fits
    }

    /// Adds the right operand of an operator: `(−0.157)`, so that a reader can distinguish the sign from the operator.
    pub(super) fn right(&mut self, value: &Term) -> &mut Self {
        match value.kind() {
            TermKind::Constant(tensor) if matches!(tensor.data(), [number] if *number < 0.0) => {
                self.text("(").tensor(tensor).text(")")
            }
            _ => self.value(value),
        }
    }

    /// Adds values as a list: `a`, `a and b`, `a, b and c`.
    pub(super) fn values(&mut self, values: &[Term]) -> &mut Self {
        let parts = values
            .iter()
            .map(|value| self.apart(|say| say.value(value)));
        let parts = parts.collect();
        self.list(parts)
    }
}

/// Number of elements of a list that are named, and number of those that are only counted.
fn abridged(count: usize) -> (usize, usize) {
    match count {
        count if count > LISTED => (LISTED - 1, count - LISTED + 1),
        count => (count, 0),
    }
}

/// Text with its first letter in upper case.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// True if a value has no entries.
pub(super) fn is_unit(term: &Term) -> bool {
    match term.kind() {
        TermKind::Constant(tensor) => tensor.is_empty(),
        TermKind::Tuple(parts) => parts.iter().all(is_unit),
        _ => false,
    }
}
