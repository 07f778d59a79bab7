//! Generates the items of a random program, in an order where each item uses only earlier ones.

use super::handlers::{Kind, NamedHandler};
use super::scope::{Family, FamilyKind, Instance, Permit, Scope};
use super::types::{Size, Ty, join};
use super::{Function, Generator, NamedCommand};

impl Generator {
    /// Generates a whole program.
    pub(super) fn declarations(&mut self) -> String {
        let mut items = Vec::new();
        let mut scope = Scope::default();
        self.locations(&mut items, &mut scope);
        self.operations(&mut items, &mut scope);
        for name in ["f", "g"] {
            if self.tape.chance(50) {
                let item = self.within_item(6, |generator| generator.function(name));
                items.push(item);
            }
        }
        for name in ["H", "J", "K"] {
            if self.tape.chance(60) {
                let item = self.within_item(40, |generator| generator.declared(name, &scope));
                items.push(item);
            }
        }
        for name in ["P", "R", "S"] {
            if self.tape.chance(45) {
                let item = self.within_item(14, |generator| generator.named(name, &scope));
                items.push(item);
            }
        }
        self.budget = 120;
        let ty = self.some_type(&scope);
        let main = self.command(&ty, 7, &scope);
        items.push(format!("main = {main}"));
        items.join("\n") + "\n"
    }

    fn within_item(&mut self, nodes: usize, make: impl FnOnce(&mut Self) -> String) -> String {
        self.budget = nodes;
        make(self)
    }

    fn locations(&mut self, items: &mut Vec<String>, scope: &mut Scope) {
        for name in ["w", "v", "b"] {
            let sizes = match self.tape.below(5) {
                0 => vec![2, 2],
                1 => vec![2],
                2 => vec![2, 3],
                3 => vec![3, 2],
                _ => vec![1],
            };
            let sizes: Vec<Size> = sizes.into_iter().map(Size::Number).collect();
            let shape: Vec<Size> = sizes.iter().rev().cloned().collect();
            let written = join(&sizes, ", ");
            let initial = match self.tape.below(3) {
                0 => String::new(),
                1 => format!(" = {}", self.literal(&shape).replace(['(', ')'], "")),
                _ => " = uniform(−1, 1, seed: 3)".to_owned(),
            };
            items.push(format!("loc {name} ∷ ({written}){initial}"));
            scope.locations.push((name.to_owned(), sizes));
        }
        items.push("loc a[i] ∷ (2, 2) = he(seed: 1 + i)".to_owned());
        for index in 0..2 {
            let name = format!("a[{index}]");
            scope
                .locations
                .push((name, vec![Size::Number(2), Size::Number(2)]));
        }
    }

    fn operations(&mut self, items: &mut Vec<String>, scope: &mut Scope) {
        for name in ["O", "A"] {
            let (domain, codomain) = (self.some_type(scope), self.some_type(scope));
            items.push(format!("op {name} : {domain} ▷ {codomain}"));
            let kind = FamilyKind::Plain(domain, codomain);
            self.families.push(Family { name, kind });
        }
        items.push("op Q[n] : Real(n) ▷ Real(n)".to_owned());
        items.push("op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)".to_owned());
        items.push("op Mix[ℓ ∷ (n, m), k] : Real(n) × Real(k) ▷ Real(k × m)".to_owned());
        for (name, kind) in [
            ("Q", FamilyKind::Sized),
            ("FC", FamilyKind::Layer),
            ("Mix", FamilyKind::Mix),
            ("Get", FamilyKind::Get),
            ("Put", FamilyKind::Put),
        ] {
            if matches!(kind, FamilyKind::Get | FamilyKind::Put) {
                scope.permits.push(Permit::All(self.families.len()));
            }
            self.families.push(Family { name, kind });
        }
    }

