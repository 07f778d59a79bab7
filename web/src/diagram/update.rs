//! Updates of the diagrams: the reader's actions, the requests to the workers, and following the run.

use super::following::{Following, Phase};
use super::sheet::{Drawn, Sheet, SheetMsg, Wish};
use super::{Diagram, DiagramMsg, HANDLED, NETWORK, SaveAs};
use crate::effects::{Effect, File};
use crate::model::{Model, Pane, Shared, Tab, Want, WorkerId};
use crate::present::Stand;
use crate::update::ask::send;
use crate::update::page;
use fletch_link::Part;
use fletch_playground::diagram::{Format, Shape, Style};
use fletch_playground::protocol::{Ask, Drawing, Figure, Moments, Refusal, Request, Unasked};
use std::collections::BTreeSet;

#[inline(never)] // A start does without it.
pub(crate) fn change(model: &mut Model, msg: DiagramMsg, effects: &mut Vec<Effect>) {
    let diagram = &mut model.diagram;
    match msg {
        DiagramMsg::Of(name) => {
            diagram.of = name;
            diagram.down = None;
            diagram.open = Default::default();
        }
        DiagramMsg::Part(part) => diagram.part = part,
        DiagramMsg::Style(style) => diagram.style = style,
        DiagramMsg::Turn => {
            let main = diagram.shown().last().copied().unwrap_or(HANDLED);
            diagram.down = Some(!diagram.is_down(main));
        }
        DiagramMsg::Norms(on) => diagram.run.normed = on,
        DiagramMsg::Moment(key, moment) => {
            let chosen = &mut diagram.run.moments;
            match moment {
                Some(moment) => drop(chosen.insert(key.to_string(), moment)),
                None => drop(chosen.remove(&*key)),
            }
        }
        DiagramMsg::Sheet(number, msg) => sheet(model, number, &msg, effects),
        DiagramMsg::OpenAll(open) => open_all(diagram, open),
        DiagramMsg::AtWork(open) => diagram.closed = !open,
        DiagramMsg::Unchoose => diagram.chosen = None,
        DiagramMsg::Rest => diagram
            .sheets
            .iter_mut()
            .for_each(|sheet| sheet.hover = None),
        DiagramMsg::Box(met) => {
            // The box is looked for in the whole diagram of `main`.
            diagram.sought = Some(met);
            diagram.of = "main".into();
            if diagram.part == Part::Network {
                diagram.part = Part::Handled;
            }
            model.layout.pane = Pane::Steps;
            page::tab(model, Tab::Diagram, effects);
        }
        DiagramMsg::More(open) => diagram.more = open,
        DiagramMsg::Save(number, kind) => save(model, number, kind, effects),
    }
}

/// Takes note of the commands of a program; the first one is drawn if the current one is missing.
pub(crate) fn read(diagram: &mut Diagram, commands: &[String]) {
    if !commands.iter().any(|name| **name == *diagram.of) {
        diagram.of = commands.first().map_or("", String::as_str).into();
    }
}

/// Requests for the diagrams that are shown.
#[inline(never)] // A start does without it.
pub(crate) fn wants(model: &Model) -> Vec<Want> {
    let Some(subject) = model.read().filter(|_| model.draws()) else {
        return Vec::new();
    };
    let diagram = &model.diagram;
    let commands = subject.commands.as_deref().unwrap_or_default();
    if model.is_ahead() && !commands.iter().any(|name| **name == *diagram.of) {
        return Vec::new();
    }
    let sheets = diagram.shown().iter().map(|number| {
        let drawing = Drawing {
            of: diagram.of.to_string(),
            network: *number == NETWORK,
            style: diagram.style,
            room: (diagram.sheets.get(*number)).and_then(|sheet| sheet.room(diagram.down)),
            open: (diagram.open.get(*number)).map_or_else(Vec::new, |open| open.to_vec()),
            unasked: unasked(model, *number),
        };
        Want::once(Ask::Draw(drawing))
    });
    let run = match &*diagram.of {
        "main" => of_run(model, subject.revision),
        _ => Vec::new(),
    };
    sheets.chain(run).collect()
}

