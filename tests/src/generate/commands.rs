//! Random commands of a type.

use super::Generator;
use super::handlers::Kind;
use super::scope::{Instance, Scope};
use super::types::{Size, Ty};

/// Maximal number of nodes in the body of a `rev handle`, by the number of enclosing reverse handlers. The cost of a run
/// is quadratic in the nodes at each depth.
const BODY: [usize; 3] = [16, 4, 1];

impl Generator {
    /// Generates a command of this type. A `let` is written without parentheses; every other command is self-delimiting.
    pub(super) fn command(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> String {
        let fuel = if self.spend() { fuel } else { 0 };
        if fuel == 0 {
            return self.pure(ty, 0, scope);
        }
        let fuel = fuel - 1;
        // While much fuel is left, only commands with subcommands are generated.
        let first = if fuel >= 4 { 3 } else { 0 };
        let made = match first + self.tape.below(16 - first) {
            0 => None,
            1 | 2 => self.perform(ty, fuel, scope),
            3..6 => Some(self.operation_first(ty, fuel, scope)),
            6 | 7 => Some(self.sequence(ty, fuel, scope)),
            8 => self.put(ty, fuel, scope),
            9 | 10 => self.rev_handle(ty, fuel, scope),
            11 | 12 => Some(self.handle(ty, fuel, scope)),
            13 => self.named_command(ty, fuel, scope),
            14 if self.tape.chance(60) => Some(self.iterate(ty, fuel, scope)),
            14 => Some(self.feedback(ty, fuel, scope)),
            _ => self.resume(ty, fuel, scope),
        };
        match made {
            Some(command) => command,
            None if fuel >= 4 => self.operation_first(ty, fuel, scope),
            None => self.pure(ty, fuel.min(2), scope),
        }
    }

    fn pure(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> String {
        // A continuation in scope is used often, because few other places would resume it.
        if self.tape.chance(50)
            && let Some(resumed) = self.resume(ty, fuel, scope)
        {
            return resumed;
        }
        format!("⌊{}⌋", self.term(ty, fuel, scope))
    }

    /// Returns the operations that may be performed in this scope.
    fn instances(&self, scope: &Scope) -> Vec<Instance> {
        (0..self.families.len())
            .flat_map(|family| self.instances_of(family, scope))
            .filter(|instance| scope.permits(instance))
            .collect()
    }

    fn performed(&mut self, instance: &Instance, fuel: usize, scope: &Scope) -> String {
        let written = match self.tape.below(2) {
            0 => &instance.text,
            _ => &instance.short,
        };
        match &instance.domain {
            Ty::Real(shape) if super::types::entries(shape) == Some(0) => format!("{written}()"),
            // A pair may be passed as two arguments: Op(a, b) is Op(⟨a, b⟩).
            Ty::Product(parts) if self.tape.chance(50) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| self.term(part, fuel.min(2), scope))
                    .collect();
                format!("{written}({})", parts.join(", "))
            }
            domain => {
                let argument = self.term(domain, fuel.min(2), scope);
                format!("{written}({argument})")
            }
        }
    }

