//! Checkpointing: an operation that stands for a whole network. The network keeps only its input. The backward clause of the operation runs
//! the network again, with the cotangent as a second component of its input and result.

use super::network::{Network, formatted};
use super::site::Site;
use super::{Draft, Example, Unfit};
use fletch_syntax::tree::{CommandDecl, CommandKind, HandlerCall, HandlerKind, Size, TypeKind};

pub(super) fn checkpoint(site: &Site<'_>) -> Result<Draft, Unfit> {
    let network = Network::of(site)?;
    let trained = site.trained();
    let found = trained.iter().find_map(|trained| {
        let CommandKind::RevHandle { body, handler, .. } = &trained.body.node else {
            return None;
        };
        let HandlerKind::Call(call) = &handler.node else {
            return None;
        };
        let CommandKind::Call { name, .. } = &body.node else {
            return None;
        };
        Some((trained, body, call, site.command(&name.text)?))
    });
    let Some((trained, body, call, command)) = found else {
        return Err(Unfit::Lacks(
            "no training is a rev handle of one command with a handler by name".to_owned(),
        ));
    };
    let made = made(site, &network, call, command)?;
    let operation = &made.operation;
    let mut examples = Vec::new();
    if let Some((_, span)) = trained.item {
        // The example is the item with its command and its handler replaced.
        let arguments = site.text(fletch_syntax::Span {
            start: call.name.span.end,
            end: call.span.end,
        });
        let CommandKind::Call { name, .. } = &body.node else {
            return Err(Unfit::Rejected);
        };
        let text = format!(
            "{}{operation}{}{}{arguments}",
            site.between(span, name.span),
            site.text(fletch_syntax::Span {
                start: name.span.end,
                end: call.name.span.start,
            }),
            made.handler,
        );
        examples.push(Example {
            text: formatted(&text),
            after: Some(span.end as usize),
        });
    }
    Ok(Draft {
        handler: made.handler,
        declarations: formatted(&made.text),
        examples,
    })
}

struct Made {
    handler: String,
    operation: String,
    text: String,
}

fn made(
    site: &Site<'_>,
    network: &Network<'_>,
    call: &HandlerCall,
    command: &CommandDecl,
) -> Result<Made, Unfit> {
    let lacks = |what: &str| Err(Unfit::Lacks(what.to_owned()));
    let Some(decl) = site.handler(&call.name.text) else {
        return lacks("no handler of this name is declared");
    };
    let (Some(result), [param]) = (&command.result, command.params.as_slice()) else {
        return lacks("the network is to have one parameter, and a result type that is written");
    };
    if !command.index_params.is_empty() || !decl.index_params.is_empty() {
        return lacks(
            "the network or its handler has indices, and an operation would have to name them",
        );
    }
    let TypeKind::Real(shape) = &result.node else {
        return lacks("the network gives several values");
    };
    let [ahead, again, handler] = ["H_ahead", "H_again", "H_checkpoint"].map(|it| site.fresh(it));
    let operation = site.fresh("Segment");
    let (name, own) = (&command.name.text, &decl.name.text);
    let (from, to) = (site.text(param.ty.span), site.text(result.span));
    let params: Vec<String> = decl
        .params
        .iter()
        .map(|it| format!("{} : {}", it.name.text, site.text(it.ty.span)))
        .collect();
    let names: Vec<&str> = decl.params.iter().map(|it| &*it.name.text).collect();
    let (params, names) = match params.is_empty() {
        true => (String::new(), String::new()),
        false => (
            format!("({})", params.join(", ")),
            format!("({})", names.join(", ")),
        ),
    };
    let zero = zero(site, shape);
    let text = format!(
        "-- Checkpointing: of {name} nothing but its input is kept. On the way back it runs again, and the cotangent that has\n-- come rides along: what it comes back as is that of {name}.\nop {operation} : {from} ▷ {to}\n\n{}\nhandler {again}{params} : {to} × {to} extends {own}{names} {{\n⟨_, g⟩ ↦ ⌊⟨g, {zero}⟩⌋\n}}\n\nhandler {handler}{params} : {} extends {own}{names} {{\n{operation} ( x ↦ let y ⇐ handle {name}(x) with {ahead} in ⌊⟨y, x⟩⌋\n| g, x ↦ let ⟨x', _⟩ ⇐ rev handle(⟨x, g⟩)⟨x, g⟩. let y ⇐ {name}(x) in ⌊⟨y, g⟩⌋ with {again}{names} in ⌊x'⌋ )\n}}\n",
        network.inference(site, &ahead),
        site.text(decl.handled.span),
    );
    Ok(Made {
        handler,
        operation,
        text,
    })
}

/// A tensor of zeros, of this shape.
fn zero(site: &Site<'_>, shape: &[Size]) -> String {
    let sizes: Vec<&str> = shape.iter().map(|size| site.text(size.span)).collect();
    format!("zero[{}]", sizes.join(" * "))
}
