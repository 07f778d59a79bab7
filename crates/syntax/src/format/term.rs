//! Layout of terms, literals, patterns and calls of generators.

use super::Spelling;
use super::comments::Gap;
use super::doc::Doc;
use super::printer::Printer;
use crate::token::TokenKind;
use crate::tree::{
    ArgumentValue, BinaryOperator, Combination, GeneratorCall, Literal, NamedArgument, Pattern,
    PatternKind, Term, TermKind,
};

/// True for an operator of the level of sums, false for one of the level of products.
fn is_of_sum(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract)
}

impl<'a> Printer<'a> {
    /// Lays out a term.
    pub(super) fn term(&mut self, term: &Term) -> Doc<'a> {
        let own = usize::from(matches!(term.node, TermKind::Unit | TermKind::Tuple(_)));
        let brackets = self.brackets_around(term.span, own);
        self.inside_brackets(brackets, |p| match &term.node {
            TermKind::Let(..) => p.lets(
                term,
                |term| match &term.node {
                    TermKind::Let(pattern, bound, body) => Some((pattern, &**bound, &**body)),
                    _ => None,
                },
                Self::bound_term,
                Self::term,
            ),
            TermKind::Binary(operator, ..) => p.operators(term, is_of_sum(operator.node)),
            TermKind::Negate(_) => p.negations(term),
            _ => p.postfixes(term),
        })
    }

    /// Lays out a chain of operators of one level, which associate to the left.
    fn operators(&mut self, term: &Term, of_sum: bool) -> Doc<'a> {
        let mut operands = Vec::new();
        let mut first = term;
        while let TermKind::Binary(operator, left, right) = &first.node
            && is_of_sum(operator.node) == of_sum
            && (operands.is_empty() || self.brackets_around(first.span, 0) == 0)
        {
            operands.push(&**right);
            first = left;
        }
        self.chain(
            !of_sum,
            |p| p.term(first),
            operands.into_iter().rev(),
            Self::token,
            |p, operand| p.term(operand),
        )
    }

    /// Lays out `−M`. Two minus signs in a row are kept apart, because `--` starts a comment.
    fn negations(&mut self, term: &Term) -> Doc<'a> {
        let mut parts = Vec::new();
        let mut operand = term;
        while let TermKind::Negate(inner) = &operand.node {
            parts.push(self.token());
            parts.push(self.after_minus());
            operand = inner;
            if self.brackets_around(operand.span, 0) > 0 {
                break;
            }
        }
        parts.push(self.term(operand));
        self.docs.cat(parts)
    }

    fn after_minus(&mut self) -> Doc<'a> {
        let clash = self.text.spelling == Spelling::Ascii && self.is(TokenKind::Minus);
        self.gap(if clash { Gap::Space } else { Gap::None })
    }

    /// Lays out an atom with its postfixes: `ᵀ`, `.1`, `.rd(x. N)(L)`.
    fn postfixes(&mut self, term: &Term) -> Doc<'a> {
        let mut postfixes = Vec::new();
        let mut atom = term;
        loop {
            let inner = match &atom.node {
                TermKind::Transpose(inner) => inner,
                TermKind::Projection(inner, index) if index.span.start >= inner.span.end => inner,
                TermKind::ReverseDerivative { cotangent, .. } => cotangent,
                _ => break,
            };
            if !postfixes.is_empty() && self.brackets_around(atom.span, 0) > 0 {
                break;
            }
            postfixes.push(atom);
            atom = inner;
        }
        let own = usize::from(postfixes.is_empty());
        let mut parts = vec![if own > 0 {
            self.atom(atom)
        } else {
            self.term(atom)
        }];
        // The number after a point may contain two projections, as `1.2` does.
        let mut printed = 0_usize;
        for postfix in postfixes.into_iter().rev() {
            match &postfix.node {
                TermKind::Projection(..) if printed > 0 => printed -= 1,
                TermKind::Projection(..) => {
                    parts.push(self.point(parts.len() == 1));
                    parts.push(self.token());
                    printed = self.points_in_number();
                }
                TermKind::ReverseDerivative {
                    variable,
                    body,
                    point,
                    ..
                } => {
                    parts.extend([self.token(), self.token()]);
                    parts.push(self.bracketed(|p| {
                        let docs = p.docs;
                        let variable = docs.cat([p.name(variable), p.token(), p.gap(Gap::Space)]);
                        docs.cat([variable, p.term(body)])
                    }));
                    parts.extend([self.gap(Gap::None), self.term(point)]);
                }
                _ => parts.push(self.token()),
            }
        }
        self.docs.cat(parts)
    }

    /// Prints the point of a projection. After a number a space precedes it, because `1.2` is one
    /// number.
    fn point(&mut self, first: bool) -> Doc<'a> {
        let before = self.at.token.checked_sub(1);
        let before = before.and_then(|at| self.text.tokens.get(at));
        let clash = first && before.is_some_and(|token| token.kind == TokenKind::Number);
        let gap = self.gap(if clash { Gap::Space } else { Gap::None });
        self.docs.cat([gap, self.token()])
    }

    /// Number of points in the number before the cursor.
    fn points_in_number(&self) -> usize {
        let before = self.at.token.checked_sub(1);
        let number = before.and_then(|at| self.text.tokens.get(at));
        number.map_or(0, |number| {
            number.span.text(self.text.source).matches('.').count()
        })
    }

    fn atom(&mut self, term: &Term) -> Doc<'a> {
        let docs = self.docs;
        match &term.node {
            TermKind::Literal(literal) => self.literal(literal),
            TermKind::Tuple(parts) => {
                self.bracketed_aligned(|p| p.list(parts, |p, part| p.term(part)))
            }
            TermKind::Unit => self.empty_brackets().unwrap_or(docs.nil),
            TermKind::Call(symbol, arguments) => {
                let symbol = self.symbol(symbol);
                docs.cat([symbol, self.arguments(arguments)])
            }
            TermKind::Zero(size) => {
                let word = self.token();
                docs.cat([word, self.bracketed(|p| p.size(size))])
            }
            TermKind::Projection(tuple, _) => {
                let word = self.token();
                docs.cat([word, self.gap(Gap::None), self.term(tuple)])
            }
            _ => self.token(),
        }
    }

    /// Lays out `(M, N)`, the arguments of a function, an operation, a command or a handler.
    pub(super) fn arguments(&mut self, arguments: &[Term]) -> Doc<'a> {
        let docs = self.docs;
        if arguments.is_empty() {
            return self.empty_brackets().unwrap_or(docs.nil);
        }
        if let [only] = arguments {
            let open = self.token();
            let only = docs.cat([self.gap(Gap::None), self.term(only)]);
            return docs.cat([open, only, self.token()]);
        }
        self.bracketed(|p| p.list(arguments, |p, argument| p.term(argument)))
    }

    /// Lays out a literal, with its numbers as written.
    pub(super) fn literal(&mut self, literal: &Literal) -> Doc<'a> {
        match literal {
            Literal::Number(_) => self.number(),
            Literal::Vector(numbers) => self.row(numbers),
            Literal::Matrix(rows) => self.bracketed_aligned(|p| p.list(rows, |p, row| p.row(row))),
        }
    }

    fn row(&mut self, numbers: &[f64]) -> Doc<'a> {
        self.bracketed_aligned(|p| p.fill(numbers, |p, _| p.number()))
    }

    /// Prints a number with its sign.
    fn number(&mut self) -> Doc<'a> {
        if self.is(TokenKind::Minus) || self.is(TokenKind::Plus) {
            let docs = self.docs;
            docs.cat([self.token(), self.token()])
        } else {
            self.token()
        }
    }

    /// Lays out a pattern.
    pub(super) fn pattern(&mut self, pattern: &Pattern) -> Doc<'a> {
        // A tuple of one component is parsed as the component, with the component's span.
        let mut brackets = 0;
        while self.kind_at(brackets) == Some(TokenKind::OpenAngle)
            && self.starts_before(brackets, pattern)
        {
            brackets += 1;
        }
        self.inside_brackets(brackets, |p| match &pattern.node {
            PatternKind::Name(_) | PatternKind::Wildcard => p.token(),
            PatternKind::Tuple(parts) => p.patterns(parts),
        })
    }

    fn starts_before(&self, ahead: usize, pattern: &Pattern) -> bool {
        let token = self.text.tokens.get(self.at.token + ahead);
        token.is_some_and(|token| token.span.start < pattern.span.start)
    }

    /// Lays out `⟨p, q⟩`.
    pub(super) fn patterns(&mut self, patterns: &[Pattern]) -> Doc<'a> {
        self.bracketed_aligned(|p| p.list(patterns, |p, pattern| p.pattern(pattern)))
    }

    /// Lays out `glorot(seed: 1)`, or a name without arguments.
    pub(super) fn generator(&mut self, call: &GeneratorCall) -> Doc<'a> {
        let docs = self.docs;
        let name = self.name(&call.name);
        if !self.is(TokenKind::OpenParen) {
            return name;
        }
        if call.arguments.is_empty() {
            return docs.cat([name, self.empty_brackets().unwrap_or(docs.nil)]);
        }
        let arguments = self.bracketed_aligned(|p| {
            let mut parts = Vec::new();
            for (at, argument) in call.arguments.iter().enumerate() {
                if at > 0 {
                    parts.push(p.comma());
                }
                parts.push(p.named_argument(argument));
            }
            docs.cat(parts)
        });
        docs.cat([name, arguments])
    }

    /// Lays out a data set made from other data sets.
    pub(super) fn combination(&mut self, combination: &Combination) -> Doc<'a> {
        let docs = self.docs;
        let name = self.name(&combination.call.name);
        let arguments = self.bracketed_aligned(|p| {
            let mut parts = Vec::new();
            for (at, dataset) in combination.of.iter().enumerate() {
                if at > 0 {
                    parts.push(p.comma());
                }
                parts.push(p.dataset(&dataset.node));
            }
            for argument in &combination.call.arguments {
                parts.push(p.comma());
                parts.push(p.named_argument(argument));
            }
            docs.cat(parts)
        });
        docs.cat([name, arguments])
    }

    /// Prints the comma between two arguments and the gap after it.
    fn comma(&mut self) -> Doc<'a> {
        let comma = self.token();
        let stays = self.must_stay_on_its_line();
        let gap = self.gap(if stays { Gap::Space } else { Gap::Line });
        self.docs.cat([comma, gap])
    }

    fn named_argument(&mut self, argument: &NamedArgument) -> Doc<'a> {
        let docs = self.docs;
        let key = match &argument.key {
            Some(key) => {
                let key = self.name(key);
                docs.cat([key, self.spaced(Gap::None, Gap::Space)])
            }
            None => docs.nil,
        };
        let value = match &argument.value.node {
            ArgumentValue::Number(_) => self.number(),
            ArgumentValue::Size(size) => self.size(size),
        };
        docs.cat([key, value])
    }
}
