//! Names and texts in LaTeX: `z_hid′₁` is z with the subscripts hid and 1 and a prime. The output is ASCII, except for letters
//! without a command in LaTeX.

use super::letters::{letter, subscript};

/// LaTeX of a name, in math mode.
pub(crate) fn name(text: &str) -> String {
    if text == "_" {
        return "\\_".to_owned();
    }
    if text.contains(['{', '}']) {
        return "\\{\\dots\\}".to_owned();
    }
    // `velocity[ℓ0]`
    if let Some((base, indices)) = text.split_once('[') {
        let indices = indices.strip_suffix(']').unwrap_or(indices);
        let indices: Vec<String> = indices.split(", ").map(name).collect();
        return format!("{}[{}]", name(base), indices.join(", "));
    }
    if text.chars().all(|character| character.is_ascii_digit()) {
        return text.to_owned();
    }
    let mut parts = Parts::default();
    for character in text.chars() {
        parts.add(character);
    }
    parts.latex()
}

/// Components of a name.
#[derive(Default)]
struct Parts {
    base: String,
    subscripts: Vec<String>,
    /// Number that distinguishes the name from equal names.
    number: String,
    primes: usize,
    /// True if further characters belong to the last subscript.
    open: bool,
}

impl Parts {
    fn add(&mut self, character: char) {
        let subscript = subscript(character);
        match character {
            '\'' | '′' => self.prime(1),
            '″' => self.prime(2),
            '‴' => self.prime(3),
            '_' => {
                self.subscripts.push(String::new());
                self.open = true;
            }
            _ if subscript.is_some() => self.number.extend(subscript),
            digit if digit.is_ascii_digit() && (self.open || !self.base.is_empty()) => {
                self.subscript(digit);
            }
            other if self.open => self.subscript(other),
            other => self.base.push(other),
        }
    }

    fn prime(&mut self, count: usize) {
        self.primes += count;
        self.open = false;
    }

    fn subscript(&mut self, character: char) {
        if !self.open {
            self.subscripts.push(String::new());
            self.open = true;
        }
        if let Some(last) = self.subscripts.last_mut() {
            last.push(character);
        }
    }

    /// LaTeX of the name, in braces so that a superscript may follow.
    fn latex(&self) -> String {
        let mut out = format!("{{{}", word(&self.base, "mathit"));
        let subscripts: Vec<String> = self
            .subscripts
            .iter()
            .filter(|subscript| !subscript.is_empty())
            .chain(std::iter::once(&self.number).filter(|number| !number.is_empty()))
            .map(|subscript| word(subscript, "mathrm"))
            .collect();
        if !subscripts.is_empty() {
            out += &format!("_{{{}}}", subscripts.join(","));
        }
        if self.primes > 0 {
            out += &format!("^{{{}}}", "\\prime".repeat(self.primes));
        }
        out + "}"
    }
}

/// LaTeX of a base or a subscript. Several letters are set together in a font of their own.
fn word(text: &str, font: &str) -> String {
    if !text.chars().all(is_mathematical) {
        let letters: String = text.chars().map(written).collect();
        let font = if font == "mathit" { "\\itshape " } else { "" };
        return format!("\\text{{\\normalfont {font}{letters}}}");
    }
    let letters: String = text.chars().map(symbol).collect();
    let single = text.chars().count() == 1 || text.chars().all(|c| c.is_ascii_digit());
    if single {
        letters
    } else {
        format!("\\{font}{{{letters}}}")
    }
}

/// True if a character has a form in math mode.
fn is_mathematical(character: char) -> bool {
    character.is_ascii() || SYMBOLS.iter().any(|(known, _)| *known == character)
}

/// LaTeX of a character of a word, outside of math mode.
fn written(character: char) -> String {
    match is_mathematical(character) {
        true if character.is_ascii_alphanumeric() => character.to_string(),
        true => format!("${}$", symbol(character).trim_end()),
        false => letter(character),
    }
}

/// LaTeX of a character, in math mode.
pub(super) fn symbol(character: char) -> String {
    if let Some((_, command)) = SYMBOLS.iter().find(|(known, _)| *known == character) {
        return format!("{command} ");
    }
    if let Some(low) = subscript(character) {
        return format!("_{{{low}}}");
    }
    match character {
        '#' | '$' | '%' | '&' | '_' | '{' | '}' => format!("\\{character}"),
        '\\' => "\\backslash ".to_owned(),
        '^' => "\\hat{\\ }".to_owned(),
        '~' => "\\sim ".to_owned(),
        other if other.is_ascii() => other.to_string(),
        other => format!("\\text{{{}}}", letter(other)),
    }
}

/// LaTeX of a text, outside of math mode.
pub(crate) fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(character);
            }
            '\\' | '^' | '~' | '|' | '<' | '>' => out += &format!("${}$", symbol(character)),
            '’' => out.push('\''),
            '…' => out += "\\dots{}",
            '–' => out += "--",
            '“' => out += "``",
            '”' => out += "''",
            other if other.is_ascii() => out.push(other),
            other if is_mathematical(other) || subscript(other).is_some() => {
                out += &format!("${}$", symbol(other).trim_end());
            }
            other => out += &letter(other),
        }
    }
    out
}

