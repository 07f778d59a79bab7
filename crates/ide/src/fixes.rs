//! Filter of quick fixes: a fix is offered if, applied, it removes its diagnostic and adds no error. A repair is proposed
//! where a mistake is found, from the text near it; only reading the repaired program shows if it helps. That is done here,
//! so it holds for every fix.

use crate::examination::{Examined, examine};
use fletch_elaborate::Files;
use fletch_syntax::{Diagnostic, Fix, Severity, Span};

/// Maximum number of bytes read again in all, and of fixes tried. A fix beyond them is not offered.
const BYTES: usize = 1 << 20;
const FIXES: usize = 64;

/// Takes back the fixes that do not help.
pub(crate) fn keep_helpful(source: &str, files: Option<&Files>, examined: &mut Examined) {
    let room = (BYTES / source.len().max(1)).min(FIXES);
    let fixes = examined.diagnostics.iter().enumerate();
    // The hints of a program without errors only give a name that nothing uses another one.
    let fixes = fixes.filter(|(_, found)| found.fix.is_some() && found.severity != Severity::Hint);
    let mut useless = Vec::new();
    for (tried, (position, found)) in fixes.enumerate() {
        let helps = |fix| tried < room && helps(source, files, examined, found, fix);
        if !found.fix.as_ref().is_some_and(helps) {
            useless.push(position);
        }
    }
    for position in useless {
        if let Some(found) = examined.diagnostics.get_mut(position) {
            found.fix = None;
        }
    }
}

/// True if a fix removes its diagnostic and adds no error.
fn helps(
    source: &str,
    files: Option<&Files>,
    before: &Examined,
    found: &Diagnostic,
    fix: &Fix,
) -> bool {
    let (start, end) = (fix.span.start as usize, fix.span.end as usize);
    let (Some(head), Some(tail)) = (source.get(..start), source.get(end..)) else {
        return false;
    };
    let fixed = format!("{head}{}{tail}", fix.replacement);
    let after = examine(&fixed, files);
    let moved = Moved::by(fix);
    let again = |other: &Diagnostic| {
        other.code == found.code && other.span.start == moved.place(found.span.start)
    };
    if after.diagnostics.iter().any(again) {
        return false;
    }
    let mut left: Vec<&Diagnostic> = before
        .diagnostics
        .iter()
        .filter(|other| other.is_error() && !std::ptr::eq(*other, found))
        .collect();
    // Of several mistakes one may hide another, which was found and not said.
    let several = !left.is_empty();
    for error in after.diagnostics.iter().filter(|error| error.is_error()) {
        let same = |other: &&Diagnostic| moved.is_same(other, error);
        if let Some(position) = left.iter().position(same) {
            left.swap_remove(position);
            continue;
        }
        let shown_elsewhere = before.diagnostics.iter().any(|other| {
            let mut labels = other.labels.iter();
            other.code == error.code
                && labels.any(|label| moved.place(label.span.start) == error.span.start)
        });
        // Nor does a mistake after it bring about what stands before it.
        let unsaid = (several || error.span.end <= moved.start)
            && !moved.touches(error.span)
            && after.is_one_declaration(moved.start, error.span)
            && before.unsaid.iter().any(|other| same(&other));
        if !shown_elsewhere && !unsaid {
            return false;
        }
    }
    true
}

impl Examined {
    /// True if a place is in the same declaration as the fix.
    fn is_one_declaration(&self, fix: u32, place: Span) -> bool {
        let mut items = self.program.items.iter();
        items.any(|item| {
            item.span.start <= fix && place.start >= item.span.start && place.end <= item.span.end
        })
    }
}

/// Map of places by a fix.
struct Moved {
    start: u32,
    end: u32,
    /// End of the replacement text.
    written: u32,
}

impl Moved {
    fn by(fix: &Fix) -> Moved {
        let length = u32::try_from(fix.replacement.len()).unwrap_or(u32::MAX);
        Moved {
            start: fix.span.start,
            end: fix.span.end,
            written: fix.span.start.saturating_add(length),
        }
    }

    /// A place of the text before, in the text after; what was replaced is at its start.
    fn place(&self, before: u32) -> u32 {
        if before <= self.start {
            before
        } else if before >= self.end {
            before - self.end + self.written
        } else {
            self.start
        }
    }

    fn touches(&self, after: Span) -> bool {
        after.start <= self.written && self.start <= after.end
    }

    /// True if an error of the new text is one of the old text. Within the replacement text, the replaced parts may have moved.
    fn is_same(&self, before: &Diagnostic, after: &Diagnostic) -> bool {
        let at = before.span.start;
        let within = self.start <= at && at < self.end;
        let in_written = self.start <= after.span.start && after.span.start < self.written;
        before.code == after.code
            && (self.place(at) == after.span.start
                || (within && in_written && before.message == after.message))
    }
}
