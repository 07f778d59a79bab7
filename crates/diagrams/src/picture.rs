//! Pictures from boxes and wires. *Unbent*: one lane, as in the paper. *Bent*: the paper's picture cut after the return clause of each run,
//! with its right half turned by 180° under the left, so that each operation is opposite its own backward clause, and a saved value is a
//! short wire between the two.

use crate::bend::bent;
use crate::display::{Flow, Mark, Picture};
use crate::graph::Graph;
use crate::measure::{LEVEL, MARGIN};
use crate::unbent::unbent;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Style of a diagram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Style {
    /// Forward and backward lane, side by side.
    #[default]
    Bent,
    /// One lane, as in the paper.
    Unbent,
}

impl Picture {
    /// The picture of a graph.
    pub fn of(graph: &Graph, style: Style) -> Picture {
        let mut picture = Picture::default();
        let bends = style == Style::Bent && !graph.runs.is_empty();
        if !(bends && bent(graph, &mut picture)) {
            picture = Picture::default();
            unbent(graph, &mut picture);
        }
        picture.down = graph.down;
        picture.link(graph);
        if graph.down {
            picture.turn_down();
        }
        picture.bound(MARGIN);
        picture
    }

    /// Exchanges the coordinates along and across the flow. Boxes are laid out for this exchange, so texts stay upright.
    fn turn_down(&mut self) {
        let point = |(u, v): &mut (f64, f64)| std::mem::swap(u, v);
        let rectangle = |(x, y, w, h): &mut (f64, f64, f64, f64)| {
            std::mem::swap(x, y);
            std::mem::swap(w, h);
        };
        for wire in &mut self.wires {
            wire.points.iter_mut().for_each(point);
            for (at, direction) in &mut wire.heads {
                point(at);
                point(direction);
            }
        }
        self.dots.iter_mut().for_each(|dot| point(&mut dot.at));
        self.chips.iter_mut().for_each(|chip| point(&mut chip.at));
        for shape in &mut self.boxes {
            rectangle(&mut shape.frame);
            shape.mark = shape.mark.map(Mark::turned);
        }
        for frame in &mut self.frames {
            rectangle(&mut frame.frame);
            rectangle(&mut frame.header);
        }
        // A type is written beyond the end of its wire, on a line of its own.
        let boxes = self.boxes.iter().map(|shape| shape.frame.1);
        let first = boxes.fold(0.0, f64::min);
        let (mut above, mut below) = (0.0, 0.0);
        for text in &mut self.types {
            point(&mut text.at);
            if text.at.1 <= first {
                above += LEVEL;
                text.at.1 -= above - LEVEL / 2.0;
            } else {
                below += LEVEL;
                text.at.1 += below - LEVEL / 2.0;
            }
        }
    }

    /// Sets the boxes at the ends of wires, by their indices in the picture, and the names of the values that boxes save.
    fn link(&mut self, graph: &Graph) {
        let places: BTreeMap<&str, usize> = (self.boxes.iter().enumerate())
            .map(|(place, shape)| (shape.key.as_str(), place))
            .collect();
        let place = |number: usize| {
            let block = graph.boxes.get(number)?;
            places.get(block.key.as_str()).copied()
        };
        let mut saves: Vec<(usize, Vec<usize>, String)> = Vec::new();
        for wire in &mut self.wires {
            let (from, to) = &mut wire.ends;
            *from = from.and_then(place);
            *to = to.iter().filter_map(|number| place(*number)).collect();
            if let (Flow::Saved, Some(from), Some(name)) = (wire.flow, *from, &wire.name) {
                saves.push((from, to.clone(), name.clone()));
            }
        }
        for (from, to, name) in saves {
            // An operation's result may be saved, too, but for another derivative.
            let unit = |number: usize| {
                let part = self.boxes.get(number)?.part?;
                Some((part.run, part.unit))
            };
            if !to.iter().any(|to| unit(*to) == unit(from)) {
                continue;
            }
            if let Some(shape) = self.boxes.get_mut(from)
                && !shape.saves.contains(&name)
            {
                shape.saves.push(name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Style;
    use crate::cases::{check, flows, graph, places, sketch};
    use crate::display::{Mark, Picture};

    const RUN: (&str, &str) = (
        "F› G› r⤺ G‹ F‹",
        "in0 → F›; F› → G› F‹; G› → r⤺ G‹; r⤺ → G‹; G‹ → F‹; F‹ → out0",
    );

    #[test]
    fn downward_columns_are_rows_and_marks_point_down_and_up() {
        let mut graph = sketch(RUN.0, RUN.1);
        graph.down = true;
        let picture = Picture::of(&graph, Style::Bent);
        check(
            &places(&picture),
            "
            F› @ 0,0
            G› @ 0,1
            G‹ @ 2,1
            F‹ @ 2,0
            r @ 1,2",
        );
        let marks = picture.boxes.iter().filter_map(|shape| shape.mark);
        assert_eq!(
            marks.collect::<Vec<_>>(),
            [Mark::Down, Mark::Down, Mark::Up, Mark::Up]
        );
    }

    #[test]
    fn a_wire_says_what_it_carries_and_between_which_boxes() {
        check(
            &flows(&Picture::of(&sketch(RUN.0, RUN.1), Style::Bent)),
            "
            · → F› (forward)
            F› → G›, F‹ (forward)
            G› → r, G‹ (forward)
            r → G‹ (backward)
            G‹ → F‹ (backward)
            F‹ →  (backward)
            F› → G›, F‹ (saved)
            G› → r, G‹ (saved)",
        );
    }

    #[test]
    fn a_box_tells_what_it_saves_for_its_own_other_half() {
        let main = "rev handle([1, 2])⟨x⟩. (let y ⇐ F(x) in ⌊sin(y)⌋) with T([0, 1])";
        let picture = Picture::of(&graph(main), Style::Bent);
        let saves = picture.boxes.iter().filter(|shape| !shape.saves.is_empty());
        let saves: Vec<String> = saves
            .map(|shape| format!("{}: {}", shape.label, shape.saves.join(", ")))
            .collect();
        // The result y of F is saved for another derivative.
        assert_eq!(saves, ["F: a, x"]);
    }
}
