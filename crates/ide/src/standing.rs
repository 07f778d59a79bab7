//! The *standing* part of a rejected program: the declarations without errors that need no faulty one. Questions about its commands can be
//! answered, even if `main` is faulty.

use crate::check::{Checked, check_with_files};
use fletch_elaborate::Files;
use fletch_syntax::{Diagnostic, LineIndex, Span};

/// Code of the error for an operation that reaches the top level. The error is located where the operation is performed, but the item that
/// runs the operation is at fault.
const UNHANDLED: &str = "F0506";

impl Checked {
    /// The program without the declarations at fault. All positions are those in `source`. `None` if an error is in no declaration, as in a
    /// text that cannot be read, or if no declaration is left.
    pub fn standing(&self, source: &str, files: &Files) -> Option<Checked> {
        let mut text = source.to_owned();
        let mut faulty = self.at_fault()?;
        // Each round removes a declaration, so the loop ends.
        while !faulty.is_empty() {
            for span in faulty {
                let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
                let blanks: String = span.text(&text).bytes().map(blank).collect();
                let range = span.start as usize..span.end as usize;
                text.get(range.clone())?;
                text.replace_range(range, &blanks);
            }
            let checked = check_with_files(&text, files);
            faulty = checked.at_fault()?;
            if faulty.is_empty() {
                // A blank is one byte and a letter may be several, so lines and columns are taken from the original text.
                let index = LineIndex::new(source);
                return (!checked.outline.is_empty()).then_some(Checked { index, ..checked });
            }
        }
        None
    }

    /// The spans of the declarations that have an error, each once; `None` if an error is in no declaration.
    fn at_fault(&self) -> Option<Vec<Span>> {
        let errors = self.diagnostics.iter().filter(|found| found.is_error());
        let mut spans = Vec::new();
        for error in errors {
            let found = self.faulty(error);
            if found.is_empty() {
                return None;
            }
            spans.extend(found);
        }
        spans.sort_unstable();
        spans.dedup();
        Some(spans)
    }

    /// The error for which a declaration does not stand: its own, else that of another declaration, which it may need.
    pub fn error_of(&self, name: &str) -> Option<&Diagnostic> {
        let errors = || self.diagnostics.iter().filter(|found| found.is_error());
        let named = |span: &Span| {
            let mut entries = self.outline.iter();
            entries.any(|entry| entry.span == *span && (entry.name == name || entry.kind == name))
        };
        let own = errors().find(|error| self.faulty(error).iter().any(named));
        let other = || errors().find(|error| error.code != UNHANDLED);
        own.or_else(other).or_else(|| errors().next())
    }

    /// The declarations that do not stand because of an error.
    fn faulty(&self, error: &Diagnostic) -> Vec<Span> {
        match error.code.as_str() {
            UNHANDLED => self.runs(),
            _ => self.around(error),
        }
    }

    /// The declaration that contains an error.
    fn around(&self, error: &Diagnostic) -> Vec<Span> {
        let inside = |span: &Span| span.start <= error.span.start && error.span.end <= span.end;
        let mut spans = self.outline.iter().map(|entry| entry.span);
        spans.find(inside).into_iter().collect()
    }

    /// The items that run commands: `main`; without one, the items that run commands on data.
    fn runs(&self) -> Vec<Span> {
        let of = |kinds: &[&str]| -> Vec<Span> {
            let entries = self.outline.iter();
            let entries = entries.filter(|entry| kinds.contains(&entry.kind));
            entries.map(|entry| entry.span).collect()
        };
        match of(&["main"]) {
            none if none.is_empty() => of(&["train", "measure", "predict"]),
            mains => mains,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::check;
    use fletch_elaborate::Files;

    const PROGRAM: &str = "\
op FC : Real(2) ▷ Real(2)
command R(x : Real(2)) : Real(2) = FC(x)
command S(x : Real(2)) : Real(2) = R(x)
command Wrong(x : Real(2)) : Real(3) = FC(x)
command Uses(x : Real(2)) : Real(3) = Wrong(x)
main = R([3, 1])
";

    fn names(source: &str) -> Option<Vec<String>> {
        let checked = check(source);
        assert!(checked.rejected(), "{source}");
        let standing = checked.standing(source, &Files::default())?;
        assert!(!standing.rejected());
        let names = standing.outline.iter().map(|entry| entry.name.clone());
        Some(names.collect())
    }

    #[test]
    fn what_stands_is_what_needs_nothing_that_is_at_fault() {
        assert_eq!(names(PROGRAM).unwrap(), ["FC", "R", "S"]);
    }

    #[test]
    fn a_declaration_says_its_own_error_first() {
        let checked = check(PROGRAM);
        let error = |name: &str| checked.error_of(name).unwrap().code.clone();
        assert_eq!(error("main"), "F0506");
        assert_eq!(error("Wrong"), error("Uses"));
        assert_ne!(error("Wrong"), "F0506");
    }

    #[test]
    fn what_performs_an_operation_stands_though_nobody_handles_it() {
        let train = "data d = [[1, 2]]\ntrain d as v for 1 epochs = R(v)\n";
        let source = format!("{}{train}", PROGRAM.replace("R([3, 1])", "S([3, 1])"));
        assert_eq!(names(&source).unwrap(), ["FC", "R", "S", "d"]);
    }

    #[test]
    fn an_error_in_no_declaration_leaves_nothing_that_stands() {
        let broken = "command R(x : Real(2) = ⌊x⌋\nmain = ⌊1⌋\n";
        assert_eq!(names(broken).unwrap(), ["main"]);
        assert_eq!(names("? ?\nmain = ⌊1⌋\n"), None);
        assert_eq!(names("main = ⌊y⌋\n"), None);
    }

    #[test]
    fn places_stay() {
        let source = format!("main = ⌊y⌋\n{}", "command R(x : Real(1)) : Real(1) = ⌊x⌋\n");
        let standing = check(&source).standing(&source, &Files::default()).unwrap();
        let [entry] = &standing.outline[..] else {
            panic!("{:?}", standing.outline.len())
        };
        assert!(entry.span.text(&source).starts_with("command R"));
    }
}
