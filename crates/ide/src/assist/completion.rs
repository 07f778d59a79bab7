//! Completions at a cursor: the names that fit there, best first.

use super::context::{Category, Context, context};
use super::study::{Alignment, Study};
use crate::answers::{Completion, Completions};
use fletch_elaborate::{NameKind, Occurrence};
use fletch_smooth::{
    Axis, Family, combinators::COMBINATORS, datasets::DATASETS, families, generate::INITIALISERS,
    is_symbol,
};
use fletch_syntax::tree::{IndexParam, IndexParamKind, ItemKind, LocDecl, Name, Size, SizeKind};
use std::cell::Cell;

/// Maximum number of steps when sizes are computed from other sizes: definitions may be circular.
const STEPS: u32 = 4096;

/// Words that start a declaration, with their meanings.
const ITEMS: [(&str, &str); 11] = [
    ("dim", "a size: dim n = 2"),
    (
        "loc",
        "a cell of the heap: loc ℓ ∷ (n, m) = glorot(seed: 1)",
    ),
    ("op", "an operation: op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)"),
    ("fun", "a pure function: fun f(x : Real(n)) = M"),
    ("command", "a command: command R(x : Real(n)) : Real(m) = P"),
    (
        "handler",
        "a handler: handler H(t : Real(n)) : Real(n) { … }",
    ),
    ("data", "a data set: data D = moons(n: 200)"),
    ("train", "a training: train D as ⟨v, t⟩ for 200 epochs = P"),
    (
        "measure",
        "a mean over a data set: measure m on D as ⟨v, t⟩ = P",
    ),
    ("predict", "outputs over inputs: predict p(v : Real(n)) = P"),
    ("main", "the command to run: main = P"),
];
/// Words that start a command, with their meanings.
const COMMANDS: [(&str, &str); 6] = [
    ("let", "bind the result of a command: let x ⇐ P in Q"),
    (
        "rev handle",
        "handle in reverse: rev handle(M)⟨x⟩. P with H",
    ),
    ("handle", "handle: handle P with H"),
    ("iterate", "repeat: iterate[i : 3](M)⟨x⟩. P"),
    (
        "feedback",
        "go through rows with a state: feedback[n](s₀, xs)⟨s, x⟩. P",
    ),
    ("pure", "a command that returns a term: ⌊M⌋"),
];
/// Words that start a term, with their meanings.
const TERMS: [(&str, &str); 3] = [
    ("let", "name a term: let x ← M in N"),
    (
        "rd",
        "the reverse derivative of a function symbol: rd[f](point, cotangent)",
    ),
    ("zero", "a vector of zeros: zero[n]"),
];
/// Completions at an offset in UTF-16 code units.
pub(super) fn complete(study: &Study, before: Option<&Study>, offset: u32) -> Completions {
    let offset = study.index.from_utf16(offset);
    let context = context(&study.source, &study.tokens, offset);
    let mut offers = Offers {
        study,
        before: before.map(|before| (before, Alignment::new(&before.source, &study.source))),
        // The word being typed is no name yet, although the text may use it as one.
        offset: context.start,
        found: Vec::new(),
    };
    offers.fit(&context);
    Completions {
        from: study.index.to_utf16(context.start),
        index: matches!(context.place, Category::Index { .. }),
        options: offers.found,
    }
}

struct Offers<'a> {
    study: &'a Study,
    before: Option<(&'a Study, Alignment)>,
    offset: u32,
    found: Vec<Completion>,
}

