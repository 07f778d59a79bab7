//! Rules that every picture keeps.

use super::STYLES;
use fletch_arrows::{Arrow, Fault, NodeKind, Pass};
use fletch_calculus::Program;
use fletch_diagrams::{Graph, Kind, Mark, Opening, Picture, Shape};
use fletch_smooth::{Applied, Wire};
use std::collections::{BTreeMap, BTreeSet};

/// Checks the rules for the pictures of a program. Returns the number of boxes, or `None` if the arrow is too large.
pub(crate) fn drawn(program: &Program, source: &str) -> Result<Option<usize>, String> {
    let arrow = match Arrow::unrolled(&[], &program.main, &program.ty, 256).map(|(arrow, _)| arrow)
    {
        Ok(arrow) => arrow,
        Err(Fault::TooLarge { .. }) => return Ok(None),
        Err(fault) => return Err(format!("fault: {fault:?}")),
    };
    if arrow.counts().0 > 1_500 {
        return Ok(None);
    }
    let mut boxes = 0;
    for opening in openings(&arrow, source) {
        for (style, down) in STYLES.map(|style| [(style, false), (style, true)]).concat() {
            let graph = || {
                let mut graph = Graph::opened(&arrow, source, &opening);
                graph.down = down;
                graph
            };
            let picture = Picture::of(&graph(), style);
            let again = Picture::of(&graph(), style);
            let of = |error: String| format!("{error} ({style:?}, down: {down}, {opening:?})");
            if picture != again {
                return Err(of("changes".to_owned()));
            }
            complete(&arrow, &picture).map_err(of)?;
            clear(&picture).map_err(of)?;
            framed(&picture).map_err(of)?;
            if down {
                headed(&picture).map_err(of)?;
            }
            runs_framed(&arrow, &picture).map_err(of)?;
            joined(&picture).map_err(of)?;
            timed(&arrow, &picture, down).map_err(of)?;
            for rows in [2, 3] {
                let mut graph = graph();
                graph.rows = rows;
                let broken = Picture::of(&graph, style);
                let of = |error: String| of(format!("{error}, in {rows} rows"));
                complete(&arrow, &broken).map_err(of)?;
                clear(&broken).map_err(of)?;
                joined(&broken).map_err(of)?;
            }
            boxes += picture.boxes.len();
        }
    }
    Ok(Some(boxes))
}

/// Returns ways to open and fold a diagram: nothing opened; every box opened, four levels deep; every third of these boxes. For
/// nothing and for everything opened, they also have all runs of inner handlers folded, every other one, and the outermost.
pub(crate) fn openings(arrow: &Arrow, source: &str) -> Vec<Opening> {
    let mut all = Opening::default();
    for _ in 0..4 {
        let graph = Graph::opened(arrow, source, &all);
        let more = graph.boxes.into_iter().filter_map(|block| block.opens);
        all.keys.extend(more);
    }
    let some = |rest: usize| {
        let keys = all.keys.iter().enumerate();
        let keys = keys.filter(|(place, _)| place % 3 == rest);
        Opening {
            keys: keys.map(|(_, key)| key.clone()).collect(),
            ..Opening::default()
        }
    };
    let mut openings = vec![Opening::default(), some(0), some(1), all.clone()];
    for opening in [Opening::default(), all.clone()] {
        let graph = Graph::opened(arrow, source, &opening);
        let runs = graph.frames.iter().filter(|frame| frame.is_run);
        let runs: BTreeSet<String> = runs.map(|frame| frame.opens.clone()).collect();
        let bends = graph.boxes.iter().find_map(|block| block.folds.clone());
        let other = runs.iter().step_by(2).cloned().collect();
        for folds in [runs, other, bends.into_iter().collect()] {
            let mut folded = opening.clone();
            folded.keys.extend(folds);
            openings.push(folded);
        }
    }
    openings.dedup();
    openings
}

/// Checks that a frame contains exactly the boxes that are made of the opened item, and the frames inside it. Keys of boxes and frames
/// are distinct.
fn framed(picture: &Picture) -> Result<(), String> {
    type Frame = (f64, f64, f64, f64);
    let holds = |(x, y, w, h): Frame, (a, b, c, d): Frame| {
        x <= a && y <= b && a + c <= x + w && b + d <= y + h
    };
    let apart = |(x, y, w, h): Frame, (a, b, c, d): Frame| {
        x + w <= a || a + c <= x || y + h <= b || b + d <= y
    };
    let inside = |key: &str, within: &Option<String>| {
        let mut at = within.clone();
        while let Some(own) = at {
            if own == key {
                return true;
            }
            let frame = picture.frames.iter().find(|frame| frame.key == own);
            at = frame.and_then(|frame| frame.within.clone());
        }
        false
    };
    for frame in &picture.frames {
        for shape in &picture.boxes {
            let own = inside(&frame.key, &shape.within);
            if own && !holds(frame.frame, shape.frame) {
                return Err(format!("frame: {} is not in {}", shape.label, frame.label));
            }
            if !own && !apart(frame.frame, shape.frame) {
                return Err(format!("frame: {} is in {}", shape.label, frame.label));
            }
            if own && !apart(frame.header, shape.frame) {
                return Err(format!("header: {} on {}", frame.label, shape.label));
            }
        }
        for other in picture.frames.iter().filter(|other| other.key != frame.key) {
            let own = inside(&frame.key, &other.within);
            let fits = match (own, inside(&other.key, &frame.within)) {
                (true, _) => holds(frame.frame, other.frame),
                (_, true) => true,
                _ => apart(frame.frame, other.frame),
            };
            if !fits {
                return Err(format!("frames: {} and {}", frame.label, other.label));
            }
        }
    }
    let keys = picture.boxes.iter().map(|shape| &shape.key);
    let keys: Vec<&String> = keys
        .chain(picture.frames.iter().map(|frame| &frame.key))
        .collect();
    let distinct: BTreeSet<&String> = keys.iter().copied().collect();
    if distinct.len() != keys.len() {
        return Err(format!("keys: {keys:?}"));
    }
    Ok(())
}

