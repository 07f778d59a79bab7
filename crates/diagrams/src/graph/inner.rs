//! Runs of inner handlers. An outer handler handles the network that an inner handler makes, so the statements of its run are sorted by
//! inner runs. An opened clause may have runs, too.

use fletch_arrows::{Pass, Passage};

/// A run that is drawn around boxes, or as one box.
#[derive(Clone, Debug)]
pub(super) struct Around<'a> {
    /// A passage through the run.
    pub(super) passage: &'a Passage,
    /// Key that distinguishes the run from others in the same box; equal in both passes of the enclosing run.
    pub(super) key: String,
    /// Pass of the enclosing run.
    pub(super) half: Option<Pass>,
    /// True for the run of the outermost handler, which is drawn bent and without a frame.
    pub(super) bends: bool,
}

/// Runs around a box with this passage, the outermost first. The first is the run of the passage itself, which bends unless the box is in
/// an opened clause (`looked_into`).
pub(super) fn around(passage: Option<&Passage>, looked_into: bool) -> Vec<Around<'_>> {
    let mut found = Vec::new();
    let Some(passage) = passage else {
        return found;
    };
    let key = format!("n{}", passage.run);
    let half = (!looked_into && passage.pass != Pass::Return).then_some(passage.pass);
    let handled = handled(passage);
    found.push(Around {
        passage,
        key: key.clone(),
        half: None,
        bends: !looked_into,
    });
    if let Some(handled) = handled {
        let side = if looked_into { passage.pass.name() } else { "" };
        further(handled, &format!("{key}{side}"), half, &mut found);
    }
    found
}

/// Adds the run of a handled passage, and the runs inside of it.
fn further<'a>(passage: &'a Passage, outer: &str, half: Option<Pass>, found: &mut Vec<Around<'a>>) {
    let key = format!("{outer}.n{}", passage.run);
    found.push(Around {
        passage,
        key: key.clone(),
        half,
        bends: false,
    });
    let side = format!("{key}{}", passage.pass.name());
    if let Some(handled) = handled(passage) {
        further(handled, &side, half, found);
    }
    if let (true, Some(inner)) = (passage.clause, passage.inner.as_deref()) {
        let statement = passage.call.as_ref().map(|call| call.statement);
        let statement = statement.map_or_else(String::new, |number| number.to_string());
        further(inner, &format!("{side}c{statement}"), half, found);
    }
}

/// Passage, within the handled network, of the command that this passage handles.
fn handled(passage: &Passage) -> Option<&Passage> {
    passage.call.as_ref()?.passage.as_deref()
}

/// Letter of a pass, for keys; empty without a pass.
pub(super) fn letter(half: Option<Pass>) -> &'static str {
    match half {
        Some(Pass::Forward) => "f",
        Some(Pass::Return) => "r",
        Some(Pass::Backward) => "b",
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::{boxes, check, graph};

    #[test]
    fn a_run_inside_another_stands_in_a_frame_on_either_side() {
        check(
            &boxes(&graph(
                "rev handle([1, 2])⟨x⟩. (rev handle(x)⟨x⟩. F(x) with N) with H",
            )),
            "
            [1, 2]
            N›: F›
            N‹: F‹",
        );
    }

    #[test]
    fn runs_inside_one_another_stand_in_frames_inside_one_another() {
        check(
            &boxes(&graph(
                "rev handle([1, 2])⟨x⟩. (rev handle(x)⟨x⟩. (rev handle(x)⟨x⟩. F(x) with N) with N) with H",
            )),
            "
            [1, 2]
            N›: N›: F›
            N‹: N‹: F‹",
        );
    }
}
