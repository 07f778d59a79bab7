//! Layout of declarations.

use super::comments::Gap;
use super::doc::Doc;
use super::printer::Printer;
use crate::token::TokenKind;
use crate::tree::{
    Command, CommandDecl, CommandKind, DataDecl, Dataset, FunDecl, HandlerDecl, Init, Item,
    ItemKind, LocDecl, MeasureDecl, Name, OpDecl, Pattern, PredictDecl, Size, Term, TermKind,
    TrainDecl, Type,
};

impl<'a> Printer<'a> {
    /// Lays out a declaration. The `=` of a location is at least `columns` columns after the start of the
    /// declaration.
    pub(super) fn item(&mut self, item: &Item, columns: usize) -> Doc<'a> {
        match &item.node {
            ItemKind::Dim(dims) => self.dims(dims),
            ItemKind::Loc(loc) => self.loc(loc, columns),
            ItemKind::Op(op) => self.op(op),
            ItemKind::Fun(fun) => self.fun(fun),
            ItemKind::Command(command) => self.command_item(command),
            ItemKind::Handler(handler) => self.handler_item(handler),
            ItemKind::Data(data) => self.data(data),
            ItemKind::Train(train) => self.train(train),
            ItemKind::Measure(measure) => self.measure(measure),
            ItemKind::Predict(predict) => self.predict(predict),
            ItemKind::Main(body) => {
                let head = self.word();
                let docs = self.docs;
                docs.cat([head, self.token(), self.main_body(body)])
            }
        }
    }

    /// Lays out the body of `main`: a chain of `let`s stays after the `=`, any other command is laid out
    /// like a bound one.
    fn main_body(&mut self, body: &Command) -> Doc<'a> {
        match body.node {
            CommandKind::Let(..) => self.beside(body),
            _ => self.bound_command(body),
        }
    }

    /// Prints a token, such as a reserved word, and a space after it.
    fn word(&mut self) -> Doc<'a> {
        self.spaced(Gap::None, Gap::Space)
    }

    /// Prints a token between spaces.
    fn inner_word(&mut self) -> Doc<'a> {
        self.spaced(Gap::Space, Gap::Space)
    }

    /// Prints the reserved word of the declaration and the declared name.
    fn heading(&mut self, name: &Name) -> Doc<'a> {
        let docs = self.docs;
        docs.cat([self.word(), self.name(name)])
    }

    fn dims(&mut self, dims: &[(Name, Size)]) -> Doc<'a> {
        let docs = self.docs;
        let word = self.word();
        let dims = self.indented(|p| {
            p.fill(dims, |p, (name, size)| {
                docs.cat([p.name(name), p.inner_word(), p.size(size)])
            })
        });
        docs.cat([word, dims])
    }

    /// Lays out `loc ℓ[n] ∷ (n, m)`: a location up to its `=`.
    pub(super) fn loc_head(&mut self, loc: &LocDecl) -> Doc<'a> {
        let docs = self.docs;
        let heading = self.heading(&loc.name);
        let params = self.index_params(&loc.params);
        docs.cat([heading, params, self.inner_word(), self.shape(&loc.shape)])
    }

    fn loc(&mut self, loc: &LocDecl, columns: usize) -> Doc<'a> {
        let docs = self.docs;
        let head = self.loc_head(loc);
        let Some(init) = &loc.init else {
            return head;
        };
        let padding = docs.spaces(columns.saturating_sub(self.columns));
        let equals = self.inner_word();
        let init = match init {
            Init::Literal(literal) => self.literal(&literal.node),
            Init::Generator(call) => self.generator(call),
        };
        docs.cat([head, padding, equals, docs.align(init)])
    }

    fn op(&mut self, op: &OpDecl) -> Doc<'a> {
        let docs = self.docs;
        let heading = self.heading(&op.name);
        let params = self.index_params(&op.params);
        let domain = docs.cat([self.inner_word(), self.type_(&op.domain)]);
        let codomain = self.indented(|p| {
            let performs = p.spaced(Gap::Line, Gap::Space);
            docs.cat([performs, p.type_(&op.codomain)])
        });
        docs.group(docs.cat([heading, params, domain, codomain]))
    }

    fn fun(&mut self, fun: &FunDecl) -> Doc<'a> {
        let docs = self.docs;
        let heading = self.heading(&fun.name);
        let indices = self.index_params(&fun.index_params);
        let head = docs.cat([heading, indices, self.params(&fun.params)]);
        let result = self.result(fun.result.as_ref());
        docs.cat([head, result, self.equals(), self.bound_term(&fun.body)])
    }

    fn command_item(&mut self, command: &CommandDecl) -> Doc<'a> {
        let docs = self.docs;
        let heading = self.heading(&command.name);
        let indices = self.index_params(&command.index_params);
        let head = docs.cat([heading, indices, self.params(&command.params)]);
        let result = self.result(command.result.as_ref());
        docs.cat([head, result, self.body(&command.body)])
    }

    /// Lays out `: A`; the empty document for `None`.
    fn result(&mut self, ty: Option<&Type>) -> Doc<'a> {
        let docs = self.docs;
        match ty {
            Some(ty) => docs.cat([self.inner_word(), self.type_(ty)]),
            None => docs.nil,
        }
    }

    fn equals(&mut self) -> Doc<'a> {
        let docs = self.docs;
        docs.cat([self.gap(Gap::Space), self.token()])
    }

    /// Lays out `= P`.
    fn body(&mut self, body: &Command) -> Doc<'a> {
        let docs = self.docs;
        docs.cat([self.equals(), self.hanging(|p| p.command(body))])
    }

    fn handler_item(&mut self, handler: &HandlerDecl) -> Doc<'a> {
        let docs = self.docs;
        let heading = self.heading(&handler.name);
        let indices = self.index_params(&handler.index_params);
        let params = if self.is(TokenKind::OpenParen) {
            self.params(&handler.params)
        } else {
            docs.nil
        };
        let handled = docs.cat([self.inner_word(), self.type_(&handler.handled)]);
        let head = docs.cat([heading, indices, params, handled]);
        let rest = self.indented(|p| {
            let mut rest = Vec::new();
            if let Some(result) = &handler.result {
                rest.extend([p.spaced(Gap::Line, Gap::Space), p.type_(result)]);
            }
            if !handler.extends.is_empty() {
                rest.push(p.spaced(Gap::Line, Gap::Space));
                rest.push(p.list(&handler.extends, |p, parent| p.handler_call(parent)));
            }
            rest.push(p.gap(Gap::Space));
            docs.cat(rest)
        });
        self.clauses(docs.cat([head, rest]), &handler.clauses)
    }

    fn data(&mut self, data: &DataDecl) -> Doc<'a> {
        let docs = self.docs;
        let heading = self.heading(&data.name);
        let ty = self.result(data.ty.as_ref());
        let equals = self.inner_word();
        let dataset = self.dataset(&data.dataset);
        docs.cat([heading, ty, equals, docs.align(dataset)])
    }

    pub(super) fn dataset(&mut self, dataset: &Dataset) -> Doc<'a> {
        let docs = self.docs;
        match dataset {
            Dataset::Samples(samples) => self.samples(samples),
            Dataset::Generator(call) => self.generator(call),
            Dataset::Csv(_) => {
                let word = self.token();
                docs.cat([word, self.token(), self.token(), self.token()])
            }
            Dataset::Combined(combination) => self.combination(combination),
        }
    }

    fn samples(&mut self, samples: &[Term]) -> Doc<'a> {
        let numbers = samples
            .iter()
            .all(|sample| matches!(sample.node, TermKind::Literal(_)));
        self.bracketed_aligned(|p| {
            if numbers {
                p.fill(samples, |p, sample| p.term(sample))
            } else {
                p.list(samples, |p, sample| p.term(sample))
            }
        })
    }

    fn train(&mut self, train: &TrainDecl) -> Doc<'a> {
        let docs = self.docs;
        let data = self.heading(&train.data);
        let batch = match &train.batch {
            Some(batch) => docs.cat([self.inner_word(), self.size(batch)]),
            None => docs.nil,
        };
        let pattern = self.sample(&train.pattern);
        let epochs = docs.cat([self.inner_word(), self.size(&train.epochs)]);
        let word = docs.cat([self.gap(Gap::Space), self.token()]);
        let head = docs.cat([data, batch, pattern, epochs, word]);
        docs.cat([head, self.body(&train.body)])
    }

    /// Lays out `as p`.
    fn sample(&mut self, pattern: &Pattern) -> Doc<'a> {
        let docs = self.docs;
        docs.cat([self.inner_word(), self.pattern(pattern)])
    }

    fn measure(&mut self, measure: &MeasureDecl) -> Doc<'a> {
        let docs = self.docs;
        let heading = self.heading(&measure.name);
        let data = docs.cat([self.inner_word(), self.name(&measure.data)]);
        let pattern = self.sample(&measure.pattern);
        docs.cat([heading, data, pattern, self.body(&measure.body)])
    }

    fn predict(&mut self, predict: &PredictDecl) -> Doc<'a> {
        let docs = self.docs;
        let heading = self.heading(&predict.name);
        let params = self.params(&predict.params);
        docs.cat([heading, params, self.body(&predict.body)])
    }
}
