//! Measures response times: inspecting a piece of a large state, the index of a long run, and requests to the language server.
#![allow(
    dead_code, // Of what the benches share, a part.
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing
)] // A failed measurement is a panic.

mod figures;
// The client that the tests of `lsp` use.
#[path = "../../crates/lsp/tests/client/mod.rs"]
mod client;

use client::{Client, untitled};
use figures::{row, times};
use fletch_playground::Session;
use fletch_playground::protocol::{Ask, Reply, Show};
use fletch_tests::examples;
use fletch_trace::Budget;
use serde_json::json;
use std::fs;

fn main() {
    figures::heading();
    let unet = fs::read_to_string(examples().join("unet_training.fletch")).unwrap();
    let (mut session, steps) = run(&unet, usize::MAX);
    let show = Ask::Show(Show {
        position: steps / 2,
        width: 72,
        ..Show::default()
    });
    let Reply::Shown(view) = session.ask(1, show) else {
        panic!("no view")
    };
    let pieces = view.lines.iter().flat_map(|line| &line.pieces);
    let nodes: Vec<u32> = pieces
        .map(|piece| piece.node)
        .filter(|node| *node > 0)
        .collect();
    let mut nodes = nodes.iter().copied().cycle();
    let inspect = times(200, || {
        let node = nodes.next().unwrap();
        session.ask(1, Ask::Inspect { node })
    });
    row("inspect a piece of a large state", inspect, 100.0);

    // An ordinary handler that resumes twice gives more than a hundred thousand steps.
    let (mut session, steps) = run(FLIPS, 150_000);
    assert!(steps > 100_000);
    let index = times(20, || session.ask(1, Ask::Index));
    row("the index of a long run", index, 500.0);
    server();
}

/// Measures the language server on a text of a thousand lines. Each method is measured right after a change, when the text must be
/// analysed again, and without a change.
fn server() {
    let network = |number: usize| NETWORK.replace('#', &number.to_string());
    let text: String = (0..56).map(network).collect();
    let lines = text.lines().count();
    assert!((1000..1100).contains(&lines), "{lines} lines");
    let command = text
        .lines()
        .position(|line| line.starts_with("command R28("));
    let mut client = Client::new("utf-16", &[]);
    client.open(&untitled(), &text);
    assert_eq!(client.codes(&untitled()), [""; 0]);
    let asks = json!({
        "textDocument": { "uri": untitled() },
        "position": { "line": command, "character": 8 },
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": lines, "character": 0 } },
        "newName": "other", "context": { "includeDeclaration": true, "diagnostics": [], "triggerKind": 1 },
        "options": { "tabSize": 2, "insertSpaces": true },
    });
    let (mut version, mut number) = (1, 1000);
    for method in METHODS {
        for changed in [true, false] {
            let answers = times(20, || {
                if changed {
                    version += 1;
                    let text = format!("{text}-- {version}\n");
                    client.change(&untitled(), version, &text);
                }
                number += 1;
                let id = lsp_server::RequestId::from(number);
                let method = format!("textDocument/{method}");
                let request = lsp_server::Request::new(id, method, asks.clone());
                client.send(request.into());
                client.answer(number).unwrap()
            });
            let when = if changed { ", after a change" } else { "" };
            row(&format!("{method} on 1 000 lines{when}"), answers, 50.0);
        }
    }
    client.end();
}

const METHODS: [&str; 12] = [
    "hover",
    "completion",
    "definition",
    "references",
    "rename",
    "documentSymbol",
    "semanticTokens/full",
    "foldingRange",
    "formatting",
    "inlayHint",
    "codeLens",
    "codeAction",
];

/// A network as source text, with `#` for its number in all names.
const NETWORK: &str = "\
-- Network #.
dim n# = 2, m# = 8
loc ℓ# ∷ (n#, m#) = glorot(seed: 1)
loc k# ∷ (m#, 1) = glorot(seed: 2)
op FC#[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
command R#(x_in : Real(n#)) : Real(1) =
  let z_hid ⇐ FC#[ℓ#](x_in) in
  let x_hid ⇐ ⌊swish(z_hid)⌋ in
  FC#[k#](x_hid)
handler H#(α : Real(1), t : Real(1)) : Real(1) {
  x ↦ ⌊α · (x − t)⌋
  FC#[ℓ ∷ (n, m)] ( x    ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                  | y, z ↦ let ⟨w, x⟩ ⇐ ⌊z⌋ in
                           let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in
                           ⌊wᵀ ∗ y⌋ )
}
data d# = [⟨[0, 0], [0]⟩, ⟨[0, 1], [1]⟩]
train d# as ⟨v, t⟩ for 20 epochs = rev handle(v)⟨x⟩. R#(x) with H#(0.1, t)
";

/// Runs a program in a session. Returns the session and its number of steps.
fn run(source: &str, steps: usize) -> (Session, u32) {
    let mut session = Session::new(Budget::steps(steps));
    session.ask(1, Ask::load(source));
    let advance = Ask::Advance {
        milliseconds: u32::MAX,
    };
    match session.ask(1, advance) {
        Reply::Advanced(advanced) => (session, advanced.steps),
        other => panic!("{other:?}"),
    }
}

const FLIPS: &str = "op Flip : 1 ▷ Real(1)
command ones() : Real(1) = iterate[i : 14](0)⟨sum⟩. let bit ⇐ Flip() in ⌊sum + bit⌋
handler All : Real(1) ⇒ Real(1) {
  x ↦ ⌊x⌋
  Flip, k; _ ↦ let a ⇐ k • 0 in let b ⇐ k • 1 in ⌊a + b⌋
}
main = handle ones() with All";
