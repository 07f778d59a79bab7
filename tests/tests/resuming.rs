//! Continuations that are resumed inside another handler: the remainder of the handled command is handled by
//! that inner handler too.

use fletch_tests::run_json;
use serde_json::json;

const OPERATIONS: &str = "op O : Real(1) ▷ Real(1)
     op Q : Real(1) ▷ Real(1)";

#[test]
fn an_ordinary_handler_around_it_treats_what_it_performs() {
    let result = run_json(&format!(
        "{OPERATIONS}
         main = handle (handle (let a ⇐ O(1) in Q(a)) with {{
           x ↦ ⌊x⌋
           O, k; x ↦ handle k • x with {{ y ↦ ⌊y⌋  Q, j; y ↦ j • 10 }}
         }}) with {{ x ↦ ⌊x⌋  Q, j; y ↦ j • 20 }}"
    ));
    assert_eq!(result["value"], json!({ "real": [10.0] }));
}