impl Offers<'_> {
    fn fit(&mut self, context: &Context) {
        use NameKind::{
            Command, Continuation, Data, Dimension, Function, Handler, Index, Location, Operation,
            Variable,
        };
        match &context.place {
            Category::Nothing => return,
            Category::Item => self.words(&ITEMS),
            Category::Command => {
                self.scoped(&[Continuation]);
                self.declared(&[Operation, Command]);
                self.built_in_operations();
                self.words(&COMMANDS);
            }
            Category::Term => {
                self.scoped(&[Variable]);
                self.declared(&[Function]);
                self.symbols();
                self.words(&TERMS);
            }
            Category::Clause => {
                self.declared(&[Operation]);
                self.built_in_operations();
            }
            Category::Handler => self.declared(&[Handler]),
            Category::Data => self.declared(&[Data]),
            Category::Contents => self.generators(&INITIALISERS, "initial contents"),
            Category::Samples => {
                self.other_data();
                self.generators(&DATASETS, "a data set of the language");
                self.generators(&COMBINATORS, "a data set made of others");
            }
            Category::Type => self.words(&[("Real", "the type of vectors: Real(n)")]),
            Category::Size => {
                self.scoped(&[Index]);
                self.declared(&[Dimension]);
            }
            Category::Index { of, number } => match self.wanted(of, *number) {
                Wanted::Location(shape) => {
                    self.scoped_locations();
                    self.locations(shape.as_deref());
                }
                Wanted::Size => {
                    self.scoped(&[Index]);
                    self.declared(&[Dimension]);
                }
                Wanted::Symbol => self.symbols(),
                Wanted::Anything => {
                    self.scoped(&[Index]);
                    self.declared(&[Dimension, Location]);
                }
            },
        }
        if context.in_let {
            self.words(&[("in", "the body of the let")]);
        }
        if context.in_handle {
            self.words(&[("with", "the handler")]);
        }
    }

    fn offer(&mut self, label: &str, kind: &str, detail: &str, info: Option<&str>) {
        if self.found.iter().all(|offered| offered.label != label) {
            self.found.push(Completion {
                label: label.to_owned(),
                kind: kind.to_owned(),
                detail: detail.to_owned(),
                info: info.map(str::to_owned),
            });
        }
    }

    fn words(&mut self, words: &[(&str, &str)]) {
        for (word, meaning) in words {
            self.offer(word, "keyword", "", Some(meaning));
        }
    }

    fn generators(&mut self, names: &[&str], meaning: &str) {
        for name in names {
            self.offer(name, "generator", "", Some(meaning));
        }
    }

    fn name(&mut self, name: &Occurrence) {
        // The text before the type, `x` or `command R`, is already in the label.
        let detail = name
            .signature
            .split_once(&*name.name)
            .map_or(&*name.signature, |(_, rest)| rest);
        self.offer(
            &name.name,
            name.kind.noun(),
            detail.trim_start(),
            name.note.as_deref(),
        );
    }

    /// Offers the names that the file declares, then those of the last text without a syntax error.
    fn declared(&mut self, kinds: &[NameKind]) {
        self.declared_but(kinds, None);
    }

    /// Offers the declared names of these kinds, except one name.
    fn declared_but(&mut self, kinds: &[NameKind], but: Option<&str>) {
        let study = self.study;
        let mut names: Vec<&Occurrence> = study.declared().collect();
        if let Some((before, alignment)) = &self.before {
            let kept = |name: &&Occurrence| alignment.span_to_new(name.span).is_some();
            names.extend(before.declared().filter(kept));
        }
        for name in names {
            let excluded = but.is_some_and(|but| *name.name == *but);
            if kinds.contains(&name.kind) && !excluded && !self.typed_now(name) {
                self.name(name);
            }
        }
    }

    /// Offers the declared data sets, except the one in whose declaration the cursor is: there, its name means the generator.
    fn other_data(&mut self) {
        let declared = self.study.declared();
        let before =
            declared.filter(|name| name.kind == NameKind::Data && name.span.start < self.offset);
        let own = before.last().map(|name| name.name.clone());
        self.declared_but(&[NameKind::Data], own.as_deref());
    }

    /// True if this name is the word being typed, read as a declaration.
    fn typed_now(&self, name: &Occurrence) -> bool {
        name.span.start == self.offset
    }

    /// The variables, indices and continuations that can be used at the cursor, innermost first.
    fn scope(&self) -> Vec<Occurrence> {
        let mut names: Vec<Occurrence> = Vec::new();
        let here = self.study.in_scope(self.offset);
        names.extend(here.filter(|name| !self.typed_now(name)).cloned());
        if let Some((before, alignment)) = &self.before {
            let kept = |name: &&Occurrence| alignment.span_to_new(name.span).is_some();
            let old = before.in_scope(alignment.to_old(self.offset));
            names.extend(old.filter(kept).cloned());
        }
        names
    }

    fn scoped(&mut self, kinds: &[NameKind]) {
        for name in self.scope() {
            if kinds.contains(&name.kind) {
                self.name(&name);
            }
        }
    }

    fn scoped_locations(&mut self) {
        for name in self.scope() {
            if name.kind == NameKind::Index && name.signature.contains('∷') {
                self.name(&name);
            }
        }
    }

    fn built_in_operations(&mut self) {
        let operations = [
            ("Get", "[ℓ] : 1 ▷ Real(n)", "Read a cell of the heap."),
            ("Put", "[ℓ] : Real(n) ▷ 1", "Write a cell of the heap."),
        ];
        for (name, signature, meaning) in operations {
            self.offer(name, NameKind::Operation.noun(), signature, Some(meaning));
        }
    }

    fn symbols(&mut self) {
        let kind = NameKind::Symbol.noun();
        for Family {
            name,
            signature,
            summary,
            ..
        } in families()
        {
            self.offer(name, kind, &format!(": {signature}"), Some(summary));
        }
        for axis in Axis::ALL {
            let (name, part) = (axis.name(), axis.part());
            let summary = format!("Apply f to each of the b {part}s of a matrix.");
            self.offer(name, kind, &format!("{name}[b, f]"), Some(&summary));
        }
    }

    /// Offers the locations of a shape, or all of them if the shape is unknown.
    fn locations(&mut self, shape: Option<&[Option<u64>]>) {
        let study = self.study;
        let sizes = Sizes::of(study);
        let fits = |decl: &LocDecl| {
            shape.is_none_or(|shape| {
                let agree = |(wanted, size): (&Option<u64>, &Size)| {
                    let size = sizes.value(size, &Cell::new(STEPS));
                    wanted.is_none() || size.is_none() || *wanted == size
                };
                shape.len() == decl.shape.len() && shape.iter().zip(&decl.shape).all(agree)
            })
        };
        let fitting: Vec<&LocDecl> = locations(study).filter(|decl| fits(decl)).collect();
        for decl in fitting {
            match study.name_at(decl.name.span.start) {
                Some(name) => self.name(name),
                None => self.offer(&decl.name.text, NameKind::Location.noun(), "", None),
            }
        }
    }

    /// The kind of index number `number` of the thing named `of`.
    fn wanted(&self, of: &str, number: usize) -> Wanted {
        match of {
            "Get" | "Put" => return Wanted::Location(None),
            "rd" => return Wanted::Symbol,
            _ if Axis::named(of).is_some() && number > 0 => return Wanted::Symbol,
            _ if of == "zero" || is_symbol(of) => return Wanted::Size,
            _ => {}
        }
        let texts = [
            Some(self.study),
            self.before.as_ref().map(|(before, _)| *before),
        ];
        let Some(param) = texts
            .into_iter()
            .flatten()
            .find_map(|study| parameters(study, of)?.get(number))
        else {
            return Wanted::Anything;
        };
        match &param.node {
            IndexParamKind::Location { shape, .. } => {
                // A bare name is bound by the parameter and hides any `dim` of that name, so only numerals have known values.
                let known = |size: &Size| match &size.node {
                    SizeKind::Number(number) => Some(*number),
                    _ => None,
                };
                Wanted::Location(Some(shape.iter().map(known).collect()))
            }
            IndexParamKind::Name(_) | IndexParamKind::Size(_) => Wanted::Size,
        }
    }
}