    /// Returns the instances of a family at the sizes and locations in scope.
    pub(super) fn instances_of(&self, family: usize, scope: &Scope) -> Vec<Instance> {
        let Some(declared) = self.families.get(family) else {
            return Vec::new();
        };
        let name = declared.name;
        let instance = |text: String, short: String, domain: Ty, codomain: Ty| Instance {
            family,
            text,
            short,
            domain,
            codomain,
        };
        let numbers = (1..=3).map(Size::Number);
        let sizes = || {
            numbers
                .clone()
                .chain(scope.sizes.iter().map(|name| Size::Name(name)))
        };
        let layers =
            scope
                .locations
                .iter()
                .filter_map(|(location, sizes)| match sizes.as_slice() {
                    [n, m] => Some((location, n.clone(), m.clone())),
                    _ => None,
                });
        match &declared.kind {
            FamilyKind::Plain(domain, codomain) => vec![instance(
                name.to_owned(),
                name.to_owned(),
                domain.clone(),
                codomain.clone(),
            )],
            FamilyKind::Sized => sizes()
                .map(|n| {
                    let ty = Ty::Real(vec![n.clone()]);
                    instance(format!("{name}[{n}]"), name.to_owned(), ty.clone(), ty)
                })
                .collect(),
            FamilyKind::Layer => layers
                .map(|(location, n, m)| {
                    let text = format!("{name}[{location}]");
                    instance(text.clone(), text, Ty::Real(vec![n]), Ty::Real(vec![m]))
                })
                .collect(),
            FamilyKind::Mix => layers
                .flat_map(|(location, n, m)| {
                    sizes().map(move |k| {
                        let domain =
                            Ty::Product(vec![Ty::Real(vec![n.clone()]), Ty::Real(vec![k.clone()])]);
                        let codomain = Ty::Real(vec![k.clone(), m.clone()]);
                        let text = format!("{name}[{location}, {k}]");
                        instance(text, format!("{name}[{location}]"), domain, codomain)
                    })
                })
                .collect(),
            FamilyKind::Get | FamilyKind::Put => {
                let get = matches!(declared.kind, FamilyKind::Get);
                let locations = scope.locations.iter().map(|(location, sizes)| {
                    let contents = Ty::Real(sizes.iter().rev().cloned().collect());
                    let text = format!("{name}[{location}]");
                    if get {
                        instance(text.clone(), text, Ty::unit(), contents)
                    } else {
                        instance(text.clone(), text, contents, Ty::unit())
                    }
                });
                locations.collect()
            }
        }
    }

    fn function(&mut self, name: &'static str) -> String {
        if self.tape.chance(30) {
            let ty = Ty::Real(vec![Size::Name("n")]);
            let mut scope = Scope::default().with(&[("x".to_owned(), ty)]);
            scope.level = 1;
            scope.sizes.push("n");
            let body = self.term(&Ty::Real(vec![Size::Name("n")]), 3, &scope);
            self.functions.push(Function {
                name,
                parameters: Vec::new(),
                result: None,
            });
            return format!("fun {name}[n](x : Real(n)) = {body}");
        }
        let scope = Scope {
            level: 1,
            ..Scope::default()
        };
        let (parameters, written) = self.parameters(&scope);
        let result = self.some_type(&scope);
        let body = self.term(&result, 3, &scope.with(&parameters));
        let annotation = match self.tape.below(2) {
            0 => format!(" : {result}"),
            _ => String::new(),
        };
        self.functions.push(Function {
            name,
            parameters: parameters.into_iter().map(|(_, ty)| ty).collect(),
            result: Some(result),
        });
        format!("fun {name}({written}){annotation} = {body}")
    }

    fn parameters(&mut self, scope: &Scope) -> (Vec<(String, Ty)>, String) {
        let count = 1 + self.tape.below(2);
        let parameters: Vec<(String, Ty)> = ["x", "y"]
            .iter()
            .take(count)
            .map(|name| ((*name).to_owned(), self.some_type(scope)))
            .collect();
        let written: Vec<String> = parameters
            .iter()
            .map(|(name, ty)| format!("{name} : {ty}"))
            .collect();
        (parameters, written.join(", "))
    }

    /// Makes the scope of a definition that requires some families of operations from its users, and returns
    /// these families.
    fn demanding(&mut self, scope: &Scope) -> (Scope, Vec<Permit>) {
        let mut requires = Vec::new();
        for family in 0..self.families.len() {
            if !scope.permits.contains(&Permit::All(family)) && self.tape.chance(30) {
                requires.push(Permit::All(family));
            }
        }
        let mut inner = scope.clone();
        inner.permits.extend(requires.iter().cloned());
        // Users may place the definition below a reverse handler.
        inner.level = 1;
        (inner, requires)
    }