/// Operations that a sheet opens automatically: in the diagram of `main`, the one at work.
fn unasked(model: &Model, number: usize) -> Unasked {
    let diagram = &model.diagram;
    if diagram.closed || number != HANDLED || &*diagram.of != "main" || diagram.style != Style::Bent
    {
        return Unasked::Closed;
    }
    let drawn = diagram
        .sheets
        .get(number)
        .and_then(|sheet| sheet.drawn.as_ref());
    // Without room for open boxes, the drawing is the same at every position.
    let roomy = |drawn: &&Shared<Drawn>| {
        let figure = drawn.figure.as_ref();
        figure.is_ok_and(|figure| figure.scale.is_some())
    };
    let Some(drawn) = drawn.filter(roomy) else {
        return Unasked::AtWork(None);
    };
    match (&drawn.figure, model.following(number)) {
        (Ok(figure), Some(at)) => Unasked::AtWork(at.opens(&figure.picture)),
        // Until the new program or run is known, the drawing stays.
        _ => drawn.asked.unasked.clone(),
    }
}

/// Requests for the parts of the run in the shown sheets, and for the values and norms on their wires.
fn of_run(model: &Model, revision: u32) -> Vec<Want> {
    let (diagram, run) = (&model.diagram, &model.diagram.run);
    let Some((_, timeline)) = run.timeline.as_ref().filter(|(of, _)| *of == revision) else {
        return Vec::new();
    };
    let links = diagram.shown().iter().map(|number| {
        let (network, timeline) = (*number == NETWORK, timeline.clone());
        Want::once(Ask::Follow { network, timeline })
    });
    let mut wants: Vec<Want> = links.collect();
    // Values on the wires would answer an open question of the lesson.
    if model.is_veiled() {
        return wants;
    }
    let mut following = diagram.shown().iter();
    let following = following.find_map(|number| model.following(*number));
    let moments = following.map_or_else(Moments::new, |following| following.moments);
    // One reply at a time: a slider passes many moments, and only the last is requested after the reply.
    let awaited = model.second.awaits(|ask| matches!(ask, Ask::Values(_)));
    if moments.is_empty() || !awaited {
        wants.push(Want::once(Ask::Values(moments.clone())));
    }
    // One reply at a time: the training has advanced by then, and norms are requested again.
    if run.normed && !model.second.awaits(|ask| matches!(ask, Ask::Norms(_))) {
        let trained = model.train.trained.as_ref();
        let trained = trained.filter(|_| model.train.asked == Some(revision));
        wants.push(Want {
            ask: Ask::Norms(moments),
            stamp: trained.map_or(0, |trained| trained.steps),
        });
    }
    wants
}

/// Request to the worker of the steps for the times of the run, once all of the run is known.
pub(crate) fn wants_of_steps(model: &Model) -> Option<Want> {
    let trace = model
        .trace
        .as_ref()
        .filter(|trace| trace.indexed().is_some())?;
    let wanted = model.draws() && model.worker.holds == trace.revision;
    wanted.then(|| Want {
        ask: Ask::Timeline,
        stamp: trace.steps.into(),
    })
}

/// Shows a diagram, or the reason why it cannot be drawn.
pub(crate) fn drawn(
    model: &mut Model,
    request: &Request,
    drawing: &Drawing,
    figure: Result<Figure, Refusal>,
) {
    let number = if drawing.network { NETWORK } else { HANDLED };
    let Diagram { sheets, chosen, .. } = &mut model.diagram;
    if let Some(sheet) = sheets.get_mut(number) {
        if drawing.room.is_none() && sheet.size.0 > 0.0 {
            return; // The canvas was not there yet; one that is laid out for it is under way.
        }
        let own = chosen.filter(|(sheet, _)| *sheet == number);
        let key = own.and_then(|(_, chosen)| Some(sheet.shape(chosen)?.key.clone()));
        let placed = sheet.show(Drawn {
            revision: request.revision,
            asked: drawing.clone(),
            figure,
        });
        // Boxes have other indices if another operation is open.
        if own.is_some() {
            *chosen = key.and_then(|key| Some((number, sheet.keyed(&key)?)));
        }
        if placed {
            begin(model, number);
        }
    }
}

