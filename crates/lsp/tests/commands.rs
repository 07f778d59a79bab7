//! The commands of code lenses, and their cancellation.

use crate::client::{Client, capable, notification, options, untitled};
use lsp_server::Message;
use lsp_types::notification::{Cancel, ShowMessage};
use lsp_types::request::{CodeLensRequest, ExecuteCommand, Request as _, ShowDocument};
use lsp_types::{CancelParams, CodeLens, ExecuteCommandParams, NumberOrString, ShowDocumentParams};
use serde_json::{Value as Json, json};

const PROGRAM: &str = "\
loc w ∷ (1, 1) = constant(0.5)
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
command R(x : Real(1)) : Real(1) = FC[w](x)
handler H(α : Real(1), t : Real(1)) : Real(1) {
  y ↦ ⌊α · (y − t)⌋
  FC[ℓ ∷ (n, m)] ( x    ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                 | y, z ↦ let ⟨w, x⟩ ⇐ ⌊z⌋ in let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
handler I : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋  FC[ℓ ∷ (n, m)], k; x ↦ let w ⇐ Get[ℓ]() in k • (w ∗ x) }
data d = [⟨[1], [2]⟩, ⟨[2], [4]⟩]
train d as ⟨x, t⟩ for 50 epochs = rev handle(x)⟨v⟩. R(v) with H(0.1, t)
measure loss on d as ⟨x, t⟩ = let y ⇐ handle R(x) with I in ⌊half_sq(y − t)⌋
main = rev handle(1)⟨v⟩. R(v) with H(0.1, 2)
";

fn lenses(client: &mut Client) -> Vec<CodeLens> {
    let asks = json!({ "textDocument": { "uri": untitled() } });
    let asks = serde_json::from_value(asks).unwrap();
    client.ask::<CodeLensRequest>(asks).unwrap()
}

/// The parameters of the first lens with this title on line `from` or later.
fn lens(client: &mut Client, title: &str, from: u32) -> ExecuteCommandParams {
    let all = lenses(client).into_iter();
    let commands = all.filter(|lens| lens.range.start.line >= from);
    let mut commands = commands.filter_map(|lens| lens.command);
    let command = commands.find(|command| command.title == title).unwrap();
    ExecuteCommandParams {
        command: command.command,
        arguments: command.arguments.unwrap(),
        ..ExecuteCommandParams::default()
    }
}

fn done(client: &mut Client, title: &str, from: u32) -> Json {
    let asks = lens(client, title, from);
    client.ask::<ExecuteCommand>(asks).unwrap()
}

#[test]
fn each_lens_does_what_it_says() {
    let mut client = Client::new("utf-16", &[]);
    client.open(&untitled(), PROGRAM);
    let titles: Vec<String> = lenses(&mut client)
        .into_iter()
        .map(|lens| lens.command.unwrap().title)
        .collect();
    assert_eq!(
        titles,
        [
            "Train",
            "Train in the page",
            "Check the gradient",
            "Measure",
            "Measure in the page",
            "Check the gradient",
            "Run",
            "Step in the page"
        ]
    );

    let ran = done(&mut client, "Run", 0);
    // α · (w·x − t) = 0.1 · (0.5 − 2) = −0.15, sent back through w; w − (−0.15)·1 is written.
    assert_eq!(ran["text"], "[−0.075]\nw : 1 × 1 = [0.65]");
    assert_eq!(ran["result"]["heap"]["w"]["data"], json!([0.65]));
    assert_eq!(
        client.told::<ShowMessage>().message,
        ran["text"].as_str().unwrap()
    );

    let measured = done(&mut client, "Measure", 0);
    // (½·1.5² + ½·3²) / 2
    assert_eq!(measured["text"], "loss: 2.8125, before training");

    let trained = done(&mut client, "Train", 0);
    let losses = trained["result"]["measures"]["loss"].as_array().unwrap();
    assert_eq!(losses.len(), 51);
    assert!(losses[50].as_f64().unwrap() < 1e-6, "{losses:?}");

    let checked = done(&mut client, "Check the gradient", 0);
    assert!(
        checked["text"].as_str().unwrap().contains("0.1"),
        "{checked}"
    );
    let same = done(&mut client, "Check the gradient", 11);
    assert_eq!(checked["result"], same["result"]);

    for (title, view) in [
        ("Step in the page", None),
        ("Train in the page", Some("train")),
    ] {
        let stepped = done(&mut client, title, 0);
        let shown: ShowDocumentParams = client.next(|message| match message {
            Message::Request(request) if request.method == ShowDocument::METHOD => {
                Some(serde_json::from_value(request.params.clone()).unwrap())
            }
            _ => None,
        });
        let address = shown.uri.as_str();
        assert_eq!(stepped["result"]["link"], address);
        assert!(
            address.starts_with("https://example.org/fletch/#v1."),
            "{address}"
        );
        let link = fletch_link::Link::read(address).unwrap().link;
        assert_eq!(link.source, PROGRAM);
        assert_eq!(link.settings.view.name(), view.unwrap_or("steps"));
    }
    client.end();
}

#[test]
fn without_a_page_a_link_is_told() {
    let options = fletch_lsp::Options {
        base: None,
        ..options()
    };
    let mut client = Client::with(capable("utf-16"), &[], options);
    client.open(&untitled(), PROGRAM);
    let stepped = done(&mut client, "Step in the page", 0);
    let link = stepped["result"]["link"].as_str().unwrap();
    assert!(link.starts_with("#v1."), "{link}");
    assert!(client.told::<ShowMessage>().message.ends_with(link));
    client.end();
}

#[test]
fn a_program_that_is_rejected_or_stops_says_why() {
    let mut client = Client::new("utf-16", &[]);
    for (text, expected) in [
        ("main = ⌊y⌋\n", "line 1"),
        ("main = ⌊relu([0])⌋\n", "F0601"),
        ("dim n = 2\n", "F0604"),
        ("main = iterate[i : 900](1)⟨x⟩. ⌊exp(−x)⌋\n", ""),
    ] {
        client.open(&untitled(), text);
        let asks = ExecuteCommandParams {
            command: "fletch.run".to_owned(),
            arguments: vec![json!(untitled())],
            ..ExecuteCommandParams::default()
        };
        let tried = client.tried::<ExecuteCommand>(asks);
        match expected {
            "" => assert!(tried.is_ok(), "{tried:?}"),
            expected => {
                let message = tried.unwrap_err().message;
                assert!(message.contains(expected), "{message}");
            }
        }
    }
    client.end();
}

/// A long training, with a run queued after it.
#[test]
fn a_training_is_given_up_and_the_next_command_runs() {
    let mut client = Client::new("utf-16", &[]);
    client.open(
        &untitled(),
        &PROGRAM.replace("50 epochs", "16000000 epochs"),
    );
    let (trains, runs) = (lens(&mut client, "Train", 0), lens(&mut client, "Run", 0));
    let training = client.begin::<ExecuteCommand>(trains);
    let run = client.begin::<ExecuteCommand>(runs);
    // Other requests are answered while the training runs.
    assert_eq!(lenses(&mut client).len(), 8);
    // A change of the text does not end the training.
    client.change(&untitled(), 2, PROGRAM);
    client.send(notification::<Cancel>(CancelParams {
        id: NumberOrString::Number(training),
    }));
    let given_up = client.answer(training).unwrap_err();
    assert_eq!(given_up.code, -32800, "{}", given_up.message);
    assert!(client.answer(run).is_ok());
    client.end();
}