    fn declared(&mut self, name: &str, scope: &Scope) -> String {
        let kind = match self.tape.below(3) {
            0 | 1 => Kind::Reverse,
            _ => Kind::Ordinary,
        };
        let (mut inner, mut requires) = self.demanding(scope);
        let mut parameters = Vec::new();
        if self.tape.chance(40) {
            for parameter in ["c", "t"].iter().take(1 + self.tape.below(2)) {
                parameters.push(((*parameter).to_owned(), self.some_type(scope)));
            }
        }
        inner.constants = parameters.clone();
        let handled = self.some_type(scope);
        let result = (kind == Kind::Ordinary).then(|| self.some_type(scope));
        let into = result.clone().unwrap_or_else(|| handled.clone());
        let bases: Vec<NamedHandler> = self
            .handlers
            .iter()
            .filter(|base| match (&base.result, &result) {
                (None, None) => true,
                (Some(base), Some(result)) => base.fits(result),
                _ => false,
            })
            .cloned()
            .collect();
        let base = if self.tape.chance(35) {
            self.tape.choose(&bases)
        } else {
            None
        };
        let (clauses, mut covered) = self.clauses(kind, &into, &inner);
        let mut lines = vec![self.return_clause(&handled, &into, 3, &inner)];
        lines.extend(clauses);
        let extends = match &base {
            Some(base) => {
                covered.extend(base.covered.iter().cloned());
                requires.extend(base.requires.iter().cloned());
                format!(" extends {}", self.handler_call(base, &inner))
            }
            None => String::new(),
        };
        let written: Vec<String> = parameters
            .iter()
            .map(|(name, ty)| format!("{name} : {ty}"))
            .collect();
        let written = match written.len() {
            0 => String::new(),
            _ => format!("({})", written.join(", ")),
        };
        let signature = match &result {
            Some(result) => format!("{handled} ⇒ {result}"),
            None => handled.to_string(),
        };
        self.handlers.push(NamedHandler {
            name: name.to_owned(),
            parameters: parameters.into_iter().map(|(_, ty)| ty).collect(),
            handled,
            result,
            covered,
            requires,
        });
        format!(
            "handler {name}{written} : {signature}{extends} {{\n{}\n}}",
            lines.join("\n")
        )
    }

    fn named(&mut self, name: &'static str, scope: &Scope) -> String {
        let (mut inner, requires) = self.demanding(scope);
        let (numbered, layer) = match self.tape.below(4) {
            0 | 1 => (false, false),
            2 => (true, false),
            _ => (false, true),
        };
        let (parameters, written, result, indices) = if layer {
            inner.sizes = vec!["n", "m"];
            let sizes = vec![Size::Name("n"), Size::Name("m")];
            inner.locations.push(("ℓ".to_owned(), sizes));
            let input = Ty::Real(vec![Size::Name("n")]);
            let parameters = vec![("x".to_owned(), input)];
            let output = Ty::Real(vec![Size::Name("m")]);
            (parameters, "x : Real(n)".to_owned(), output, "[ℓ ∷ (n, m)]")
        } else {
            let (parameters, written) = self.parameters(scope);
            let indices = if numbered {
                inner.numbers.push("i");
                let sizes = vec![Size::Number(2), Size::Number(2)];
                inner.locations.push(("a[i]".to_owned(), sizes));
                "[i]"
            } else {
                ""
            };
            (parameters, written, self.some_type(scope), indices)
        };
        let body = self.command(&result, 4, &inner.with(&parameters));
        let annotation = match self.tape.below(2) {
            0 => format!(" : {result}"),
            _ => String::new(),
        };
        let types = parameters.into_iter().map(|(_, ty)| ty).collect();
        self.commands.push(NamedCommand {
            name,
            parameters: types,
            result,
            requires,
            numbered,
            layer,
        });
        format!("command {name}{indices}({written}){annotation} = {body}")
    }
}