/// Moves a picture that is seen in parts to the box at work, or else to the last box that has run; otherwise it stays at its first
/// box.
fn begin(model: &mut Model, number: usize) {
    let following = model.following(number);
    let (Some(following), Some(sheet)) = (following, model.diagram.sheets.get_mut(number)) else {
        return;
    };
    let last_run = || {
        let boxes = sheet.picture()?.boxes.iter().enumerate();
        let ran = boxes.filter_map(|(number, shape)| {
            let begun = following.begun(following.part(shape)?)?;
            Some((begun, shape.statements.first(), number))
        });
        ran.max().map(|(.., number)| number)
    };
    let found = at_work(&following, sheet).or_else(last_run);
    sheet.follow(found);
}

/// Index of the box at work.
fn at_work(following: &Following, sheet: &Sheet) -> Option<usize> {
    let lit = |shape: &Shape| following.phase(shape) == Phase::Lit;
    sheet.picture()?.boxes.iter().position(lit)
}

/// Brings the box at work into sight.
pub(crate) fn reveal(model: &mut Model) {
    for number in model.diagram.shown() {
        let following = model.following(*number);
        let (Some(following), Some(sheet)) = (following, model.diagram.sheets.get_mut(*number))
        else {
            continue;
        };
        let lit = |shape: &Shape| following.phase(shape) == Phase::Lit;
        let found = at_work(&following, sheet);
        sheet.follow(found);
        // The card of a tapped box closes when another box is at work, which it might cover.
        if sheet.touch {
            sheet.hover = None;
            let chosen = model.diagram.chosen.filter(|(of, _)| of == number);
            let stays = chosen.is_some_and(|(_, chosen)| sheet.shape(chosen).is_some_and(lit));
            if chosen.is_some() && !stays {
                model.diagram.chosen = None;
            }
        }
    }
}

/// Selects the box that a link leads to, once it is drawn, and brings it into sight with the focus. Of a call, it is the first
/// matching box.
pub(crate) fn seek(model: &mut Model) {
    let Some(met) = model.diagram.sought else {
        return;
    };
    let Some(following) = model.following(HANDLED) else {
        return;
    };
    let Some(sheet) = model.diagram.sheets.get_mut(HANDLED) else {
        return;
    };
    let shapes = sheet.picture().map(|picture| &picture.boxes);
    let found = shapes.and_then(|all| all.iter().position(|shape| following.met(shape, met)));
    sheet.focus = found;
    sheet.reveal(found);
    model.diagram.sought = None;
    model.diagram.chosen = found.map(|found| (HANDLED, found));
}

fn sheet(model: &mut Model, number: usize, msg: &SheetMsg, effects: &mut Vec<Effect>) {
    let following = model.following(number);
    let wall = model.showing.stand == Stand::Presented || model.is_tiled();
    let Some(sheet) = model.diagram.sheets.get_mut(number) else {
        return;
    };
    sheet.wall = wall;
    let chosen = match sheet.change(msg) {
        Some(Wish::Choose(chosen)) => chosen,
        // Folding an operation that opened automatically turns that off.
        Some(Wish::Fold(key)) if unasked(model, number) == Unasked::AtWork(Some(key.clone())) => {
            model.diagram.closed = true;
            return;
        }
        // The second click of a double click on the sign comes before the drawing that the first one requested.
        Some(Wish::Open(key)) if is_turning(&model.diagram, number, &key) => return,
        Some(Wish::Open(key) | Wish::Fold(key)) => {
            return turn(&mut model.diagram, number, |open| toggle(open, key));
        }
        None => return,
    };
    let Some(shape) = sheet.shape(chosen) else {
        return;
    };
    let part = following
        .as_ref()
        .and_then(|following| following.part(shape));
    let source = part.and_then(|part| part.source);
    let source = source.or_else(|| place(sheet, chosen));
    model.diagram.chosen = Some((number, chosen));
    if let Some(source) = source {
        page::mark(model, source, effects);
    }
}

