//! Renderers of a laid-out command. The page takes lines of pieces; other renderers receive the same pieces, and the groups that
//! they belong to.

use crate::pieces::{Chip, Fold, Line, Mark, Piece, PieceKind};
use crate::printer::{Annotation, Doc, Group, Printer, Style, Subject};
use fletch_calculus::{Command, Term};
use pretty::{Arena, Render, RenderAnnotated};
use std::rc::Rc;

/// Renderer of a command: it receives the lines of the layout, and their pieces.
pub trait Renderer {
    /// Begins a new line, indented by `indent` columns.
    fn line(&mut self, indent: u32);
    /// Adds a run of text of one kind; adjacent runs may have the same kind.
    fn piece(&mut self, piece: Piece);
    /// Opens a group, which begins with the next piece.
    fn open(&mut self, _group: &Group) {}
    /// Closes the innermost group.
    fn close(&mut self, _group: &Group) {}
}

/// Lays a command out to `width` columns and passes it to the renderer.
pub fn render(command: &Command, style: Style<'_>, width: usize, renderer: &mut impl Renderer) {
    let arena = Arena::new();
    let doc = Printer::new(&arena, style).print(command);
    draw(&doc, width, renderer);
}

fn draw(doc: &Doc<'_>, width: usize, renderer: &mut impl Renderer) {
    let mut layout = Layout {
        renderer,
        annotations: Vec::new(),
        indent: Some(0),
        opened: 0,
    };
    // Writing into memory does not fail.
    let _ = doc.1.render_raw(width, &mut layout);
    layout.begin();
}

/// A command laid out to `width` columns, as lines for the page.
pub fn lines(command: &Command, style: Style<'_>, width: usize) -> Vec<Line> {
    let mut lines = Lines(Vec::new());
    render(command, style, width, &mut lines);
    lines.0.iter_mut().for_each(|line| fit(line, width));
    lines.0
}

/// A term alone, laid out to `width` columns, as between the ⌊ ⌋ of a command.
pub fn term_lines(term: &Term, style: Style<'_>, width: usize) -> Vec<Line> {
    let arena = Arena::new();
    let mut lines = Lines(Vec::new());
    let doc = Printer::new(&arena, style).print_term(term);
    draw(&doc, width, &mut lines);
    lines.0
}

/// A context, laid out to `width` columns: a command with `[ ]` in place of the command at path `hole`.
pub fn context_lines(
    command: &Command,
    hole: &[usize],
    style: Style<'_>,
    width: usize,
) -> Vec<Line> {
    let arena = Arena::new();
    let mut lines = Lines(Vec::new());
    let doc = Printer::new(&arena, style).print_context(command, hole);
    draw(&doc, width, &mut lines);
    lines.0
}

/// Subject of the piece of this number, in a command printed in this style.
pub fn subject(command: &Command, style: Style<'_>, number: u32) -> Option<Subject> {
    let arena = Arena::new();
    Printer::new(&arena, style).subject(command, number)
}

/// Removes the remarks of a line that is too wide: the layout does not count them.
fn fit(line: &mut Line, width: usize) {
    let is_note = |piece: &Piece| piece.kind == PieceKind::Note;
    if line.end() > width && line.pieces.iter().any(is_note) {
        line.pieces.retain(|piece| !is_note(piece));
    }
}

/// The page's renderer. Adjacent runs with equal attributes become one piece.
struct Lines(Vec<Line>);

impl Renderer for Lines {
    fn line(&mut self, indent: u32) {
        self.0.push(Line {
            indent,
            pieces: Vec::new(),
        });
    }

    fn piece(&mut self, piece: Piece) {
        let Some(line) = self.0.last_mut() else {
            return;
        };
        match line.pieces.last_mut() {
            Some(last)
                if last.kind == piece.kind
                    && last.mark == piece.mark
                    && last.node == piece.node
                    && last.fold == piece.fold
                    && last.chip.is_none()
                    && piece.chip.is_none() =>
            {
                last.text.push_str(&piece.text);
            }
            _ => line.pieces.push(piece),
        }
    }
}

/// Output of `pretty`, forwarded to a renderer.
struct Layout<'r, R> {
    renderer: &'r mut R,
    annotations: Vec<Annotation>,
    /// Indentation of a line that has begun and is still empty.
    indent: Option<u32>,
    /// Number of the enclosing groups that are open in the renderer.
    opened: usize,
}

