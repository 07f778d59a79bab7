//! Glossary of the words in sentences and labels, for readers who have not read the paper.

/// The words and their meanings.
const MEANINGS: &[(&str, &str)] = &[
    (
        "cotangent",
        "What travels backward, one for each value and of its shape: how much the loss changes with it, times the step \
         size of the return clause. That clause makes the first; each backward clause turns that of its result into \
         that of its input.",
    ),
    (
        "forward clause",
        "What the handler says an operation does on the way forward: it computes the result, and a part to save \
         for the way back.",
    ),
    (
        "backward clause",
        "What the handler says an operation does on the way back: from the cotangent of its result and from what \
         was saved it computes the cotangent of its input. Here weights are updated.",
    ),
    (
        "return clause",
        "What the handler does with the final result: it makes the first cotangent of it, and the way back begins.",
    ),
    (
        "continuation",
        "The rest of the network, from this operation on. It takes the operation’s result, and gives back the \
         cotangent of that result.",
    ),
    (
        "reverse derivative",
        "What carries a cotangent back through a function f, written rd[f]: at a point, from the cotangent of the function’s \
         result to the cotangent of its argument.",
    ),
];

/// Meaning of a word, in one or two sentences; `None` if the glossary has no entry for it.
pub fn gloss(word: &str) -> Option<&'static str> {
    let meaning = MEANINGS.iter().find(|(known, _)| *known == word);
    meaning.map(|(_, meaning)| *meaning)
}

/// The words of the glossary.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    MEANINGS.iter().map(|(word, _)| *word)
}