    fn perform(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> Option<String> {
        let fitting: Vec<Instance> = self
            .instances(scope)
            .into_iter()
            .filter(|instance| instance.codomain.fits(ty))
            .collect();
        let instance = self.tape.choose(&fitting)?;
        Some(self.performed(&instance, fuel, scope))
    }

    /// let p ⇐ Op(M) in P
    fn operation_first(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> String {
        let candidates = self.instances(scope);
        let Some(instance) = self.tape.choose(&candidates) else {
            return self.sequence(ty, fuel, scope);
        };
        let performed = self.performed(&instance, fuel, scope);
        let (pattern, binders) = self.pattern(&instance.codomain);
        let rest = self.command(ty, fuel, &scope.with(&binders));
        format!("let {pattern} ⇐ {performed} in {rest}")
    }

    /// let p ⇐ P in Q
    fn sequence(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> String {
        let bound = self.some_type(scope);
        let first = self.command(&bound, fuel, scope);
        let first = if first.starts_with("let ") && self.tape.chance(50) {
            format!("({first})")
        } else {
            first
        };
        let (pattern, binders) = self.pattern(&bound);
        let rest = self.command(ty, fuel, &scope.with(&binders));
        format!("let {pattern} ⇐ {first} in {rest}")
    }

    fn put(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> Option<String> {
        let (location, sizes) = self.tape.choose(&scope.locations)?;
        let contents = Ty::Real(sizes.into_iter().rev().collect());
        let written = self.term(&contents, fuel.min(2), scope);
        let rest = self.command(ty, fuel, scope);
        Some(format!("let _ ⇐ Put[{location}]({written}) in {rest}"))
    }

    /// rev handle(M)⟨p̄⟩. P with H : the type of M
    fn rev_handle(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> Option<String> {
        let budget = *BODY.get(scope.level)?;
        if self.tape.chance(40 * scope.level) {
            return None;
        }
        let argument = self.term(ty, fuel.min(2), scope);
        let (handled, handler, permits) = self.handler(Kind::Reverse, None, fuel, scope);
        let (patterns, binders) = self.binders(ty);
        let mut inner = scope.handled(&binders);
        inner.permits.extend(permits);
        let body = self.within(budget, |generator| {
            generator.command(&handled, fuel.max(3), &inner)
        });
        Some(format!(
            "(rev handle({argument})⟨{patterns}⟩. {body} with {handler})"
        ))
    }

    /// handle P with H : D
    fn handle(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> String {
        let (handled, handler, permits) = self.handler(Kind::Ordinary, Some(ty), fuel, scope);
        let mut inner = scope.clone();
        inner.permits.extend(permits);
        if !self.resumes_below_handlers {
            inner.continuation = None;
        }
        let body = self.command(&handled, fuel.max(2), &inner);
        format!("(handle {body} with {handler})")
    }

    fn named_command(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> Option<String> {
        let mut calls = Vec::new();
        for command in &self.commands {
            if !command
                .requires
                .iter()
                .all(|permit| scope.permits.contains(permit))
            {
                continue;
            }
            if command.layer {
                for (location, sizes) in &scope.locations {
                    if let [n, m] = sizes.as_slice()
                        && Ty::Real(vec![m.clone()]).fits(ty)
                    {
                        let parameters = vec![Ty::Real(vec![n.clone()])];
                        calls.push((format!("{}[{location}]", command.name), parameters));
                    }
                }
            } else if command.result.fits(ty) {
                let numbers = scope.numbers.iter().map(|number| (*number).to_owned());
                let indices: Vec<String> = if command.numbered {
                    numbers
                        .chain(["0".to_owned(), "1".to_owned()])
                        .map(|index| format!("[{index}]"))
                        .collect()
                } else {
                    vec![String::new()]
                };
                for index in indices {
                    calls.push((
                        format!("{}{index}", command.name),
                        command.parameters.clone(),
                    ));
                }
            }
        }
        let (name, parameters) = self.tape.choose(&calls)?;
        let arguments: Vec<String> = parameters
            .iter()
            .map(|parameter| self.term(parameter, fuel.min(2), scope))
            .collect();
        Some(format!("{name}({})", arguments.join(", ")))
    }

    /// iterate[i : k](M)⟨p̄⟩. P
    fn iterate(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> String {
        let count = 1 + self.tape.below(2);
        let argument = self.term(ty, fuel.min(2), scope);
        let (patterns, binders) = self.binders(ty);
        let mut inner = scope.with(&binders);
        inner.numbers.push("i");
        inner
            .locations
            .push(("a[i]".to_owned(), vec![Size::Number(2), Size::Number(2)]));
        // The body is written once but runs `count` times, so it must not resume.
        inner.continuation = None;
        let body = self.command(ty, fuel.min(3), &inner);
        format!("(iterate[i : {count}]({argument})⟨{patterns}⟩. {body})")
    }

    /// Generates feedback[n](M)⟨s, x⟩. P, whose result is its last state. P may use outer variables, which are then
    /// carried in the state.
    fn feedback(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> String {
        let count = 1 + self.tape.below(3);
        let first = self.term(ty, fuel.min(2), scope);
        let row = Ty::Real(vec![Size::Number(2)]);
        let rows = Ty::Real(vec![Size::Number(count), Size::Number(2)]);
        let inputs = self.term(&rows, fuel.min(2), scope);
        let mut binders = vec![("s".to_owned(), ty.clone()), ("x".to_owned(), row.clone())];
        let mut inner = scope.with(&binders);
        inner.continuation = None;
        let body = self.command(ty, fuel.min(3), &inner);
        if self.tape.chance(50) {
            return format!("(feedback[{count}]({first}, {inputs})⟨s, x⟩. {body})");
        }
        // Variant with outputs: the output of each moment is computed from its state.
        binders.push(("s'".to_owned(), ty.clone()));
        let output = self.term(&row, 1, &scope.with(&binders));
        format!(
            "(let ⟨r, _⟩ ⇐ (feedback[{count}]({first}, {inputs})⟨s, x⟩. let s' ⇐ {body} in ⌊⟨s', {output}⟩⌋) in ⌊r⌋)"
        )
    }

    /// Generates k • M, at most twice in a clause.
    fn resume(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> Option<String> {
        let (k, input, output) = scope.continuation.clone()?;
        if !output.fits(ty) || self.resumed >= 2 {
            return None;
        }
        self.resumed += 1;
        let argument = self.term(&input, fuel.min(2), scope);
        Some(format!("{k} • ({argument})"))
    }
}
