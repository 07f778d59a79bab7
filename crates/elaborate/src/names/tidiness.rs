//! Hints on names: unused names, and names that hide a declaration. A name that begins with `_` may be unused.

use super::resolve::{Bound, Definition, Resolution};
use crate::declarations::{Callable, Declarations};
use crate::faults::Fault;
use fletch_syntax::{MAX_DIAGNOSTICS, Span};
use std::collections::BTreeSet;

/// A hint for every unused name of a program without mistakes; the repair of a mistake may use a name that is still unused. Indices are
/// exempt, since they describe shapes. Data sets at the spans `predicted` are exempt, since predictions take inputs from them.
pub(crate) fn unused(
    resolution: &Resolution<'_>,
    declarations: &Declarations<'_>,
    predicted: &BTreeSet<Span>,
) -> Vec<(Span, Fault)> {
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    for definition in resolution.definitions.values() {
        taken.insert(&definition.name.text);
    }
    resolution
        .definitions
        .values()
        .filter(|definition| {
            !definition.name.text.starts_with('_')
                && !resolution.used.contains(&definition.name.span)
                && !predicted.contains(&definition.name.span)
        })
        .filter_map(|definition| hint(definition, declarations, &taken))
        .take(MAX_DIAGNOSTICS)
        .collect()
}

fn hint(
    definition: &Definition<'_>,
    declarations: &Declarations<'_>,
    taken: &BTreeSet<&str>,
) -> Option<(Span, Fault)> {
    let (name, span) = (&definition.name.text, definition.name.span);
    // A second declaration of a name has been reported.
    let declared = match definition.bound {
        Bound::Dimension(_) => declarations.dims.get(name).map(|(name, _)| name.span),
        Bound::Location(_) => declarations.locations.get(name).map(|decl| decl.name.span),
        Bound::Data(_) => declarations.data.get(name).map(|decl| decl.name.span),
        Bound::Callable(Callable::Predict(_)) | Bound::Measure(_) | Bound::Index(_) => None,
        // A file without `main` is a library.
        Bound::Callable(_) => declarations
            .callables
            .get(name)
            .map(|callable| callable.name().span)
            .filter(|_| !declarations.mains.is_empty()),
        Bound::Pattern | Bound::Parameter(_) | Bound::ReverseDerivative | Bound::Continuation => {
            Some(span)
        }
    };
    declared.filter(|declared| *declared == span)?;
    let exempt = match definition.bound {
        Bound::Pattern => Some("_".to_owned()),
        Bound::Parameter(_) | Bound::ReverseDerivative | Bound::Continuation => {
            Some(format!("_{name}")).filter(|exempt| !taken.contains(exempt.as_str()))
        }
        _ => None,
    };
    let unused = Fault::Unused(name.clone(), definition.bound.kind(), exempt);
    Some((span, unused))
}

/// A hint at each index that hides a dimension or a location.
pub(crate) fn hiding(resolution: &Resolution<'_>) -> Vec<(Span, Fault)> {
    let mut places: Vec<_> = resolution.hiding.iter().collect();
    fletch_syntax::sort_by(&mut places, |(first, _), (second, _)| {
        first.span.cmp(&second.span)
    });
    places
        .into_iter()
        .filter_map(|(name, hidden)| {
            let declared = resolution.definitions.get(hidden)?;
            let kind = declared.bound.kind();
            let hides = Fault::HidesDeclared(name.text.clone(), kind, *hidden);
            Some((name.span, hides))
        })
        .take(MAX_DIAGNOSTICS)
        .collect()
}
