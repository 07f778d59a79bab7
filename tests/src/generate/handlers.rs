//! Random handlers of both kinds: clauses for whole families and for single instances, `extends`,
//! handlers with arguments, handlers in braces.

use super::Generator;
use super::scope::{FamilyKind, Instance, Permit, Scope};
use super::types::{Size, Ty};

/// Maximal number of nodes in a clause, by the number of enclosing reverse handlers.
const CLAUSE: [usize; 3] = [8, 4, 1];

/// The two kinds of handlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `: C`
    Reverse,
    /// `: C ⇒ D`
    Ordinary,
}

/// A declared handler.
#[derive(Clone, Debug)]
pub(super) struct NamedHandler {
    pub(super) name: String,
    pub(super) parameters: Vec<Ty>,
    pub(super) handled: Ty,
    /// Result type D of an ordinary handler, `None` for a reverse handler.
    pub(super) result: Option<Ty>,
    pub(super) covered: Vec<Permit>,
    /// Operations that its clauses perform, which an enclosing handler or the heap must answer.
    pub(super) requires: Vec<Permit>,
}

impl Generator {
    /// Chooses or generates a handler. Returns the type that it handles, its text, and the operations that it
    /// has clauses for.
    pub(super) fn handler(
        &mut self,
        kind: Kind,
        result: Option<&Ty>,
        fuel: usize,
        scope: &Scope,
    ) -> (Ty, String, Vec<Permit>) {
        let usable: Vec<NamedHandler> = self
            .handlers
            .iter()
            .filter(|handler| match (kind, &handler.result, result) {
                (Kind::Reverse, None, _) => true,
                (Kind::Ordinary, Some(declared), Some(result)) => declared.fits(result),
                _ => false,
            })
            .filter(|handler| {
                let mut required = handler.requires.iter();
                required.all(|permit| scope.permits.contains(permit))
            })
            .cloned()
            .collect();
        if self.tape.chance(50)
            && let Some(named) = self.tape.choose(&usable)
        {
            let text = self.handler_call(&named, scope);
            return (named.handled, text, named.covered);
        }
        let handled = self.some_type(scope);
        let result = result.cloned().unwrap_or_else(|| handled.clone());
        // The other half of the remaining budget is for the handled command.
        let half = self.budget / 2;
        let (clauses, covered) =
            self.within(half, |generator| generator.clauses(kind, &result, scope));
        let returns = self.return_clause(&handled, &result, fuel, scope);
        let clauses = clauses.join("\n");
        (handled, format!("{{\n{returns}\n{clauses}\n}}"), covered)
    }

    /// Writes `H(M̄)`. The arguments are closed terms, because elaboration evaluates them.
    pub(super) fn handler_call(&mut self, handler: &NamedHandler, scope: &Scope) -> String {
        if handler.parameters.is_empty() {
            return handler.name.clone();
        }
        self.total += 1;
        let closed = scope.clause(&[]);
        let arguments: Vec<String> = handler
            .parameters
            .iter()
            .map(|parameter| self.term(parameter, 1, &closed))
            .collect();
        self.total -= 1;
        format!("{}({})", handler.name, arguments.join(", "))
    }

    pub(super) fn return_clause(
        &mut self,
        handled: &Ty,
        result: &Ty,
        fuel: usize,
        scope: &Scope,
    ) -> String {
        let (pattern, binders) = self.pattern(handled);
        let body = self.command(result, fuel.min(2), &scope.clause(&binders));
        format!("{pattern} ↦ {body}")
    }

    /// Generates clauses for some operations. Returns the clauses and the operations that they cover.
    pub(super) fn clauses(
        &mut self,
        kind: Kind,
        result: &Ty,
        scope: &Scope,
    ) -> (Vec<String>, Vec<Permit>) {
        let mut clauses = Vec::new();
        let mut covered = Vec::new();
        let nodes = CLAUSE.get(scope.level).copied().unwrap_or(0);
        for family in 0..self.families.len() {
            let heap = matches!(
                self.families.get(family).map(|family| &family.kind),
                Some(FamilyKind::Get | FamilyKind::Put)
            );
            // Clauses for heap operations are rare in real programs.
            if !self.tape.chance(if heap { 10 } else { 45 }) {
                continue;
            }
            let plain = matches!(
                self.families.get(family).map(|family| &family.kind),
                Some(FamilyKind::Plain(..))
            );
            let choice = if plain { 0 } else { self.tape.below(4) };
            if choice >= 2 {
                // A clause for one instance, at a location that the program declares.
                let mut plain = scope.clone();
                plain
                    .locations
                    .retain(|(name, _)| name.len() == 1 && name != "ℓ");
                plain.sizes.clear();
                let instances = self.instances_of(family, &plain);
                if let Some(instance) = self.tape.choose(&instances) {
                    let head = instance.text.clone();
                    clauses.push(self.within(nodes, |generator| {
                        generator.clause(kind, &head, &instance, result, 3, scope)
                    }));
                    covered.push(Permit::One(family, instance.text.clone()));
                }
            }
            // The clause's own indices would hide those that the type of the result mentions.
            if choice != 2
                && (plain || !result.is_schematic())
                && let Some((head, instance, inner)) = self.schematic(family, scope)
            {
                clauses.push(self.within(nodes, |generator| {
                    generator.clause(kind, &head, &instance, result, 3, &inner)
                }));
                covered.push(Permit::All(family));
            }
        }
        (clauses, covered)
    }

