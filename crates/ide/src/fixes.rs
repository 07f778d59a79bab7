//! Filter of quick fixes: a fix is offered only if applying it removes its diagnostic and adds no error. Fixes are proposed where a mistake
//! is found, from the text near it, and only checking the repaired program shows if a fix helps. This filter applies to every fix.

use crate::examination::{Examined, examine};
use fletch_elaborate::Files;
use fletch_syntax::{Diagnostic, Fix, Severity, Span};

/// Maximum number of bytes of text that are checked again in total, and of fixes that are tried. Fixes beyond these limits are not offered.
const BYTES: usize = 1 << 20;
const FIXES: usize = 64;

/// Removes the fixes that do not help from the diagnostics.
pub(crate) fn keep_helpful(source: &str, files: Option<&Files>, examined: &mut Examined) {
    let room = (BYTES / source.len().max(1)).min(FIXES);
    let fixes = examined.diagnostics.iter().enumerate();
    // The hints of a program without errors need no check: they only rename a name that nothing uses.
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
    // With several mistakes, one may hide another that was found and suppressed.
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
        // A mistake cannot cause an error located before it, so such an error is not due to the fix either.
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
    /// True if the span `place` is in the same declaration as the fix, which starts at `fix`.
    fn is_one_declaration(&self, fix: u32, place: Span) -> bool {
        let mut items = self.program.items.iter();
        items.any(|item| {
            item.span.start <= fix && place.start >= item.span.start && place.end <= item.span.end
        })
    }
}

/// Map from offsets in the text before a fix to offsets after it.
struct Moved {
    start: u32,
    end: u32,
    /// End of the replacement text, in the new text.
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

    /// The offset in the new text; replaced text maps to the start of the replacement.
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

    /// True if an error of the new text is one of the old text. An error inside the replaced text may be anywhere in the replacement.
    fn is_same(&self, before: &Diagnostic, after: &Diagnostic) -> bool {
        let at = before.span.start;
        let within = self.start <= at && at < self.end;
        let in_written = self.start <= after.span.start && after.span.start < self.written;
        before.code == after.code
            && (self.place(at) == after.span.start
                || (within && in_written && before.message == after.message))
    }
}
