//! Questions of the figures to their worker, and the figure that each answer belongs to.

use crate::editor::update::assist;
use crate::effects::Effect;
use crate::model::{Model, Shared, Subject, Want};
use crate::{compare, diagram, share, tour, train, types};
use fletch_playground::protocol::{Ask, Reply, Request};
use std::rc::Rc;

/// Questions about what is shown of this program and not there.
pub(crate) fn wants(model: &Model, subject: &Subject) -> Vec<Want> {
    let all = (diagram::update::wants(model).into_iter())
        .chain(types::update::wants(model))
        .chain(compare::update::wants(model));
    let mut all: Vec<Want> = all.collect();
    // A rejected program neither trains nor becomes a module.
    if !subject.is_rejected {
        all.extend(train::update::wants(model));
        all.extend(share::update::wants(model));
    }
    all
}

/// Gives an answer of the worker to its figure.
#[inline(never)] // A start does without it.
pub(crate) fn replied(
    model: &mut Model,
    request: &Rc<Request>,
    reply: Reply,
    effects: &mut Vec<Effect>,
) {
    let revision = request.revision;
    match (&request.ask, reply) {
        (Ask::Load { .. }, Reply::Checked(checked)) => {
            let subject = model.subject.as_ref();
            if let Some(subject) = subject.filter(|subject| subject.revision == revision) {
                // Of a program that a link has taken the place of, the commands decide nothing.
                if subject.text == model.program.text {
                    diagram::update::read(&mut model.diagram, &checked.commands);
                }
                model.subject = Some(Rc::new(Subject {
                    commands: Some(checked.commands.into()),
                    ..(**subject).clone()
                }));
            }
        }
        (Ask::Write(drawing, format), Reply::Written(Ok(text))) => {
            diagram::update::written(drawing, *format, &text, effects);
        }
        (Ask::Write(..), _) => {
            let why = "Not saved: the program has changed meanwhile.";
            assist::notice(model, why, effects);
        }
        (Ask::Train(asked), Reply::Trained(answer)) => {
            train::update::trained(model, revision, *asked, *answer, effects);
        }
        (Ask::Check(_), Reply::CheckedGradient(found)) => {
            train::update::checked(model, revision, *found, effects);
        }
        (Ask::Tour(_), Reply::Toured(came)) => tour::update::judged(model, *came, effects),
        (Ask::Carry(_), Reply::Carried(carried)) => {
            train::update::carried(model, revision, *carried, effects);
        }
        (ask @ (Ask::Look(_) | Ask::Inside(_) | Ask::Try(_) | Ask::Data(_)), reply) => {
            train::update::pictured(model, revision, ask, reply, effects);
        }
        // Other answers are shown if the request was the last one for its place.
        (ask, reply) if model.asked.has(request) => match (ask, reply) {
            (Ask::Draw(drawing), Reply::Drawn(figure)) => {
                diagram::update::drawn(model, request, drawing, *figure);
            }
            (Ask::Follow { network, .. }, Reply::Followed(links)) => {
                diagram::update::followed(model, revision, *network, *links);
            }
            (Ask::Values(_), Reply::Values(values)) => {
                model.diagram.run.values = Some((revision, Shared::new(*values)));
            }
            (Ask::Norms(_), Reply::Norms(norms)) => {
                model.diagram.run.norms = Some((revision, Shared::new(*norms)));
            }
            (Ask::Derive(_), Reply::Derived(derived)) => model.types.show(*derived),
            (Ask::Python, Reply::Python(module)) => share::update::exported(model, module, effects),
            (ask, reply) => compare::update::replied(model, revision, ask, reply),
        },
        _ => {}
    }
}
