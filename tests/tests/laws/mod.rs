//! Laws of arrows: the axioms of strong promonads (Fig. axioms-congruence-relation, with the products of PSmooth) and of the algebras
//! over them (Defs. algebra, reverse-algebra, alpha-from-q-opr-Y, q-opr-Y-from-reverse-handler), and RD.1 to RD.5 (Def. RDRC). They
//! are tested as equality of arrows that are made of random pure maps, operations and clauses; RD.6 and RD.7 as equality of values.
//!
//! The letters at each law name the equations by which `equality` decides it: (P) a strong promonad, (C) copying, discarding
//! and tuples, (S) + is a commutative monoid, (R) RD is additive in the cotangent, (K) closed maps are computed, (D) a partial
//! map is kept for its domain, and the domain of RD f is that of f. A law that forgets a partial map does not hold.

use fletch_arrows::{Arrow, Difference, Equality, Place, equality, evaluate};
use fletch_calculus::{Tensor, Value};
use fletch_runs::denotation::denotation;
use fletch_smooth::{Applied, Partiality};
use fletch_tests::pieces::{Pieces, law};
use fletch_tests::random::{Case, for_all, programs};

/// Properties of a program that tests a law: its numbers of operations and of partial symbols.
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

/// Returns the first difference of the two sides, `None` if they are equal.
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
    // Numbers that the sides compute from constants may be rounded differently.
    let difference = match equality(&left, &right, Partiality::Paper) {
        Equality::Equal { .. } | Equality::Rounding(_) => None,
        Equality::Different(difference) => Some(difference),
        Equality::TooLong => return Err("too long".to_owned()),
    };
    Ok((difference, found))
}

/// Checks that both sides are equal on random programs. Some of the programs must have partial symbols, and some must perform
/// operations if `effects`.
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

/// Checks that both sides differ on random programs, each time at a place that `there` accepts.
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

/// Declares a law of two commands as a test. `$make` writes the program of the law from random [`Pieces`].
macro_rules! law {
    ($(#[$about:meta])* $name:ident, $effects:literal, $make:expr) => {
        $(#[$about])*
        #[test]
        fn $name() {
            holds(stringify!($name), $effects, |choices| ($make)(Pieces::new(choices)));
        }
    };
}

// The modules follow the macro, because they use it.
mod algebras;
mod derivatives;
mod feedback;
mod promonads;
mod sums;