/// Checks a downward diagram, whose headers are in corners: no wire runs through the text of a header.
fn headed(picture: &Picture) -> Result<(), String> {
    for frame in &picture.frames {
        let (x, y, w, h) = frame.header;
        let w = w.min(21.0 + 7.0 * frame.header_text().chars().count() as f64);
        for wire in &picture.wires {
            for pair in wire.points.windows(2) {
                let ((ax, ay), (bx, by)) = (pair[0], pair[1]);
                let through = ax.min(bx) < x + w
                    && ax.max(bx) > x + 6.0
                    && ay.min(by) < y + h - 4.0
                    && ay.max(by) > y + 4.0;
                if through {
                    return Err(format!("header: a wire through {}", frame.header_text()));
                }
            }
        }
    }
    Ok(())
}

/// Checks that the frame of a run that an outer handler handles contains exactly the boxes of that run in its lane: those whose first
/// statement belongs to the handled run.
fn runs_framed(arrow: &Arrow, picture: &Picture) -> Result<(), String> {
    let opened = |shape: &&Shape| picture.is_opened(shape.within.as_deref());
    let mut runs: BTreeMap<(u32, Pass, u32), (String, BTreeSet<&str>)> = BTreeMap::new();
    for shape in picture.boxes.iter().filter(|shape| !opened(shape)) {
        let node = &arrow.map.statements()[shape.statements[0]].applied;
        let Some(outer) = node.provenance.passage.as_deref() else {
            continue;
        };
        let handled = outer.call.as_ref().and_then(|call| call.passage.as_deref());
        let Some(inner) = handled.filter(|_| shape.folds.is_some()) else {
            continue;
        };
        let key = (outer.run, outer.pass, inner.run);
        let of = || (inner.handler.to_string(), BTreeSet::new());
        runs.entry(key).or_insert_with(of).1.insert(&shape.key);
    }
    let outermost = picture.frames.iter().filter(|frame| frame.within.is_none());
    let outermost = outermost.filter(|frame| frame.is_run);
    let mut frames: Vec<(String, BTreeSet<&str>)> = Vec::new();
    for frame in outermost {
        let (x, y, w, h) = frame.frame;
        let inside = picture.boxes.iter().filter(|shape| {
            let (a, b, c, d) = shape.frame;
            x <= a && y <= b && a + c <= x + w && b + d <= y + h
        });
        let inside = inside.filter(|shape| !opened(shape));
        let keys = inside.map(|shape| shape.key.as_str()).collect();
        frames.push((frame.label.clone(), keys));
    }
    let whole = picture.boxes.iter().filter(|shape| {
        let folded = shape
            .opens
            .as_ref()
            .and_then(|opens| opens.rsplit('/').next());
        folded.is_some_and(|own| own.starts_with('n'))
    });
    let whole: BTreeSet<&str> = whole.map(|shape| shape.key.as_str()).collect();
    // A folded run has no frame, and an opened clause is not a box.
    runs.retain(|_, (_, keys)| !keys.iter().all(|key| whole.contains(key)));
    frames.retain(|(_, keys)| !keys.is_empty());
    let mut runs: Vec<_> = runs.into_values().collect();
    runs.sort();
    frames.sort();
    if runs != frames {
        return Err(format!("runs: {runs:?}, but framed: {frames:?}"));
    }
    Ok(())
}

