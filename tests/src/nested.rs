//! Programs with chains of layers under nested reverse handlers.

/// Returns a chain of layers under `levels` nested reverse handlers. The outermost handler trains; inner handlers call the
/// layers in their forward and backward clauses.
pub fn nested(levels: usize, layers: usize) -> String {
    let locations: String = (0..layers)
        .map(|k| format!("loc w{k} ∷ (2, 2) = glorot(seed: {})\n", k + 1))
        .collect();
    let chain: String = (0..layers)
        .map(|k| format!("let z ⇐ FC[w{k}](x) in let x ⇐ ⌊swish(z)⌋ in "))
        .collect();
    let body = (1..levels).fold(format!("{chain}⌊x⌋"), |body, _| {
        format!("(rev handle(x)⟨x⟩. {body} with H)")
    });
    format!(
        "{locations}op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
handler H : Real(2) {{
  x ↦ ⌊0.5 · x⌋
  FC[ℓ ∷ (n, m)] ( x ↦ let y ⇐ FC[ℓ](x) in ⌊⟨y, y⟩⌋
                 | y, z ↦ let u ⇐ FC[ℓ](y + z) in ⌊tanh(u)⌋ )
}}
handler Train(t : Real(2)) : Real(2) {{
  x ↦ ⌊0.1 · (x − t)⌋
  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                 | y, z ↦ let ⟨w, x⟩ ⇐ ⌊z⌋ in let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}}
main = rev handle([0.3, −0.2])⟨x⟩. {body} with Train([1, 0])"
    )
}

/// Returns a chain of layers under two handlers. The inner handler reads and writes weights; the outer handler turns each
/// write into a step of descent. The layers share two locations.
pub fn descent(layers: usize) -> String {
    let chain: String = (0..layers)
        .map(|k| format!("let x ⇐ FC[w{}](x) in let x ⇐ ⌊tanh(x)⌋ in ", k % 2))
        .collect();
    format!(
        "loc w0 ∷ (2, 2) = glorot(seed: 1)
loc w1 ∷ (2, 2) = glorot(seed: 2)
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
handler Descent : Real(2) {{
  x ↦ ⌊x⌋
  Get[ℓ] ( u ↦ let w ⇐ Get[ℓ]() in ⌊⟨w, ()⟩⌋ | g, z ↦ let w ⇐ Get[ℓ]() in let _ ⇐ Put[ℓ](w − g) in ⌊()⌋ )
  Put[ℓ] ( u ↦ let _ ⇐ Put[ℓ](u) in ⌊⟨(), u⟩⌋ | g, z ↦ ⌊z⌋ )
}}
handler H(t : Real(2)) : Real(2) {{
  x ↦ ⌊0.1 · (x − t)⌋
  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                 | y, z ↦ let ⟨w, x⟩ ⇐ ⌊z⌋ in let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}}
main = rev handle([0.3, −0.2])⟨x⟩. rev handle(x)⟨x⟩. {chain}⌊x⌋ with H([1, 0]) with Descent"
    )
}
