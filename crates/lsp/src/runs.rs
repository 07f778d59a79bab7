//! The worker that executes the commands of the user, one after the other.

use crate::answers;
use crate::client::Client;
use crate::commands::{Done, NotDone, On, STEP, execute};
use crate::requests::{Answer, Asked, Report, answer, error, guarded, params, refused};
use crossbeam_channel::{Receiver, Sender};
use lsp_server::ErrorCode;
use lsp_types::notification::{Notification, ShowMessage};
use lsp_types::request::{Request, ShowDocument};
use lsp_types::{ExecuteCommandParams, MessageType, ShowDocumentParams, ShowMessageParams};
use serde_json::json;
use std::sync::Arc;

/// Maximum number of characters of a result in its message. The reply has all of them.
const SHOWN: usize = 1_000;

/// Executes commands until the channel closes.
pub(crate) fn work(jobs: &Receiver<Asked>, reports: &Sender<Report>, client: &Arc<Client>) {
    for asked in jobs {
        let mut told = Vec::new();
        let answered = guarded(|| match asked.ticket.dropped() {
            Some(dropped) => Err(dropped),
            None => done(&asked, client, &mut told),
        });
        let id = asked.ticket.id.clone();
        let reported = told.into_iter().chain([Report::Answer(id, answered)]);
        for report in reported {
            if reports.send(report).is_err() {
                return;
            }
        }
    }
}

/// Executes a command, and adds the messages for the client to `told`.
fn done(asked: &Asked, client: &Client, told: &mut Vec<Report>) -> Answer {
    let ExecuteCommandParams {
        command, arguments, ..
    } = params(&asked.params)?;
    let on = match arguments.get(1) {
        Some(on) => params::<On>(on)?,
        None => On::default(),
    };
    let document = match &asked.document {
        Some(document) => document.clone(),
        None => answers::on_disk(asked, client)?,
    };
    let wanted = || asked.ticket.dropped().is_none();
    let done = execute(&command, &on, &document, &client.options, &wanted);
    let Done { text, json, opens } = done.map_err(|reason| match reason {
        NotDone::GivenUp => error(ErrorCode::RequestCanceled, "the command was cancelled"),
        NotDone::Refused(message) => refused(message),
    })?;
    let page = opens.and_then(|address| address.parse().ok());
    match page.filter(|_| client.opens) {
        Some(uri) => {
            let show = ShowDocumentParams {
                uri,
                external: Some(true),
                take_focus: Some(true),
                selection: None,
            };
            told.push(Report::Ask(ShowDocument::METHOD, answer(&show)?));
        }
        None => {
            // A shortened link would be invalid.
            let shown = if command == STEP { usize::MAX } else { SHOWN };
            let mut message: String = text.chars().take(shown).collect();
            if message.len() < text.len() {
                message.push('…');
            }
            let show = ShowMessageParams {
                typ: MessageType::INFO,
                message,
            };
            told.push(Report::Tell(ShowMessage::METHOD, answer(&show)?));
        }
    }
    answer(&json!({ "text": text, "result": json }))
}
