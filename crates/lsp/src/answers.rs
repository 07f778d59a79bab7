//! The worker that answers questions about one text, from the text alone. Each answer is a small computation.

use crate::client::Client;
use crate::documents::{Document, Key};
use crate::program::Program;
use crate::requests::{Answer, Asked, Report, answer, error, guarded, params, refused};
use crate::{completion, folding, formatting, hints, hover, lenses, navigation, symbols, tokens};
use crossbeam_channel::{Receiver, Sender};
use fletch_ide::Assistant;
use lsp_server::{ErrorCode, ResponseError};
use lsp_types::request::{
    CodeLensRequest, Completion, DocumentHighlightRequest, DocumentSymbolRequest,
    FoldingRangeRequest, Formatting, GotoDefinition, HoverRequest, InlayHintRequest,
    PrepareRenameRequest, References, Rename, Request, SemanticTokensFullRequest,
    SemanticTokensRangeRequest,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A job of the worker.
#[derive(Debug)]
pub(crate) enum Job {
    /// To answer a request.
    Asked(Box<Asked>),
    /// To forget a text that was closed.
    Forget(Key),
}

/// Processes jobs until the channel closes.
pub(crate) fn work(jobs: &Receiver<Job>, reports: &Sender<Report>, client: &Arc<Client>) {
    let mut assistants: BTreeMap<Key, Assistant> = BTreeMap::new();
    for job in jobs {
        let asked = match job {
            Job::Asked(asked) => asked,
            Job::Forget(key) => {
                assistants.remove(&key);
                continue;
            }
        };
        let id = asked.ticket.id.clone();
        let answered = match asked.ticket.dropped() {
            Some(dropped) => Err(dropped),
            None => answered(&asked, &mut assistants, client),
        };
        if reports.send(Report::Answer(id, answered)).is_err() {
            return;
        }
    }
}

fn answered(asked: &Asked, assistants: &mut BTreeMap<Key, Assistant>, client: &Client) -> Answer {
    let Some(document) = &asked.document else {
        // A text that is not open is read for this request alone, so its analysis is not kept.
        let document = on_disk(asked, client)?;
        return guarded(|| of(asked, &document, &mut Assistant::default(), client));
    };
    // An assistant that panicked is not used again.
    let mut assistant = assistants.remove(&document.key).unwrap_or_default();
    let mut done = false;
    let result = guarded(|| {
        let result = of(asked, document, &mut assistant, client);
        done = true;
        result
    });
    if done {
        assistants.insert(document.key.clone(), assistant);
    }
    result
}

/// Reads the file that a request names, if no editor has it open.
///
/// # Errors
/// If the request names no file, or the file cannot be read.
pub(crate) fn on_disk(asked: &Asked, client: &Client) -> Result<Document, ResponseError> {
    let uri = asked
        .uri()
        .ok_or_else(|| error(ErrorCode::InvalidParams, "the request names no document"))?;
    let unreadable =
        |error: std::io::Error| refused(format!("cannot read {}: {error}", uri.as_str()));
    let (document, _) = Document::on_disk(uri.clone(), client.encoding).map_err(unreadable)?;
    Ok(document)
}

fn of(asked: &Asked, document: &Document, assistant: &mut Assistant, client: &Client) -> Answer {
    let program = &mut Program {
        document,
        assistant,
        client,
    };
    match asked.method.as_str() {
        HoverRequest::METHOD => {
            let asked = asked.params::<HoverRequest>()?;
            let place = asked.text_document_position_params.position;
            answer(&hover::hover(program, place))
        }
        Completion::METHOD => {
            let asked = asked.params::<Completion>()?;
            let place = asked.text_document_position.position;
            answer(&completion::complete(
                program,
                place,
                asked.context.as_ref(),
            ))
        }
        GotoDefinition::METHOD => {
            let asked = asked.params::<GotoDefinition>()?;
            let place = asked.text_document_position_params.position;
            answer(&navigation::definition(program, place))
        }
        References::METHOD => {
            let asked = asked.params::<References>()?;
            let place = asked.text_document_position.position;
            let definition = asked.context.include_declaration;
            answer(&navigation::references(program, place, definition))
        }
        DocumentHighlightRequest::METHOD => {
            let asked = asked.params::<DocumentHighlightRequest>()?;
            let place = asked.text_document_position_params.position;
            answer(&navigation::highlights(program, place))
        }
        PrepareRenameRequest::METHOD => {
            let asked = asked.params::<PrepareRenameRequest>()?;
            let prepared = navigation::prepare(program, asked.position);
            answer(&prepared.map_err(refused)?)
        }
        Rename::METHOD => {
            let asked = asked.params::<Rename>()?;
            let place = asked.text_document_position.position;
            let renamed = navigation::rename(program, place, asked.new_name);
            answer(&renamed.map_err(refused)?)
        }
        DocumentSymbolRequest::METHOD => answer(&symbols::symbols(program)),
        SemanticTokensFullRequest::METHOD => answer(&tokens::tokens(program, None)),
        SemanticTokensRangeRequest::METHOD => {
            let asked = asked.params::<SemanticTokensRangeRequest>()?;
            answer(&tokens::tokens(program, Some(asked.range)))
        }
        FoldingRangeRequest::METHOD => answer(&folding::folds(program)),
        Formatting::METHOD => answer(&formatting::format(program)),
        InlayHintRequest::METHOD => {
            let asked = asked.params::<InlayHintRequest>()?;
            answer(&hints::hints(program, asked.range))
        }
        CodeLensRequest::METHOD => answer(&lenses::lenses(program)),
        method => Err(error(
            ErrorCode::MethodNotFound,
            format!("there is no method {method}"),
        )),
    }
}

impl Asked {
    fn params<R: Request>(&self) -> Result<R::Params, ResponseError> {
        params(&self.params)
    }
}