/// The kind of an expected index.
enum Wanted {
    /// A location. Its shape is `None`, or has `None` for sizes that are unknown.
    Location(Option<Vec<Option<u64>>>),
    Size,
    Symbol,
    Anything,
}

fn locations(study: &Study) -> impl Iterator<Item = &LocDecl> {
    study
        .program
        .items
        .iter()
        .filter_map(|item| match &item.node {
            ItemKind::Loc(decl) => Some(decl),
            _ => None,
        })
}

/// The index parameters of a declared name.
fn parameters<'a>(study: &'a Study, of: &str) -> Option<&'a [IndexParam]> {
    study.program.items.iter().find_map(|item| {
        let (name, params) = match &item.node {
            ItemKind::Loc(decl) => (&decl.name, &decl.params),
            ItemKind::Op(decl) => (&decl.name, &decl.params),
            ItemKind::Fun(decl) => (&decl.name, &decl.index_params),
            ItemKind::Command(decl) => (&decl.name, &decl.index_params),
            ItemKind::Handler(decl) => (&decl.name, &decl.index_params),
            _ => return None,
        };
        (&*name.text == of).then_some(params.as_slice())
    })
}

/// The declared dimensions.
struct Sizes<'a>(Vec<&'a (Name, Size)>);

impl Sizes<'_> {
    fn of(study: &Study) -> Sizes<'_> {
        let mut sizes = Vec::new();
        for item in &study.program.items {
            if let ItemKind::Dim(dims) = &item.node {
                sizes.extend(dims);
            }
        }
        Sizes(sizes)
    }

    /// The value of a size, if it is known.
    fn value(&self, size: &Size, steps: &Cell<u32>) -> Option<u64> {
        steps.set(steps.get().checked_sub(1)?);
        let both = |a: &Size, b: &Size| Some((self.value(a, steps)?, self.value(b, steps)?));
        match &size.node {
            SizeKind::Number(number) => Some(*number),
            SizeKind::Name(name) => {
                let (_, size) = self.0.iter().find(|(dim, _)| dim.text == name.text)?;
                self.value(size, steps)
            }
            SizeKind::Add(a, b) => both(a, b).and_then(|(a, b)| a.checked_add(b)),
            SizeKind::Subtract(a, b) => both(a, b).and_then(|(a, b)| a.checked_sub(b)),
            SizeKind::Multiply(a, b) => both(a, b).and_then(|(a, b)| a.checked_mul(b)),
            SizeKind::Ceiling(a, b) => both(a, b).and_then(|(a, b)| (b > 0).then(|| a.div_ceil(b))),
        }
    }
}
