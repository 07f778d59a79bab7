//! ASCII spellings of tokens and names of characters, as data for the input method of the editor and
//! for the formatter. The formatter prints the Unicode spellings, or with `--ascii` the ASCII
//! spellings.

/// Pairs of spellings of a token, ASCII first. A spelling comes before its own prefixes. `pure(M)`
/// and `ceil(a/b)` are not single tokens, but brackets in Unicode; they are in [`wrappers`].
pub fn spellings() -> &'static [(&'static str, &'static str)] {
    &[
        ("|->", "↦"),
        ("|>", "▷"),
        ("<=", "⇐"),
        ("<-", "←"),
        ("=>", "⇒"),
        ("::", "∷"),
        ("**", "⊙"),
        (".*", "·"),
        ("^T", "ᵀ"),
        ("*", "∗"),
        ("-", "−"),
        ("@", "•"),
        ("<", "⟨"),
        (">", "⟩"),
    ]
}

/// Words that form a bracket together with their parenthesis in ASCII: the word, then the opening
/// and the closing bracket in Unicode.
pub fn wrappers() -> &'static [(&'static str, &'static str, &'static str)] {
    &[("pure", "⌊", "⌋"), ("ceil", "⌈", "⌉")]
}

/// Names that the input method replaces after a backslash, with their characters.
pub fn names() -> &'static [(&'static str, &'static str)] {
    &[
        ("alpha", "α"),
        ("beta", "β"),
        ("gamma", "γ"),
        ("delta", "δ"),
        ("epsilon", "ε"),
        ("varepsilon", "ε"),
        ("zeta", "ζ"),
        ("eta", "η"),
        ("theta", "θ"),
        ("vartheta", "ϑ"),
        ("iota", "ι"),
        ("kappa", "κ"),
        ("lambda", "λ"),
        ("mu", "μ"),
        ("nu", "ν"),
        ("xi", "ξ"),
        ("omicron", "ο"),
        ("pi", "π"),
        ("rho", "ρ"),
        ("sigma", "σ"),
        ("varsigma", "ς"),
        ("tau", "τ"),
        ("upsilon", "υ"),
        ("phi", "φ"),
        ("varphi", "ϕ"),
        ("chi", "χ"),
        ("psi", "ψ"),
        ("omega", "ω"),
        ("Gamma", "Γ"),
        ("Delta", "Δ"),
        ("Theta", "Θ"),
        ("Lambda", "Λ"),
        ("Xi", "Ξ"),
        ("Pi", "Π"),
        ("Sigma", "Σ"),
        ("Upsilon", "Υ"),
        ("Phi", "Φ"),
        ("Psi", "Ψ"),
        ("Omega", "Ω"),
        ("ell", "ℓ"),
        ("langle", "⟨"),
        ("rangle", "⟩"),
        ("lfloor", "⌊"),
        ("rfloor", "⌋"),
        ("lceil", "⌈"),
        ("rceil", "⌉"),
        ("mapsto", "↦"),
        ("gets", "←"),
        ("leftarrow", "←"),
        ("Leftarrow", "⇐"),
        ("Rightarrow", "⇒"),
        ("rhd", "▷"),
        ("triangleright", "▷"),
        ("Colon", "∷"),
        ("cdot", "·"),
        ("ast", "∗"),
        ("odot", "⊙"),
        ("times", "×"),
        ("minus", "−"),
        ("bullet", "•"),
        ("T", "ᵀ"),
        ("top", "ᵀ"),
        ("prime", "′"),
        ("_0", "₀"),
        ("_1", "₁"),
        ("_2", "₂"),
        ("_3", "₃"),
        ("_4", "₄"),
        ("_5", "₅"),
        ("_6", "₆"),
        ("_7", "₇"),
        ("_8", "₈"),
        ("_9", "₉"),
        ("_i", "ᵢ"),
        ("_j", "ⱼ"),
        ("_k", "ₖ"),
        ("_m", "ₘ"),
        ("_n", "ₙ"),
        ("_t", "ₜ"),
    ]
}

#[cfg(test)]
mod tests {
    use super::{names, spellings};
    use crate::lexer::lex;

    #[test]
    fn both_spellings_are_the_same_token() {
        for (ascii, unicode) in spellings() {
            // The operand before the token matters: `<-` is an arrow only after a name.
            let kinds = |token: &str| {
                let lexed = lex(&format!("x {token} "));
                assert!(lexed.diagnostics.is_empty(), "{token}");
                lexed
                    .tokens
                    .iter()
                    .map(|token| token.kind)
                    .collect::<Vec<_>>()
            };
            assert_eq!(kinds(ascii), kinds(unicode), "{ascii} {unicode}");
            assert_eq!(kinds(ascii).len(), 2, "{ascii}");
        }
    }

    #[test]
    fn every_named_character_is_one_of_the_language() {
        for (name, character) in names() {
            assert!(
                lex(&format!("x{character} ")).diagnostics.is_empty(),
                "{name}"
            );
        }
    }
}