    /// Returns the head of a clause for a whole family, with the instance that its indices denote and the
    /// scope of the clause.
    fn schematic(&self, family: usize, scope: &Scope) -> Option<(String, Instance, Scope)> {
        let declared = self.families.get(family)?;
        let mut inner = scope.clone();
        let layer = vec![Size::Name("n"), Size::Name("m")];
        let (head, sizes, located) = match &declared.kind {
            FamilyKind::Plain(..) => (String::new(), vec![], false),
            FamilyKind::Sized => ("[n]".to_owned(), vec!["n"], false),
            FamilyKind::Layer | FamilyKind::Get | FamilyKind::Put => {
                ("[ℓ ∷ (n, m)]".to_owned(), vec!["n", "m"], true)
            }
            FamilyKind::Mix => ("[ℓ ∷ (n, m), k]".to_owned(), vec!["n", "m", "k"], true),
        };
        if !sizes.is_empty() {
            // The new indices hide those of an enclosing clause.
            inner.sizes = sizes;
            inner.locations.retain(|(name, _)| !name.starts_with('ℓ'));
        }
        if located {
            inner.locations.push(("ℓ".to_owned(), layer));
        }
        // Selects the instance at the indices of the clause itself.
        let instance = self
            .instances_of(family, &inner)
            .into_iter()
            .rfind(|instance| match &declared.kind {
                FamilyKind::Plain(..) => true,
                FamilyKind::Sized => instance.text.ends_with("[n]"),
                FamilyKind::Mix => instance.text.ends_with("[ℓ, k]"),
                _ => instance.text.ends_with("[ℓ]"),
            })?;
        Some((format!("{}{head}", declared.name), instance, inner))
    }

    fn clause(
        &mut self,
        kind: Kind,
        head: &str,
        instance: &Instance,
        result: &Ty,
        fuel: usize,
        scope: &Scope,
    ) -> String {
        let (argument, binders) = self.pattern(&instance.domain);
        if kind == Kind::Ordinary {
            let mut inner = scope.clause(&binders);
            let (input, output) = (instance.codomain.clone(), result.clone());
            inner.continuation = Some(("k".to_owned(), input, output));
            let outer = std::mem::take(&mut self.resumed);
            let body = self.command(result, fuel, &inner);
            self.resumed = outer;
            return format!("{head}, k; {argument} ↦ {body}");
        }
        if let Some(clause) = self.layer_clause(head, instance) {
            return clause;
        }
        let saved = self.some_type(scope);
        let pair = Ty::Product(vec![instance.codomain.clone(), saved.clone()]);
        let forward = self.command(&pair, fuel, &scope.clause(&binders));
        let (cotangent, mut binders) = self.pattern(&instance.codomain);
        let (pattern, more) = self.pattern(&saved);
        binders.extend(more);
        let backward = self.command(&instance.domain, fuel, &scope.clause(&binders));
        format!("{head} ( {argument} ↦ {forward}\n| {cotangent}, {pattern} ↦ {backward} )")
    }

    /// Generates the paper's clause of a fully connected layer, with or without its `Put`.
    fn layer_clause(&mut self, head: &str, instance: &Instance) -> Option<String> {
        let is_layer = matches!(
            self.families
                .get(instance.family)
                .map(|family| &family.kind),
            Some(FamilyKind::Layer)
        );
        if !is_layer || !self.tape.chance(50) {
            return None;
        }
        let location = instance.text.strip_prefix("FC[")?.strip_suffix(']')?;
        let update = match self.tape.below(3) {
            0 => String::new(),
            1 => format!("let _ ⇐ Put[{location}](w − y ∗ xᵀ) in "),
            _ => format!("let v ⇐ Get[{location}]() in let _ ⇐ Put[{location}](v − y ∗ xᵀ) in "),
        };
        Some(format!(
            "{head} ( x ↦ let w ⇐ Get[{location}]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋\n| y, ⟨w, x⟩ ↦ {update}⌊wᵀ ∗ y⌋ )"
        ))
    }
}