const SYMBOLS: &[(char, &str)] = &[
    ('ℓ', "\\ell"),
    ('α', "\\alpha"),
    ('β', "\\beta"),
    ('γ', "\\gamma"),
    ('δ', "\\delta"),
    ('ε', "\\varepsilon"),
    ('ϵ', "\\epsilon"),
    ('ζ', "\\zeta"),
    ('η', "\\eta"),
    ('θ', "\\theta"),
    ('ι', "\\iota"),
    ('κ', "\\kappa"),
    ('λ', "\\lambda"),
    ('μ', "\\mu"),
    ('ν', "\\nu"),
    ('ξ', "\\xi"),
    ('π', "\\pi"),
    ('ρ', "\\rho"),
    ('σ', "\\sigma"),
    ('τ', "\\tau"),
    ('υ', "\\upsilon"),
    ('φ', "\\varphi"),
    ('ϕ', "\\phi"),
    ('χ', "\\chi"),
    ('ψ', "\\psi"),
    ('ω', "\\omega"),
    ('Γ', "\\Gamma"),
    ('Δ', "\\Delta"),
    ('Θ', "\\Theta"),
    ('Λ', "\\Lambda"),
    ('Ξ', "\\Xi"),
    ('Π', "\\Pi"),
    ('Σ', "\\Sigma"),
    ('Φ', "\\Phi"),
    ('Ψ', "\\Psi"),
    ('Ω', "\\Omega"),
    ('∇', "\\nabla"),
    ('∂', "\\partial"),
    ('ℝ', "\\mathbb{R}"),
    ('∞', "\\infty"),
    ('→', "\\to"),
    ('←', "\\tbind"),
    ('⇐', "\\pbind"),
    ('↦', "\\mapsto"),
    ('⌊', "\\lfloor"),
    ('⌋', "\\rfloor"),
    ('⟨', "\\langle"),
    ('⟩', "\\rangle"),
    ('×', "\\times"),
    ('·', "\\cdot"),
    ('∗', "\\ast"),
    ('⊙', "\\odot"),
    ('−', "-"),
    ('•', "\\bullet"),
    ('…', "\\dots"),
    // The prime is raised here: the bare command prints a large one on the line.
    ('′', "{}^{\\prime}"),
    ('▷', "\\triangleright"),
    ('⊢', "\\vdash"),
    ('⇒', "\\Rightarrow"),
    ('⇝', "\\rightsquigarrow"),
    ('∈', "\\in"),
    ('≤', "\\leq"),
    ('◇', "\\diamond"),
    ('∷', "\\mathrel{::}"),
    ('ᵀ', "^{\\top}"),
    ('<', "<"),
    ('>', ">"),
    ('|', "\\mid"),
];

#[cfg(test)]
mod tests {
    use super::{name, prose};

    #[test]
    fn names_keep_their_subscripts_and_primes() {
        let cases = [
            ("x", "{x}"),
            ("ℓ0", "{\\ell _{0}}"),
            ("ℓ0''", "{\\ell _{0}^{\\prime\\prime}}"),
            ("z_hid′₁", "{z_{\\mathrm{hid},1}^{\\prime}}"),
            ("x_hid₁₂", "{x_{\\mathrm{hid},12}}"),
            ("x_in″", "{x_{\\mathrm{in}}^{\\prime\\prime}}"),
            ("velocity[ℓ0]", "{\\mathit{velocity}}[{\\ell _{0}}]"),
            ("α", "{\\alpha }"),
            ("_", "\\_"),
            ("H_MLP", "{H_{\\mathrm{MLP}}}"),
            ("{…}", "\\{\\dots\\}"),
            (
                "変数",
                "{\\text{\\normalfont \\itshape \\fletchletter{Han}{5909}{変}\\fletchletter{Han}{6570}{数}}}",
            ),
            ("w₁", "{w_{1}}"),
            ("xₙ", "{x_{n}}"),
            (
                "xₔ",
                "{\\text{\\normalfont \\itshape x\\fletchletter{Other}{2094}{ₔ}}}",
            ),
            ("été", "{\\text{\\normalfont \\itshape \\'{e}t\\'{e}}}"),
            (
                "Größe_λé",
                "{\\text{\\normalfont \\itshape Gr\\\"{o}{\\ss}e}_{\\text{\\normalfont $\\lambda$\\'{e}}}}",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(name(text), expected);
        }
    }

    #[test]
    fn prose_is_escaped() {
        assert_eq!(
            prose("w₁ of été[Größe]"),
            "w$_{1}$ of \\'{e}t\\'{e}[Gr\\\"{o}{\\ss}e]"
        );
        assert_eq!(
            prose("w′ of z′′"),
            "w${}^{\\prime}$ of z${}^{\\prime}$${}^{\\prime}$"
        );
        assert_eq!(
            prose("50 % of ⟨x_1⟩ …"),
            "50 \\% of $\\langle$x\\_1$\\rangle$ \\dots{}"
        );
    }
}
