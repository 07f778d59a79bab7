//! The words that are printed around a lesson, in each language that lessons may have.

/// The words of one language.
pub(super) struct Words {
    /// Code of the language, as in the file names of translations.
    pub(super) language: &'static str,
    pub(super) tour: &'static str,
    pub(super) lesson: &'static str,
    pub(super) of: &'static str,
    pub(super) about: &'static str,
    pub(super) minutes: &'static str,
    pub(super) live: &'static str,
    pub(super) said_of_live: &'static str,
    pub(super) predict: &'static str,
    pub(super) step: &'static str,
    pub(super) answer: &'static str,
    pub(super) exercise: &'static str,
    pub(super) hint: &'static str,
    pub(super) solution: &'static str,
    pub(super) open: &'static str,
    pub(super) begin: &'static str,
    pub(super) program_of: &'static str,
    pub(super) diagram_of: &'static str,
}

/// The words for lessons that are not translated.
pub(super) const ENGLISH: &Words = &Words {
    language: "en",
    tour: "The tour",
    lesson: "lesson",
    of: "of",
    about: "About",
    minutes: "minutes",
    live: "Go through it live",
    said_of_live: "with the program beside the text, questions that hold the run, and exercises that are checked.",
    predict: "Predict.",
    step: "step",
    answer: "Answer",
    exercise: "Exercise",
    hint: "Hint",
    solution: "Solution",
    open: "Open the program live",
    begin: "Begin it live",
    program_of: "Program of lesson",
    diagram_of: "The diagram of",
};

const GERMAN: &Words = &Words {
    language: "de",
    tour: "Die Tour",
    lesson: "Lektion",
    of: "von",
    about: "Etwa",
    minutes: "Minuten",
    live: "Zum Mitmachen (auf Englisch)",
    said_of_live: "mit dem Programm neben dem Text, mit Fragen, die den Lauf anhalten, und mit geprüften Aufgaben.",
    predict: "Sage voraus.",
    step: "Schritt",
    answer: "Antwort",
    exercise: "Aufgabe",
    hint: "Hinweis",
    solution: "Lösung",
    open: "Das Programm öffnen",
    begin: "Damit anfangen",
    program_of: "Programm der Lektion",
    diagram_of: "Das Diagramm von",
};

/// The words of a language, by its code.
///
/// # Errors
/// The list of the known languages, if this is none of them.
pub(super) fn words(language: &str) -> Result<&'static Words, String> {
    let all = [ENGLISH, GERMAN];
    let codes = all.map(|words| words.language).join(", ");
    let mut all = all.into_iter();
    let found = all.find(|words| words.language == language);
    found.ok_or_else(|| format!("the languages are {codes}"))
}
