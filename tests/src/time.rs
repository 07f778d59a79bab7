//! Programs with recurrent networks over any number of moments.

/// Declares a weight, and a handler that takes a step of descent along the cotangent of each `Get` of the weight. Tests put loops
/// under this handler.
pub const DESCENT: &str = "loc w ∷ (3) = [0.1, 0.2, 0.3]
handler H(t : Real(3)) : Real(3) {
  x ↦ ⌊x − t⌋
  Get[ℓ] ( _    ↦ let w ⇐ Get[ℓ]() in ⌊⟨w, ()⟩⌋
         | g, _ ↦ let w ⇐ Get[ℓ]() in let _ ⇐ Put[ℓ](w − g) in ⌊()⌋ )
}
";

/// Construct that a program uses to repeat a moment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// A loop: `feedback`.
    Feedback,
    /// Copies of the moment, one after the other: `iterate`.
    Iterate,
}

/// Returns a recurrent network over `moments` moments, and its training. Weights are read in each moment if `each_reads`, else once
/// before the first moment.
#[must_use]
pub fn recurrent(time: Time, moments: usize, hidden: usize, each_reads: bool) -> String {
    const READ: &str = "let u ⇐ Get[u]() in let w ⇐ Get[w]() in";
    let (before, inside, takes, gives) = match each_reads {
        true => ("", READ, "", ""),
        false => (
            READ,
            "",
            "u : Real(n_hid × n), w : Real(n_hid × n_hid), ",
            "u, w, ",
        ),
    };
    let network = match time {
        Time::Feedback => format!("feedback[time](zero[n_hid], x_in)⟨h, x⟩. Moment({gives}h, x)"),
        Time::Iterate => {
            format!("iterate[i : time](zero[n_hid])⟨h⟩. Moment({gives}h, slice[n * i, n](x_in))")
        }
    };
    format!(
        "dim time = {moments}, n = 2, n_hid = {hidden}
loc u ∷ (n, n_hid) = glorot(seed: 1)
loc w ∷ (n_hid, n_hid) = glorot(seed: 2)
command Moment({takes}h : Real(n_hid), x : Real(n)) : Real(n_hid) = {inside} ⌊tanh(w ∗ h + u ∗ x)⌋
command R(x_in : Real(time × n)) : Real(n_hid) = {before} {network}
handler H(t : Real(1)) : Real(n_hid) {{
  x ↦ ⌊0.01 · (x − broadcast[n_hid](t))⌋
  Get[ℓ] ( _ ↦ let w ⇐ Get[ℓ]() in ⌊⟨w, ()⟩⌋
         | g, _ ↦ let w ⇐ Get[ℓ]() in let _ ⇐ Put[ℓ](w − g) in ⌊()⌋ )
}}
data sums = adding(length: time, n: 5, seed: 1)
train sums as ⟨v, t⟩ for 3 epochs = rev handle(v)⟨x_in⟩. R(reshape[time, n](x_in)) with H(t)
"
    )
}
