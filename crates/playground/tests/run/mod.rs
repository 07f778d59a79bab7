//! A program that a session runs to its end, as a front end would.

use fletch_playground::protocol::{
    Advanced, Ask, Entry, Index, Layer, Level, Mode, Piece, Reply, Severity, Show, Stack, StepView,
};
use fletch_playground::{Budget, Session};
use std::fs;
use std::path::Path;

pub(crate) struct Run {
    pub(crate) session: Session,
    pub(crate) index: Index,
    pub(crate) advanced: Advanced,
}

impl Run {
    /// Runs a program, up to its end or for `steps` steps.
    pub(crate) fn of(source: &str, steps: usize) -> Run {
        Run::read_as(source, steps, Mode::default())
    }

    /// Runs a program with these options of its semantics.
    pub(crate) fn read_as(source: &str, steps: usize, mode: Mode) -> Run {
        let mut session = Session::new(Budget::steps(steps));
        let loaded = session.ask(
            1,
            Ask::Load {
                source: source.to_owned(),
                heap: Vec::new(),
                mode,
            },
        );
        let Reply::Checked(checked) = loaded else {
            panic!("{loaded:?}")
        };
        let errors = checked.diagnostics.iter();
        let errors: Vec<_> = errors
            .filter(|found| found.severity == Severity::Error)
            .collect();
        assert!(errors.is_empty(), "{errors:?}");
        let advance = Ask::Advance { milliseconds: 1000 };
        let Reply::Advanced(advanced) = session.ask(1, advance) else {
            panic!("no trace")
        };
        let index = index(&mut session);
        Run {
            session,
            index,
            advanced,
        }
    }

    pub(crate) fn example(name: &str) -> Run {
        Run::of(&example(name), 1_000_000)
    }

    pub(crate) fn show(&mut self, position: u32, level: Level) -> StepView {
        let show = Show {
            position,
            level,
            width: 80,
            ..Show::default()
        };
        match self.session.ask(1, Ask::Show(show)) {
            Reply::Shown(view) => *view,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn stacks(&mut self, position: u32) -> Vec<Stack> {
        self.show(position, Level::Every).sandwich
    }

    /// Sentence at a position, as text.
    pub(crate) fn sentence(&mut self, position: u32, level: Level) -> String {
        text(&self.show(position, level).sentence)
    }
}

pub(crate) fn index(session: &mut Session) -> Index {
    match session.ask(1, Ask::Index) {
        Reply::Indexed(index) => *index,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    fs::read_to_string(folder.join(format!("{name}.fletch"))).unwrap()
}

pub(crate) fn examples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let programs = files.filter(|path| path.extension().is_some_and(|kind| kind == "fletch"));
    let mut names: Vec<String> = programs
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

pub(crate) fn text(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}

/// Calls of a stack, without nested stacks.
pub(crate) fn layers(stack: &Stack) -> Vec<&Layer> {
    let layers = stack.entries.iter().filter_map(|entry| match entry {
        Entry::Call(layer) => Some(layer),
        Entry::Inner(_) | Entry::Left(_) => None,
    });
    layers.collect()
}

/// Nested stacks directly inside a stack.
pub(crate) fn inner(stack: &Stack) -> Vec<&Stack> {
    let stacks = stack.entries.iter().filter_map(|entry| match entry {
        Entry::Inner(stack) => Some(stack),
        Entry::Call(_) | Entry::Left(_) => None,
    });
    stacks.collect()
}

/// A stack and all stacks nested in it.
pub(crate) fn all(stack: &Stack) -> Vec<&Stack> {
    let mut found = vec![stack];
    for stack in inner(stack) {
        found.extend(all(stack));
    }
    found
}

/// A perceptron with this number of layers.
pub(crate) fn chain(layers: usize) -> String {
    use std::fmt::Write;
    let mut source = String::from("op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)\n");
    let mut body = String::new();
    for layer in 0..layers {
        writeln!(source, "loc w{layer} ∷ (2, 2) = glorot(seed: {layer})").unwrap();
        writeln!(body, "  let z ⇐ FC[w{layer}](x) in let x ⇐ ⌊swish(z)⌋ in").unwrap();
    }
    let rest = "handler H(t : Real(2)) : Real(2) {
  x ↦ ⌊0.1 · (x − t)⌋
  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                 | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
main = rev handle([1, −1])⟨x⟩. R(x) with H([0, 0])\n";
    format!("{source}command R(x : Real(2)) : Real(2) =\n{body}  ⌊x⌋\n{rest}")
}
