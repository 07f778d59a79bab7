//! Characters that look like a token and are none: typed by a phone, pasted from a paper or a word
//! processor. Each is an error with a fix, and is read as the token it resembles.

/// The token that `character` resembles, in its Unicode spelling.
pub(super) fn resembles(character: char) -> Option<&'static str> {
    Some(match character {
        '⋅' | '‧' | '∙' | '・' | '\u{0387}' => "·",
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '－' | '﹣' => "−",
        '\u{2329}' | '\u{3008}' | '‹' | '❬' | '＜' => "⟨",
        '\u{232A}' | '\u{3009}' | '›' | '❭' | '＞' => "⟩",
        '⎣' => "⌊",
        '⎦' => "⌋",
        '⎡' => "⌈",
        '⎤' => "⌉",
        '＊' | '⁎' | '✱' | '﹡' => "∗",
        '⨀' | '☉' | '⦿' => "⊙",
        '✕' | '✖' | '⨯' | '╳' | '⨉' => "×",
        '⟵' => "←",
        '⟸' => "⇐",
        '⟹' => "⇒",
        '⟼' => "↦",
        '▹' | '▻' | '⊳' | '►' | '▶' => "▷",
        '●' | '⚫' => "•",
        '⊤' | '⊺' => "ᵀ",
        '∶' | '：' => ":",
        '，' | '、' => ",",
        '；' => ";",
        '．' => ".",
        '（' => "(",
        '）' => ")",
        '［' => "[",
        '］' => "]",
        '｛' => "{",
        '｝' => "}",
        '＝' => "=",
        '＋' => "+",
        '⁄' | '∕' | '／' => "/",
        '∣' | '│' | '｜' | '❘' => "|",
        _ => return None,
    })
}

/// What a character inside or after a name resembles: a prime.
pub(crate) fn resembles_prime(character: char) -> Option<&'static str> {
    Some(match character {
        '’' | '‘' | '´' | '＇' | 'ʹ' | 'ʼ' => "'",
        '″' | '”' => "''",
        '‴' => "'''",
        _ => return None,
    })
}
