//! Requests on their way: what is asked, whether the answer is still wanted, and the answer with its errors.

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

/// A request that is to be answered.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The request, and whether its answer is still wanted.
    pub(crate) ticket: Ticket,
    /// The method.
    pub(crate) method: String,
    /// The parameters.
    pub(crate) params: Json,
    /// The open text that it is about, as it was then.
    pub(crate) document: Option<Document>,
}

impl Asked {
    /// The address of the text that a request is about, if it names one.
    pub(crate) fn uri(&self) -> Option<Uri> {
        uri(&self.params)
    }
}

/// The address of the text that parameters name: in `textDocument`, or first among the arguments of a command.
pub(crate) fn uri(params: &Json) -> Option<Uri> {
    let document = params.get("textDocument").and_then(|text| text.get("uri"));
    let argument = params.get("arguments").and_then(|all| all.get(0));
    document.or(argument)?.as_str()?.parse().ok()
}

/// A request, until it is answered.
#[derive(Clone, Debug)]
pub(crate) struct Ticket {
    /// The client's number of the request.
    pub(crate) id: RequestId,
    given_up: Arc<AtomicBool>,
    /// The version of a text that the answer would be about.
    about: Option<Document>,
}

impl Ticket {
    /// A ticket of a request whose answer holds for this version of a text alone, or for any.
    pub(crate) fn new(id: RequestId, about: Option<Document>) -> Ticket {
        Ticket {
            id,
            given_up: Arc::default(),
            about,
        }
    }

    /// Gives up the request.
    pub(crate) fn give_up(&self) {
        self.given_up.store(true, Ordering::SeqCst);
    }

    /// The error of a request whose answer is no longer wanted: it was given up, or its text has changed.
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
    /// The diagnostics of a text; of a version, if an editor has it open.
    Diagnostics {
        /// The version of an open text.
        document: Option<Document>,
        /// The parameters of the notification.
        found: lsp_types::PublishDiagnosticsParams,
    },
    /// A notification.
    Tell(&'static str, Json),
    /// A request to the client, whose answer changes nothing.
    Ask(&'static str, Json),
}

/// An error.
pub(crate) fn error(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError {
        code: code as i32,
        message: message.into(),
        data: None,
    }
}

/// An error of a request that is understood and cannot be done.
pub(crate) fn refused(message: impl Into<String>) -> ResponseError {
    error(ErrorCode::RequestFailed, message)
}

/// The parameters of a request.
///
/// # Errors
/// If they are not those of its method.
pub(crate) fn params<P: DeserializeOwned>(json: &Json) -> Result<P, ResponseError> {
    P::deserialize(json).map_err(|wrong| error(ErrorCode::InvalidParams, wrong.to_string()))
}

/// A result as an answer.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn answer(result: &impl Serialize) -> Answer {
    let json = serde_json::to_value(result);
    json.map_err(|wrong| error(ErrorCode::InternalError, wrong.to_string()))
}

/// The answer of a computation. A panic in it is a defect, and an error of this request alone.
///
/// # Errors
/// Its own, and a panic.
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
