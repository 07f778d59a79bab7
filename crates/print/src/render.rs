//! The layout as lines of pieces.

use crate::pieces::{Chip, Fold, Line, Mark, Piece, PieceKind};
use crate::printer::{Annotation, Doc, Printer, Style, Subject};
use fletch_calculus::Command;
use pretty::{Arena, Render, RenderAnnotated};
use std::rc::Rc;

/// A command laid out to `width` columns.
pub fn lines(command: &Command, style: Style<'_>, width: usize) -> Vec<Line> {
    let arena = Arena::new();
    laid_out(&Printer::new(&arena, style).print(command), width)
}

/// What the piece of this number is of, in a command printed in this style.
pub fn subject(command: &Command, style: Style<'_>, number: u32) -> Option<Subject> {
    let arena = Arena::new();
    Printer::new(&arena, style).subject(command, number)
}

/// Lays a document out to `width` columns.
fn laid_out(doc: &Doc<'_>, width: usize) -> Vec<Line> {
    let mut layout = Layout {
        lines: vec![Line {
            indent: 0,
            pieces: Vec::new(),
        }],
        annotations: Vec::new(),
    };
    // Writing into memory does not fail.
    let _ = doc.1.render_raw(width, &mut layout);
    layout.lines.iter_mut().for_each(|line| fit(line, width));
    layout.lines
}

/// Leaves a remark out where it has no room: the layout reckons without it.
fn fit(line: &mut Line, width: usize) {
    let is_note = |piece: &Piece| piece.kind == PieceKind::Note;
    if line.end() > width && line.pieces.iter().any(is_note) {
        line.pieces.retain(|piece| !is_note(piece));
    }
}

struct Layout {
    lines: Vec<Line>,
    annotations: Vec<Annotation>,
}

impl Layout {
    fn push(&mut self, text: &str) {
        let Some(line) = self.lines.last_mut() else {
            return;
        };
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
                // A redex inside what the last step made is still the redex.
                Annotation::Mark(inner) if mark != Mark::Redex => mark = *inner,
                Annotation::Mark(_) => {}
            }
        }
        if kind == PieceKind::Note {
            mark = Mark::None;
        }
        let chip = chip.map(|chip| (*chip).clone());
        match line.pieces.last_mut() {
            Some(last)
                if last.kind == kind
                    && last.mark == mark
                    && last.node == node
                    && last.fold == fold
                    && last.chip.is_none()
                    && chip.is_none() =>
            {
                last.text.push_str(text);
            }
            _ => line.pieces.push(Piece {
                kind,
                text: text.to_owned(),
                mark,
                chip,
                node,
                fold,
            }),
        }
    }
}

impl Render for Layout {
    type Error = std::fmt::Error;

    fn write_str(&mut self, text: &str) -> Result<usize, Self::Error> {
        self.write_str_all(text)?;
        Ok(text.len())
    }

    fn write_str_all(&mut self, text: &str) -> Result<(), Self::Error> {
        // The renderer writes a newline, then spaces: a new line, then its indentation.
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('\n') {
            if !before.is_empty() {
                self.push(before);
            }
            self.lines.push(Line {
                indent: 0,
                pieces: Vec::new(),
            });
            rest = after;
        }
        if let Some(line) = self.lines.last_mut()
            && line.pieces.is_empty()
        {
            let trimmed = rest.trim_start_matches(' ');
            line.indent += u32::try_from(rest.len() - trimmed.len()).unwrap_or(u32::MAX);
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

impl RenderAnnotated<'_, Annotation> for Layout {
    fn push_annotation(&mut self, annotation: &Annotation) -> Result<(), Self::Error> {
        self.annotations.push(annotation.clone());
        Ok(())
    }

    fn pop_annotation(&mut self) -> Result<(), Self::Error> {
        self.annotations.pop();
        Ok(())
    }
}
