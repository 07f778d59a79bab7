//! The axioms of strong promonads (Fig. axioms-congruence-relation, with the products of PSmooth) and of the algebras over them
//! (Defs. algebra, reverse-algebra, alpha-from-q-opr-Y, q-opr-Y-from-reverse-handler), and RD.1 to RD.5 (Def. RDRC), as
//! equality of arrows that are made of random pure maps, operations and clauses; RD.6 and RD.7 as equality of values.
//!
//! Beside each law stand the equations that `equality` decides it by: (P) a strong promonad, (C) copying, discarding and
//! tuples, (S) + is a commutative monoid, (R) RD is additive in the cotangent, (K) what closed maps come to, (D) a partial map
//! is there for its domain, and the domain of RD f is that of f. A law that forgets a partial map is none.

use fletch_arrows::{Arrow, Difference, Equality, Place, equality, evaluate};
use fletch_calculus::{Tensor, Value};
use fletch_runs::denotation::denotation;
use fletch_smooth::{Applied, Partiality};
use fletch_tests::pieces::{Pieces, law};
use fletch_tests::random::{Case, for_all, programs};

/// Findings about a law on one program: how many operations and partial symbols it has.
struct Found {
    operations: usize,
    partial: usize,
}

fn sides(source: &str) -> Result<[Arrow; 2], String> {
    let checked = fletch_ide::check(source);
    let mut errors = checked.diagnostics.iter();
    if let Some(error) = errors.find(|found| found.is_error()) {
        let text = error.span.text(source);
        return Err(format!(
            "rejected {}: {} at `{text}`",
            error.code, error.message
        ));
    }
    let arrow = |name| match denotation(&checked, source, name) {
        Ok(denotation) => Ok(denotation.arrow),
        Err(error) => Err(format!("no arrow: {error}")),
    };
    Ok([arrow("Left")?, arrow("Right")?])
}

/// The first difference of both sides.
fn compared(source: &str) -> Result<(Option<Difference>, Found), String> {
    let [left, right] = sides(source)?;
    let (_, operations) = left.counts();
    let statements = left.map.statements().iter();
    let partial = statements
        .filter(|statement| statement.applied.operation().is_none() && statement.applied.is_kept());
    let found = Found {
        operations,
        partial: partial.count(),
    };
    // Numbers that both sides compute of constants may be rounded otherwise.
    let difference = match equality(&left, &right, Partiality::Paper) {
        Equality::Equal { .. } | Equality::Rounding(_) => None,
        Equality::Different(difference) => Some(difference),
        Equality::TooLong => return Err("too long".to_owned()),
    };
    Ok((difference, found))
}

/// Both sides are equal, on so many random programs; some of them perform operations if `effects`, and some are partial.
fn holds(name: &str, effects: bool, make: fn(&[u32]) -> String) {
    let found = for_all(programs() / 8, make, 400, 0, |source| {
        match compared(source)? {
            (None, found) => Ok(Case::Holds(found)),
            (Some(difference), _) => Err(format!("different: {difference}")),
        }
    });
    let performing = found.iter().filter(|found| found.operations > 0).count();
    let partial = found.iter().filter(|found| found.partial > 0).count();
    eprintln!(
        "{name}: {} programs, {performing} with operations, {partial} partial",
        found.len()
    );
    assert!(!effects || 4 * performing >= found.len(), "{performing}");
    assert!(partial > 10, "{partial}");
}

/// Both sides differ, on so many random programs, there.
fn fails(name: &str, there: fn(Place) -> bool, make: fn(&[u32]) -> String) {
    let found = for_all(programs() / 8, make, 400, 0, |source| {
        match compared(source)?.0 {
            Some(Difference { place, .. }) if there(place) => Ok(Case::Holds(())),
            Some(difference) => Err(format!("elsewhere: {difference}")),
            None => Err("equal: but are not".to_owned()),
        }
    });
    eprintln!("not {name}: {} programs", found.len());
}

/// A law of two commands; `a`, `b`, … are made first.
macro_rules! law {
    ($(#[$about:meta])* $name:ident, $effects:literal, $make:expr) => {
        $(#[$about])*
        #[test]
        fn $name() {
            holds(stringify!($name), $effects, |choices| ($make)(Pieces::new(choices)));
        }
    };
}

// They use the macro.
mod algebras;
mod derivatives;
mod feedback;
mod promonads;
mod sums;