/// Checks that a wire begins and ends at edges of its boxes, at copies, or where another wire continues.
pub(crate) fn joined(picture: &Picture) -> Result<(), String> {
    let near = |a: f64, b: f64| (a - b).abs() < 0.6;
    let on_edge = |number: &usize, (px, py): (f64, f64)| {
        let (x, y, w, h) = picture.boxes[*number].frame;
        let within = (x - 0.6..=x + w + 0.6).contains(&px) && (y - 0.6..=y + h + 0.6).contains(&py);
        within && (near(px, x) || near(px, x + w) || near(py, y) || near(py, y + h))
    };
    let at = |(x, y): (f64, f64), (a, b): (f64, f64)| near(x, a) && near(y, b);
    for (number, wire) in picture.wires.iter().enumerate() {
        let others = || (picture.wires.iter().enumerate()).filter(|(other, _)| *other != number);
        let (first, last) = (wire.points[0], *wire.points.last().unwrap());
        let goes_on = |end: (f64, f64)| {
            picture.dots.iter().any(|dot| at(dot.at, end))
                || others().any(|(_, other)| {
                    at(other.points[0], end) || at(*other.points.last().unwrap(), end)
                })
        };
        // At the ends of the diagram, types are written next to wires.
        let leaves =
            (picture.types.iter()).any(|text| near(text.at.0, last.0) || near(text.at.1, last.1));
        let begins = wire.ends.0.is_none_or(|from| on_edge(&from, first)) || goes_on(first);
        let to = &wire.ends.1;
        let ends = to.is_empty()
            || to.iter().any(|target| on_edge(target, last))
            || goes_on(last)
            || leaves;
        if !begins || !ends {
            let label = |number: &usize| picture.boxes[*number].label.clone();
            return Err(format!(
                "joined: a loose end, from {:?} to {:?}",
                wire.ends.0.as_ref().map(label),
                to.iter().map(label).collect::<Vec<_>>()
            ));
        }
    }
    Ok(())
}

/// Checks that boxes with operations are in the order of time along the flow: forward in one direction, backward in the other. A
/// clause without operations has no time.
fn timed(arrow: &Arrow, picture: &Picture, down: bool) -> Result<(), String> {
    let performs = |number: &usize| {
        arrow.map.statements()[*number]
            .applied
            .operation()
            .is_some()
    };
    let along = |shape: &Shape| {
        let (x, y, w, h) = shape.frame;
        if down { y + h / 2.0 } else { x + w / 2.0 }
    };
    let performed = picture.boxes.iter().filter(|shape| {
        !picture.is_opened(shape.within.as_deref())
            && shape.mark.is_some()
            && shape.statements.iter().any(performs)
    });
    // In the unbent style, `f` and `b` go in the same direction.
    let mut lanes: BTreeMap<(usize, bool), Vec<&Shape>> = BTreeMap::new();
    for shape in performed {
        let run = shape.part.map_or(0, |part| part.run);
        let turned = matches!(shape.mark, Some(Mark::Left | Mark::Up));
        lanes.entry((run, turned)).or_default().push(shape);
    }
    for ((_, turned), mut lane) in lanes {
        lane.sort_by_key(|shape| shape.statements.first());
        let wrong = lane.windows(2).find(|pair| {
            let on = along(pair[1]) - along(pair[0]);
            if turned { on >= 0.0 } else { on <= 0.0 }
        });
        if let Some(pair) = wrong {
            return Err(format!("time: {} before {}", pair[1].label, pair[0].label));
        }
    }
    Ok(())
}

/// Checks that every statement is in at most one box, and in exactly one unless it gives only unit values.
pub(crate) fn complete(arrow: &Arrow, picture: &Picture) -> Result<(), String> {
    for (number, statement) in arrow.map.statements().iter().enumerate() {
        let boxes = picture.boxes.iter();
        let count = boxes
            .filter(|shape| shape.statements.contains(&number))
            .count();
        let unit = statement
            .results()
            .all(|wire| arrow.map.size(Wire(wire)) == 0);
        let least = usize::from(!unit || statement.applied.is_kept());
        // A loop is in several boxes, those of its body.
        let most = match statement.applied.kind {
            NodeKind::Loop(_) => usize::MAX,
            _ => 1,
        };
        if !(least..=most).contains(&count) {
            return Err(format!(
                "complete: {} stands in {count} boxes",
                statement.applied
            ));
        }
    }
    Ok(())
}

/// Checks that boxes do not overlap, and that wires are vertical or horizontal and outside of boxes.
pub(crate) fn clear(picture: &Picture) -> Result<(), String> {
    for (index, a) in picture.boxes.iter().enumerate() {
        for b in picture.boxes.iter().skip(index + 1) {
            let apart = a.frame.0 + a.frame.2 <= b.frame.0
                || b.frame.0 + b.frame.2 <= a.frame.0
                || a.frame.1 + a.frame.3 <= b.frame.1
                || b.frame.1 + b.frame.3 <= a.frame.1;
            if !apart {
                return Err(format!("overlap: {} and {}", a.label, b.label));
            }
        }
    }
    for wire in &picture.wires {
        for pair in wire.points.windows(2) {
            let ((ax, ay), (bx, by)) = (&pair[0], &pair[1]);
            if !(ax.is_finite() && ay.is_finite()) || (ax != bx && ay != by) {
                return Err(format!("slanted: {pair:?}"));
            }
            for shape in &picture.boxes {
                let (x, y, w, h) = shape.frame;
                let inset = if shape.kind == Kind::Sum { 9.5 } else { 0.5 };
                let through = ax.min(*bx) < x + w - inset
                    && ax.max(*bx) > x + inset
                    && ay.min(*by) < y + h - inset
                    && ay.max(*by) > y + inset;
                if through {
                    return Err(format!("through: a wire through {}", shape.label));
                }
            }
        }
    }
    Ok(())
}
