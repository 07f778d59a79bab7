//! Pending requests: method and parameters, a test that the reply is still needed, and the reply with its errors.

use crate::documents::Document;
use lsp_server::{ErrorCode, RequestId, ResponseError};
use lsp_types::Uri;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The answer to a request.
pub(crate) type Answer = Result<Json, ResponseError>;

/// A request for a worker.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Id of the request, and the test that its reply is still needed.
    pub(crate) ticket: Ticket,
    /// The method.
    pub(crate) method: String,
    /// The parameters.
    pub(crate) params: Json,
    /// The open text that the request names, as it was at the time of the request.
    pub(crate) document: Option<Document>,
}

impl Asked {
    /// The address of the text that the request names, if any.
    pub(crate) fn uri(&self) -> Option<Uri> {
        uri(&self.params)
    }
}

/// The address of the text that parameters name: in `textDocument`, or as the first argument of a command.
pub(crate) fn uri(params: &Json) -> Option<Uri> {
    let document = params.get("textDocument").and_then(|text| text.get("uri"));
    let argument = params.get("arguments").and_then(|all| all.get(0));
    document.or(argument)?.as_str()?.parse().ok()
}

/// A request without a reply so far.
#[derive(Clone, Debug)]
pub(crate) struct Ticket {
    /// Id that the client has given to the request.
    pub(crate) id: RequestId,
    given_up: Arc<AtomicBool>,
    /// Version of the text that the reply refers to; `None` if a change of the text does not matter.
    about: Option<Document>,
}

impl Ticket {
    /// Creates a ticket. With `about`, the reply is valid for that version of a text alone.
    pub(crate) fn new(id: RequestId, about: Option<Document>) -> Ticket {
        Ticket {
            id,
            given_up: Arc::default(),
            about,
        }
    }

    /// Cancels the request.
    pub(crate) fn give_up(&self) {
        self.given_up.store(true, Ordering::SeqCst);
    }

    /// The error for a request that is dropped: it was cancelled, or its text has changed. `None` if the reply is still needed.
    pub(crate) fn dropped(&self) -> Option<ResponseError> {
        if self.given_up.load(Ordering::SeqCst) {
            return Some(error(
                ErrorCode::RequestCanceled,
                "the request was cancelled",
            ));
        }
        let outdated = self.about.as_ref().is_some_and(Document::is_outdated);
        outdated.then(|| error(ErrorCode::ContentModified, "the text has changed"))
    }
}

/// A result of the workers, for the client.
#[derive(Debug)]
pub(crate) enum Report {
    /// The answer to a request.
    Answer(RequestId, Answer),
    /// The diagnostics of a text: of one version, if an editor has the text open.
    Diagnostics {
        /// The version of the open text; `None` for a file on disk.
        document: Option<Document>,
        /// The parameters of the notification.
        found: lsp_types::PublishDiagnosticsParams,
    },
    /// A notification.
    Tell(&'static str, Json),
    /// A request to the client, whose reply has no effect.
    Ask(&'static str, Json),
}

/// Creates an error reply.
pub(crate) fn error(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError {
        code: code as i32,
        message: message.into(),
        data: None,
    }
}

/// Creates the error for a valid request that cannot be fulfilled.
pub(crate) fn refused(message: impl Into<String>) -> ResponseError {
    error(ErrorCode::RequestFailed, message)
}

/// Parses the parameters of a request.
///
/// # Errors
/// If they are not valid for the method.
pub(crate) fn params<P: DeserializeOwned>(json: &Json) -> Result<P, ResponseError> {
    P::deserialize(json).map_err(|wrong| error(ErrorCode::InvalidParams, wrong.to_string()))
}

/// Serialises a result as a reply.
///
/// # Errors
/// If the result cannot be serialised.
pub(crate) fn answer(result: &impl Serialize) -> Answer {
    let json = serde_json::to_value(result);
    json.map_err(|wrong| error(ErrorCode::InternalError, wrong.to_string()))
}

/// Runs a computation. A panic is a defect of fletch, and becomes an error of this request alone.
///
/// # Errors
/// The error of the computation, or the error for a panic.
pub(crate) fn guarded<T>(
    compute: impl FnOnce() -> Result<T, ResponseError>,
) -> Result<T, ResponseError> {
    let computed = catch_unwind(AssertUnwindSafe(compute));
    computed.unwrap_or_else(|_| {
        let message = "this is a defect of fletch; please report it with the program";
        Err(error(ErrorCode::InternalError, message))
    })
}

#[cfg(test)]
mod tests {
    use super::{Ticket, guarded};
    use crate::documents::Documents;
    use lsp_server::{ErrorCode, RequestId, ResponseError};

    fn code(error: Option<ResponseError>) -> Option<i32> {
        error.map(|error| error.code)
    }

    #[test]
    fn a_request_is_dropped_when_its_text_changes_or_it_is_given_up() {
        let uri: lsp_types::Uri = "untitled:a".parse().unwrap();
        let mut documents = Documents::default();
        let document = documents.open(uri.clone(), 1, String::new()).clone();
        let ticket = Ticket::new(RequestId::from(1), Some(document));
        assert_eq!(code(ticket.dropped()), None);
        documents.change(&uri, 2, Vec::new());
        assert_eq!(
            code(ticket.dropped()),
            Some(ErrorCode::ContentModified as i32)
        );
        ticket.give_up();
        assert_eq!(
            code(ticket.dropped()),
            Some(ErrorCode::RequestCanceled as i32)
        );
    }

    #[test]
    fn a_panic_is_an_error() {
        let panics = guarded::<()>(|| panic!("a panic of a test"));
        let code = panics.unwrap_err().code;
        assert_eq!(code, ErrorCode::InternalError as i32);
    }
}
