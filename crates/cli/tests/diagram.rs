//! `fletch diagram`: opened and folded boxes, and the formats.

use crate::common::fletch;
use serde_json::Value as Json;

const TINY: &str = "op O : Real(1) ▷ Real(1)
loc w ∷ (1, 1) = 2
handler H : Real(1) { x ↦ ⌊x⌋
  O ( x ↦ let w ⇐ Get[w]() in ⌊⟨w · x, ⟨w, x⟩⟩⌋ | y, ⟨w, x⟩ ↦ let _ ⇐ Put[w](w − y ⊙ x) in ⌊w ⊙ y⌋ ) }
main = rev handle(3)⟨x⟩. O(x) with H";

#[test]
fn diagrams_are_opened_by_name() {
    let (_, folded, _) = fletch(&["diagram", "-"], TINY);
    let (code, opened, _) = fletch(&["diagram", "-", "--open", "O"], TINY);
    assert_eq!(code, 0);
    assert_eq!(folded.matches(">O forward</text>").count(), 0, "{folded}");
    assert_eq!(opened.matches(">O forward</text>").count(), 1, "{opened}");
    assert_eq!(opened.matches(">O backward</text>").count(), 1, "{opened}");

    let (code, output, errors) = fletch(&["diagram", "-", "--open", "P"], TINY);
    assert_eq!((code, output.as_str()), (2, ""));
    assert!(errors.contains("nothing called `P`"), "{errors}");
    assert!(errors.contains("these can be opened: `O`"), "{errors}");
}

#[test]
fn runs_are_framed_and_folded_by_handler() {
    const AUTOENCODER: &str = include_str!("../../../examples/autoencoder.fletch");
    let draw = |arguments: &[&str]| {
        let arguments: Vec<&str> = ["diagram", "-"].iter().chain(arguments).copied().collect();
        let (code, output, errors) = fletch(&arguments, AUTOENCODER);
        assert_eq!(code, 0, "{errors}");
        output
    };
    let whole = "rev handle … with H_AE";
    let svg = draw(&[]);
    assert_eq!(svg.matches(">H_AE forward</text>").count(), 1, "{svg}");
    assert_eq!(svg.matches(whole).count(), 0);
    let svg = draw(&["--fold", "H_AE"]);
    assert_eq!(svg.matches(">H_AE forward</text>").count(), 0);
    assert_eq!(svg.matches(whole).count(), 2, "{svg}");
    let tikz = draw(&["--format", "tikz"]);
    assert_eq!(tikz.matches("\\draw[run]").count(), 2, "{tikz}");
    let json: Json = serde_json::from_str(&draw(&["--json"])).unwrap();
    let runs: Vec<bool> = (json["frames"].as_array().unwrap().iter())
        .map(|frame| frame["run"].as_bool().unwrap())
        .collect();
    assert_eq!(runs, [true, true]);

    let (code, output, errors) = fletch(&["diagram", "-", "--fold", "FC"], AUTOENCODER);
    assert_eq!((code, output.as_str()), (2, ""));
    assert!(errors.contains("nothing called `FC` to fold"), "{errors}");
    assert!(errors.contains("`H_MLP`, `H_AE`"), "{errors}");
}

#[test]
fn diagrams_turn_downward() {
    let size = |arguments: &[&str]| {
        let (code, output, errors) = fletch(arguments, TINY);
        assert_eq!(code, 0, "{errors}");
        let json: Json = serde_json::from_str(&output).unwrap();
        let side = |name: &str| json["bounds"][name].as_f64().unwrap();
        (side("width"), side("height"))
    };
    let (width, height) = size(&["diagram", "-", "--json"]);
    let (down_width, down_height) = size(&["diagram", "-", "--json", "--down"]);
    assert!(down_width < width && down_height > height);
}

#[test]
fn diagrams_are_drawn_in_every_format() {
    let (code, svg, _) = fletch(&["diagram", "-"], TINY);
    assert_eq!(code, 0);
    assert!(svg.starts_with("<svg xmlns="), "{svg}");
    assert_eq!(svg.matches(">O</text>").count(), 2, "{svg}");
    let (_, unbent, _) = fletch(&["diagram", "-", "--style", "unbent"], TINY);
    assert_ne!(svg, unbent);

    let (_, tikz, _) = fletch(&["diagram", "-", "--format", "tikz"], TINY);
    assert!(tikz.contains("\\begin{tikzpicture}"), "{tikz}");

    let (_, json, _) = fletch(&["diagram", "-", "--json"], TINY);
    let json: Json = serde_json::from_str(&json).unwrap();
    let halves: Vec<&Json> = json["boxes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| &b["half"])
        .collect();
    assert_eq!(halves.iter().filter(|half| **half == "forward").count(), 1);
    assert_eq!(halves.iter().filter(|half| **half == "backward").count(), 1);

    let (_, network, _) = fletch(&["diagram", "-", "--network"], TINY);
    assert_eq!(network.matches(">O</text>").count(), 1, "{network}");
    let (code, _, errors) = fletch(&["diagram", "-", "--network"], "main = ⌊1⌋");
    assert_eq!(code, 2);
    assert!(errors.contains("has no `rev handle`"), "{errors}");

    let draw = |clause| fletch(&["diagram", "-", "--clause", clause], TINY);
    let (code, forward, _) = draw("O forward");
    assert_eq!(code, 0);
    // The forward half is drawn alone: without return clause and backward pass.
    assert!(!forward.contains("#0c7a8a"), "{forward}");
    let (_, backward, _) = draw("O backward");
    assert_ne!(forward, backward);
    assert_eq!(draw("return").0, 0);
    let (code, _, errors) = draw("O");
    assert_eq!(code, 2);
    let clauses =
        "the handler has no clause `O`: its clauses are `return`, `O forward`, `O backward`";
    assert!(errors.contains(clauses), "{errors}");
}

#[test]
fn a_long_diagram_is_broken_into_rows_and_fitted() {
    const UNET: &str = include_str!("../../../examples/unet_training.fletch");
    let size = |arguments: &[&str]| {
        let (code, output, errors) =
            fletch(&[&["diagram", "-", "--json"][..], arguments].concat(), UNET);
        assert_eq!(code, 0, "{errors}");
        let bounds = serde_json::from_str::<Json>(&output).unwrap()["bounds"].clone();
        ["width", "height"].map(|side| bounds[side].as_f64().unwrap())
    };
    let [road, rows, fitted] = [&[][..], &["--rows", "2"], &["--fit", "1252x536"]].map(size);
    assert!(
        rows[0] < 0.6 * road[0] && rows[1] > 1.5 * road[1],
        "{road:?} {rows:?}"
    );
    assert!(fitted[0] < rows[0], "boxes say less: {fitted:?}");
    let (code, _, errors) = fletch(&["diagram", "-", "--fit", "wide"], UNET);
    assert_eq!(code, 2);
    assert!(
        errors.contains("a width and a height in pixels"),
        "{errors}"
    );
}
