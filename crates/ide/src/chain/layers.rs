//! Edits that add or remove a layer.
//!
//! A layer occurs where a command binds the result of an operation that only an activation uses: `let z ⇐ FC[ℓ0](x) in … swish(z) …`. The
//! edit that adds a layer performs the same operation once more, with a result as large as its argument, on locations of its own. The edit
//! that removes a layer replaces the activation by the argument of the operation.

use super::{Chain, EditKind, Proposal, activation, applied, walk};
use fletch_elaborate::seeds;
use fletch_syntax::Span;
use fletch_syntax::tree::{
    self, Command, CommandDecl, Index, IndexKind, IndexParamKind, Init, ItemKind, LocDecl, Name,
    OpDecl, SizeKind, Term, TermKind, TypeKind,
};
use std::collections::BTreeMap;

/// The activation that a variable is passed to.
struct Used {
    /// The activation as it is written in the source.
    symbol: String,
    /// Span of the variable.
    argument: Span,
    /// Span of the whole call.
    call: Span,
}

impl Chain<'_> {
    /// Proposes, for each `let z ⇐ Op[…](…)` whose value is used by one activation only, to add a layer after it and to remove it.
    pub(super) fn layers(&self, command: &CommandDecl, proposals: &mut Vec<Proposal>) {
        let mut fewer = Vec::new();
        walk::commands(&command.body, &mut |inner| {
            let tree::CommandKind::Let(pattern, bound, rest) = &inner.node else {
                return;
            };
            let tree::PatternKind::Name(variable) = &pattern.node else {
                return;
            };
            let tree::CommandKind::Call {
                name,
                indices,
                arguments,
            } = &bound.node
            else {
                return;
            };
            if let Some(operation) = self.operation(name)
                && let Some(used) = self.only_use(variable, rest)
            {
                let layer = self.layer(
                    command,
                    inner,
                    (variable, rest, &used),
                    (operation, indices),
                );
                proposals.extend(layer);
                if let [argument] = arguments.as_slice() {
                    let call = (operation, indices.as_slice(), argument);
                    fewer.extend(self.without(inner, (variable, rest, &used), call));
                }
            }
        });
        proposals.append(&mut fewer);
    }

    /// Proposes to remove a layer: the argument of its operation replaces the activation, and the next operation takes as many entries.
    fn without(
        &self,
        inner: &Command,
        (variable, rest, used): (&Name, &Command, &Used),
        (operation, indices, argument): (&OpDecl, &[Index], &Term),
    ) -> Option<Proposal> {
        let locations = self.locations(operation, indices)?;
        let sizes = self.sizes(operation, indices, &locations)?;
        let given = argument.span.text(self.source);
        let given = match &argument.node {
            TermKind::Variable(_) | TermKind::Call(..) | TermKind::Tuple(_) => given.to_owned(),
            _ => format!("({given})"),
        };
        let (start, end) = (inner.span.start, rest.span.start);
        let mut changes = vec![(Span { start, end }, String::new()), (used.call, given)];
        for decl in locations.values().filter(|decl| self.uses(decl) == 1) {
            changes.push((self.lines_of(decl)?, String::new()));
        }
        let widths = widths(operation)
            .filter_map(|(size, given)| Some((sizes.get(&*given.text)?, sizes.get(&*size.text)?)));
        for (out, taken) in widths.filter(|(out, taken)| out != taken) {
            changes.extend(self.next_takes(rest, out, taken));
        }
        changes.sort_by_key(|(span, _)| (span.start, span.end));
        let own = &variable.text;
        let call = self.written(operation, indices);
        Some(Proposal {
            title: format!("Remove the layer {own}: {call}, {}", used.symbol),
            kind: EditKind::Alone,
            at: variable.span,
            changes,
        })
    }

    /// Changes in the locations of the next operation, so that it takes arguments of the size `after` instead of `before`.
    fn next_takes(&self, rest: &Command, before: &str, after: &str) -> Vec<(Span, String)> {
        let (mut met, mut sizes) = (false, Vec::new());
        walk::commands(rest, &mut |command| {
            if let tree::CommandKind::Call { name, indices, .. } = &command.node
                && let Some(operation) = self.operation(name).filter(|_| !met)
            {
                met = true;
                sizes = self.taken(operation, indices).unwrap_or_default();
            }
        });
        sizes.retain(|size| size.text(self.source) == before);
        let changes = sizes.into_iter().map(|size| (size, after.to_owned()));
        changes.collect()
    }

    /// The spans at which the size of an operation's argument is written: among the indices of a call, and in the shapes of its locations.
    pub(super) fn taken(&self, operation: &OpDecl, indices: &[Index]) -> Option<Vec<Span>> {
        let TypeKind::Real(domain) = &operation.domain.node else {
            return None;
        };
        let SizeKind::Name(taken) = &domain.first()?.node else {
            return None;
        };
        let locations = self.locations(operation, indices)?;
        let mut places = Vec::new();
        for (param, index) in paired(operation, indices)? {
            match (&param.node, &index.node) {
                (IndexParamKind::Name(name), _) if name == taken => places.push(index.span),
                (IndexParamKind::Location { shape, .. }, IndexKind::Name(name, _)) => {
                    let given = locations.get(&*name.text)?.shape.iter().zip(shape);
                    let given = given.filter(
                        |(_, size)| matches!(&size.node, SizeKind::Name(name) if name == taken),
                    );
                    places.extend(given.map(|(given, _)| given.span));
                }
                _ => {}
            }
        }
        Some(places)
    }

    /// Number of calls of the program that have a location as an index.
    fn uses(&self, decl: &LocDecl) -> usize {
        let mut uses = 0;
        for item in &self.program.items {
            let body = match &item.node {
                ItemKind::Command(command) => &command.body,
                ItemKind::Train(train) => &train.body,
                ItemKind::Measure(measure) => &measure.body,
                ItemKind::Predict(prediction) => &prediction.body,
                _ => continue,
            };
            walk::commands(body, &mut |command| {
                if let tree::CommandKind::Call { indices, .. } = &command.node {
                    let names = indices.iter().filter(
                        |index| matches!(&index.node, IndexKind::Name(name, _) if *name == decl.name),
                    );
                    uses += names.count();
                }
            });
        }
        uses
    }

    /// The call of an operation without its argument, as it is written: `FC[ℓ0]`.
    pub(super) fn written(&self, operation: &OpDecl, indices: &[Index]) -> String {
        let indices = indices.iter().map(|index| index.span.text(self.source));
        let indices: Vec<&str> = indices.collect();
        match indices.is_empty() {
            true => operation.name.text.to_string(),
            false => format!("{}[{}]", operation.name.text, indices.join(", ")),
        }
    }

    /// The line of a location with its line break, if nothing but a remark is on the line too; else the declaration alone.
    fn lines_of(&self, decl: &LocDecl) -> Option<Span> {
        let span = self.item(decl)?;
        let (start, end) = (span.start as usize, self.after(decl)?.end as usize);
        let before = self.source.get(..start)?;
        let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
        let rest = self.source.get(end..)?;
        let left = rest.trim_start_matches([' ', '\r']).strip_prefix('\n');
        match (line.trim().is_empty(), left) {
            (true, Some(left)) => Some(Span::new(
                start - line.len(),
                self.source.len() - left.len(),
            )),
            _ => Some(span),
        }
    }

    fn layer(
        &self,
        command: &CommandDecl,
        inner: &Command,
        (variable, rest, used): (&Name, &Command, &Used),
        (operation, indices): (&OpDecl, &[Index]),
    ) -> Option<Proposal> {
        let symbol = &used.symbol;
        let locations = self.locations(operation, indices)?;
        // The sizes by the names in the operation, changed to those of a layer whose result is as large as its argument.
        let sizes = self.sizes(operation, indices, &locations)?;
        let sizes = square(operation, sizes)?;
        let mut changes: Vec<(Span, String)> = Vec::new();
        let mut written = Vec::new();
        let mut fresh = Vec::new();
        let mut seed = self.next_seed();
        for (param, index) in paired(operation, indices)? {
            match &param.node {
                IndexParamKind::Location { shape, .. } => {
                    let IndexKind::Name(name, _) = &index.node else {
                        return None;
                    };
                    let decl = locations.get(&*name.text)?;
                    let new = self.fresh_location(&name.text, &fresh);
                    let shape = shape.iter().map(|size| match &size.node {
                        SizeKind::Name(name) => sizes.get(&*name.text).cloned(),
                        SizeKind::Number(number) => Some(number.to_string()),
                        _ => None,
                    });
                    let shape: Vec<String> = shape.collect::<Option<_>>()?;
                    let init = self.init(decl, shape.len(), &mut seed);
                    let text = format!("\nloc {new} ∷ ({}){init}", shape.join(", "));
                    changes.push((self.after(decl)?, text));
                    written.push(new.clone());
                    fresh.push(new);
                }
                IndexParamKind::Name(name) => written.push(sizes.get(&*name.text)?.clone()),
                IndexParamKind::Size(_) => written.push(index.span.text(self.source).to_owned()),
            }
        }
        if fresh.is_empty() {
            return None;
        }
        let mut name = format!("{}'", variable.text);
        while walk::names(&command.body).contains(&*name) {
            name.push('\'');
        }
        let call = match written.is_empty() {
            true => operation.name.text.to_string(),
            false => format!("{}[{}]", operation.name.text, written.join(", ")),
        };
        let (start, own) = (rest.span.start, &variable.text);
        let text = format!(
            "let {name} ⇐ {call}({symbol}({own})) in{}",
            self.break_at(inner)
        );
        changes.push((Span { start, end: start }, text));
        changes.push((used.argument, name));
        changes.sort_by_key(|(span, _)| (span.start, span.end));
        Some(Proposal {
            title: format!("Add a layer after {own}: {call}, {symbol}"),
            kind: EditKind::Alone,
            at: variable.span,
            changes,
        })
    }

    /// The activation that a variable is passed to; `None` if the variable has another use too.
    fn only_use(&self, variable: &Name, rest: &Command) -> Option<Used> {
        let (mut uses, mut found) = (0, None);
        walk::terms(rest, &mut |term| match &term.node {
            TermKind::Variable(name) if name.text == variable.text => uses += 1,
            TermKind::Call(symbol, arguments) => {
                if let [argument] = arguments.as_slice()
                    && matches!(&argument.node, TermKind::Variable(name) if name.text == variable.text)
                    && activation(symbol).is_some()
                {
                    found = Some(Used {
                        symbol: symbol.span.text(self.source).to_owned(),
                        argument: argument.span,
                        call: term.span,
                    });
                }
            }
            _ => {}
        });
        let bound_again = walk::bound(rest)
            .iter()
            .any(|name| **name == *variable.text);
        found.filter(|_| uses == 1 && !bound_again)
    }

    pub(super) fn operation(&self, name: &Name) -> Option<&OpDecl> {
        self.program.items.iter().find_map(|item| match &item.node {
            ItemKind::Op(operation) if operation.name == *name => Some(operation),
            _ => None,
        })
    }

    /// The declared locations among the indices of a call; `None` if one of them belongs to a family.
    pub(super) fn locations(
        &self,
        operation: &OpDecl,
        indices: &[Index],
    ) -> Option<BTreeMap<String, &LocDecl>> {
        let mut found = BTreeMap::new();
        for (param, index) in paired(operation, indices)? {
            let IndexParamKind::Location { .. } = &param.node else {
                continue;
            };
            let IndexKind::Name(name, family) = &index.node else {
                return None;
            };
            let decl = self.program.items.iter().find_map(|item| match &item.node {
                ItemKind::Loc(decl) if decl.name == *name => Some(decl),
                _ => None,
            });
            let decl = decl.filter(|decl| family.is_empty() && decl.params.is_empty())?;
            found.insert(name.text.to_string(), decl);
        }
        Some(found)
    }

    /// The sizes at a call as they are written, by the names that the operation has for them.
    fn sizes(
        &self,
        operation: &OpDecl,
        indices: &[Index],
        locations: &BTreeMap<String, &LocDecl>,
    ) -> Option<BTreeMap<String, String>> {
        let mut sizes = BTreeMap::new();
        for (param, index) in paired(operation, indices)? {
            match (&param.node, &index.node) {
                (IndexParamKind::Location { shape, .. }, IndexKind::Name(name, _)) => {
                    let decl = locations.get(&*name.text)?;
                    for (size, given) in shape.iter().zip(&decl.shape) {
                        if let SizeKind::Name(name) = &size.node {
                            let given = given.span.text(self.source).to_owned();
                            sizes.entry(name.text.to_string()).or_insert(given);
                        }
                    }
                }
                (IndexParamKind::Name(name), _) => {
                    let given = index.span.text(self.source).to_owned();
                    sizes.entry(name.text.to_string()).or_insert(given);
                }
                _ => {}
            }
        }
        Some(sizes)
    }

    /// Initial contents of a location like this one: the same generator with another seed, or random numbers instead of written ones.
    fn init(&self, decl: &LocDecl, rank: usize, seed: &mut u64) -> String {
        match &decl.init {
            None => String::new(),
            Some(Init::Literal(_)) if rank < 2 => String::new(),
            Some(Init::Literal(_)) => {
                *seed += 1;
                format!(" = glorot(seed: {})", *seed - 1)
            }
            Some(Init::Generator(call)) => {
                let all = seeds(self.program);
                let inside =
                    |place: &Span| call.span.start <= place.start && place.end <= call.span.end;
                let mut changes = Vec::new();
                for found in all.iter().filter(|found| inside(&found.span)) {
                    changes.push((found.span, seed.to_string()));
                    *seed += 1;
                }
                format!(" = {}", applied(self.source, call.span, &changes))
            }
        }
    }

    /// A seed that the program does not use.
    fn next_seed(&self) -> u64 {
        let all = seeds(self.program);
        all.iter().map(|seed| seed.value).max().unwrap_or(0) + 1
    }

    /// The span of a location's declaration.
    fn item(&self, decl: &LocDecl) -> Option<Span> {
        let mut items = self.program.items.iter();
        let found =
            items.find(|item| matches!(&item.node, ItemKind::Loc(own) if own.name == decl.name));
        found.map(|item| item.span)
    }

    /// The end of the line on which a location is declared, if at most a remark follows the declaration there; else the end of the
    /// declaration.
    fn after(&self, decl: &LocDecl) -> Option<Span> {
        let end = self.item(decl)?.end;
        let rest = self.source.get(end as usize..)?;
        let line = rest.split_once('\n').map_or(rest, |(line, _)| line);
        let remark = line.trim_start();
        let end = match remark.is_empty() || remark.starts_with("--") {
            true => end as usize + line.trim_end().len(),
            false => end as usize,
        };
        Some(Span::new(end, end))
    }

    /// A new name similar to that of a location: `ℓ2` after `ℓ0` and `ℓ1`.
    fn fresh_location(&self, like: &str, taken: &[String]) -> String {
        let stem = like.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let declared = self
            .program
            .items
            .iter()
            .filter_map(|item| match &item.node {
                ItemKind::Loc(decl) => Some(&*decl.name.text),
                _ => None,
            });
        let all = declared.chain(taken.iter().map(String::as_str));
        let numbers = all.filter_map(|name| {
            let digits = name.strip_prefix(stem)?;
            digits.parse::<u32>().ok()
        });
        let next = numbers.max().map_or(2, |most| most.saturating_add(1));
        format!("{stem}{next}")
    }

    /// Separator of two lines of a command: a line break with the indentation of this one, or a space if the command does not begin its
    /// line.
    fn break_at(&self, command: &Command) -> String {
        let (start, end) = (0, command.span.start);
        let before = Span { start, end }.text(self.source);
        let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
        match line.trim().is_empty() {
            true => format!("\n{line}"),
            false => " ".to_owned(),
        }
    }
}