/// Source span of the box with this index, if it has one.
pub(crate) fn place(sheet: &Sheet, number: usize) -> Option<(u32, u32)> {
    let (from, to) = sheet.shape(number)?.place;
    (to > from).then_some((from, to))
}

/// True if the box with this key was opened or folded since the shown drawing was requested.
fn is_turning(diagram: &Diagram, number: usize, key: &String) -> bool {
    let drawn = (diagram.sheets.get(number)).and_then(|sheet| sheet.drawn.as_ref());
    let open = diagram.open.get(number);
    let has = |open: &[String]| open.contains(key);
    drawn.is_some_and(|drawn| open.is_some_and(|open| has(open) != has(&drawn.asked.open)))
}

/// Changes the open boxes of a sheet.
fn turn(diagram: &mut Diagram, number: usize, change: impl FnOnce(&mut Vec<String>)) {
    if let Some(slot) = diagram.open.get_mut(number) {
        let mut open = slot.to_vec();
        change(&mut open);
        *slot = open.into();
        // The boxes get other indices.
        diagram.chosen = None;
    }
}

/// Toggles a key: it opens or folds a box, or folds or opens the run of a handler, which is open initially.
fn toggle(open: &mut Vec<String>, key: String) {
    match open.iter().position(|other| *other == key) {
        Some(place) => {
            open.remove(place);
        }
        None => open.push(key),
    }
}

/// Opens all boxes of the shown sheets that can be opened, or folds all.
fn open_all(diagram: &mut Diagram, all: bool) {
    diagram.closed = true;
    for number in diagram.shown() {
        let sheet = diagram.sheets.get(*number);
        let shapes = sheet.and_then(|sheet| Some(sheet.picture()?.boxes.iter()));
        let keys = shapes.into_iter().flatten();
        let keys: BTreeSet<String> = keys.filter_map(|shape| shape.opens.clone()).collect();
        turn(diagram, *number, |open| match all {
            true => keys.into_iter().for_each(|key| toggle(open, key)),
            false => open.clear(),
        });
    }
}

fn save(model: &mut Model, number: usize, kind: SaveAs, effects: &mut Vec<Effect>) {
    model.diagram.more = false;
    let sheet = model.diagram.sheets.get(number);
    let Some(drawn) = sheet.and_then(|sheet| sheet.drawn.clone()) else {
        return;
    };
    match kind {
        SaveAs::Png => {
            let name = format!("{}.png", stem(&drawn.asked));
            effects.push(Effect::SavePicture(name.into(), drawn));
        }
        SaveAs::Text(format) => {
            let ask = Ask::Write(drawn.asked.clone(), format);
            send(model, WorkerId::Figures, drawn.revision, ask, effects);
        }
    }
}

/// Name of the file of a diagram, without its extension.
fn stem(drawing: &Drawing) -> String {
    let part = if drawing.network { "-network" } else { "" };
    format!("{}{part}", drawing.of)
}

/// Saves the text of a diagram that the worker has written.
pub(crate) fn written(drawing: &Drawing, format: Format, text: &str, effects: &mut Vec<Effect>) {
    let (ending, kind) = match format {
        Format::Svg => ("svg", "image/svg+xml"),
        Format::Tikz => ("tex", "text/x-tex"),
        Format::Json => ("json", "application/json"),
    };
    let name = format!("{}.{ending}", stem(drawing));
    effects.push(Effect::Save(File::text(&name, kind, text)));
}

/// Stores the parts of the run in a sheet.
pub(crate) fn followed(
    model: &mut Model,
    revision: u32,
    network: bool,
    links: fletch_playground::protocol::Links,
) {
    let number = if network { NETWORK } else { HANDLED };
    if let Some(slot) = model.diagram.run.links.get_mut(usize::from(network)) {
        *slot = Some((revision, Shared::new(links)));
    }
    let moved = (model.diagram.sheets.get(number)).is_none_or(|sheet| sheet.moved);
    if !moved {
        begin(model, number);
    }
}