impl<R: Renderer> Layout<'_, R> {
    /// Reports a line that has begun to the renderer.
    fn begin(&mut self) {
        if let Some(indent) = self.indent.take() {
            self.renderer.line(indent);
        }
    }

    fn push(&mut self, text: &str) {
        self.begin();
        let groups = self.annotations.iter().filter_map(group);
        groups
            .skip(self.opened)
            .for_each(|group| self.renderer.open(group));
        self.opened = self.annotations.iter().filter_map(group).count();
        let mut kind = PieceKind::Plain;
        let mut chip: Option<Rc<Chip>> = None;
        let mut mark = Mark::None;
        let mut node = 0;
        let mut fold: Option<Fold> = None;
        for annotation in &self.annotations {
            match annotation {
                Annotation::Kind(inner) => kind = *inner,
                Annotation::Node(inner) => node = *inner,
                Annotation::Fold(inner) => fold = Some(*inner),
                Annotation::Chip(inner) => chip = Some(inner.clone()),
                Annotation::Mark(Mark::None) => {}
                // A redex inside the contractum of the last step is marked as redex.
                Annotation::Mark(inner) if mark != Mark::Redex => mark = *inner,
                Annotation::Mark(_) | Annotation::Group(_) => {}
            }
        }
        if kind == PieceKind::Note {
            mark = Mark::None;
        }
        self.renderer.piece(Piece {
            kind,
            text: text.to_owned(),
            mark,
            chip: chip.map(|chip| (*chip).clone()),
            node,
            fold,
        });
    }
}

/// The group of an annotation, if it is one.
fn group(annotation: &Annotation) -> Option<&Group> {
    match annotation {
        Annotation::Group(group) => Some(group),
        _ => None,
    }
}

impl<R: Renderer> Render for Layout<'_, R> {
    type Error = std::fmt::Error;

    fn write_str(&mut self, text: &str) -> Result<usize, Self::Error> {
        self.write_str_all(text)?;
        Ok(text.len())
    }

    fn write_str_all(&mut self, text: &str) -> Result<(), Self::Error> {
        // `pretty` writes a newline, then spaces: a new line, then its indentation.
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('\n') {
            if !before.is_empty() {
                self.push(before);
            }
            self.begin();
            self.indent = Some(0);
            rest = after;
        }
        if let Some(indent) = &mut self.indent {
            let trimmed = rest.trim_start_matches(' ');
            *indent += u32::try_from(rest.len() - trimmed.len()).unwrap_or(u32::MAX);
            rest = trimmed;
        }
        if !rest.is_empty() {
            self.push(rest);
        }
        Ok(())
    }

    fn fail_doc(&self) -> Self::Error {
        std::fmt::Error
    }
}

impl<R: Renderer> RenderAnnotated<'_, Annotation> for Layout<'_, R> {
    fn push_annotation(&mut self, annotation: &Annotation) -> Result<(), Self::Error> {
        self.annotations.push(annotation.clone());
        Ok(())
    }

    fn pop_annotation(&mut self) -> Result<(), Self::Error> {
        let last = self.annotations.pop();
        let around = self.annotations.iter().filter_map(group).count();
        // A group without a text was never opened.
        if let Some(Annotation::Group(group)) = last
            && around < self.opened
        {
            self.renderer.close(&group);
            self.opened = around;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{context_lines, term_lines};
    use crate::{Chips, Folds, Line, Marks, Names, Style, Values, text};
    use fletch_calculus::{
        Command, CommandKind, Origin, Role, Tensor, Term, Variable, VariableKind,
    };

    fn variable(id: u32, name: &str) -> Variable {
        Variable {
            id,
            kind: VariableKind::Plain,
            name: name.into(),
        }
    }

    fn printed(print: impl FnOnce(Style<'_>) -> Vec<Line>) -> String {
        let chips = Chips::default();
        let lines = print(Style {
            names: Names::default(),
            folds: Folds::default(),
            values: Values::Told(&chips),
            marks: Marks::default(),
        });
        let mut pieces = lines.iter().flat_map(|line| &line.pieces);
        assert!(pieces.all(|piece| piece.node == 0));
        text(&lines)
    }

    #[test]
    fn a_term_by_itself_has_no_brackets_and_a_context_has_a_hole() {
        let at = Origin::default();
        let x = variable(1, "x");
        let five = Term::constant(Tensor::vector(vec![1.0, 2.0, 3.0, 4.0, 5.0]), at);
        let sum = Term::add(Term::variable(&x, at), five, at);
        assert_eq!(
            printed(|style| term_lines(&sum, style, 80)),
            "x + [1, 2, 3, …]"
        );
        let bind = |bound: Command, body: Command| {
            Command::new(
                CommandKind::Let {
                    variable: x.clone(),
                    bound,
                    body,
                    role: Role::Plain,
                },
                at,
            )
        };
        let inner = bind(Command::pure(sum.clone(), at), Command::pure(sum, at));
        let outer = bind(inner, Command::pure(Term::variable(&x, at), at));
        assert_eq!(
            printed(|style| context_lines(&outer, &[0], style, 80)),
            "let x ⇐\n  [ ]\nin\n⌊x⌋"
        );
        assert_eq!(
            printed(|style| context_lines(&outer, &[0, 0], style, 80)),
            "let x ⇐\n  let x ⇐ [ ] in\n  ⌊x + [1, 2, 3, …]⌋\nin\n⌊x⌋"
        );
    }
}