/// The parameters of an operation with their indices at a call; only the locations among them if the call leaves out the sizes.
pub(super) fn paired<'o, 'i>(
    operation: &'o OpDecl,
    indices: &'i [Index],
) -> Option<Vec<(&'o tree::IndexParam, &'i Index)>> {
    let params = operation.params.iter();
    let params: Vec<&tree::IndexParam> = match operation.params.len() == indices.len() {
        true => params.collect(),
        false => params
            .filter(|param| matches!(param.node, IndexParamKind::Location { .. }))
            .collect(),
    };
    let fits = params.len() == indices.len();
    fits.then(|| params.into_iter().zip(indices).collect())
}

/// The sizes of a call whose result is as large as its argument: each size of the argument becomes that of the result.
fn square(
    operation: &OpDecl,
    mut sizes: BTreeMap<String, String>,
) -> Option<BTreeMap<String, String>> {
    widths(operation).next()?;
    for (size, given) in widths(operation).filter(|(size, given)| size != given) {
        let given = sizes.get(&*given.text)?.clone();
        sizes.insert(size.text.to_string(), given);
    }
    Some(sizes)
}

/// The names of the sizes of an operation's argument and of its result, in pairs; empty if the two have different ranks.
fn widths(operation: &OpDecl) -> impl Iterator<Item = (&Name, &Name)> {
    let sizes = match (&operation.domain.node, &operation.codomain.node) {
        (TypeKind::Real(domain), TypeKind::Real(codomain)) if domain.len() == codomain.len() => {
            (domain.as_slice(), codomain.as_slice())
        }
        _ => (&[][..], &[][..]),
    };
    let pairs = sizes.0.iter().zip(sizes.1);
    pairs.filter_map(|pair| match (&pair.0.node, &pair.1.node) {
        (SizeKind::Name(size), SizeKind::Name(given)) => Some((size, given)),
        _ => None,
    })
}
