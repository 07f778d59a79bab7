//! Layout of sizes, types, index parameters and index arguments.

use super::Spelling;
use super::comments::Gap;
use super::doc::Doc;
use super::printer::Printer;
use crate::token::TokenKind;
use crate::tree::{
    Index, IndexKind, IndexParam, IndexParamKind, Name, Param, Size, SizeKind, SymbolKind,
    SymbolRef, Type, TypeKind,
};

impl<'a> Printer<'a> {
    /// Prints a name as written.
    pub(super) fn name(&mut self, _: &Name) -> Doc<'a> {
        self.token()
    }

    /// Lays out a size; `+ - *` have one spelling in sizes.
    pub(super) fn size(&mut self, size: &Size) -> Doc<'a> {
        let brackets = self.brackets_around(size.span, 0);
        self.inside_brackets(brackets, |p| match &size.node {
            SizeKind::Number(_) | SizeKind::Name(_) => p.token(),
            SizeKind::Add(..) | SizeKind::Subtract(..) => p.size_chain(size, |size| match size {
                SizeKind::Add(left, right) | SizeKind::Subtract(left, right) => Some((left, right)),
                _ => None,
            }),
            SizeKind::Multiply(..) => p.size_chain(size, |size| match size {
                SizeKind::Multiply(left, right) => Some((left, right)),
                _ => None,
            }),
            SizeKind::Ceiling(dividend, divisor) => p.ceiling(dividend, divisor),
        })
    }

    fn size_chain(
        &mut self,
        size: &Size,
        parts: impl Fn(&SizeKind) -> Option<(&Size, &Size)>,
    ) -> Doc<'a> {
        let mut operands = Vec::new();
        let mut first = size;
        while let Some((left, right)) = parts(&first.node) {
            operands.push(right);
            first = left;
            if self.brackets_around(first.span, 0) > 0 {
                break;
            }
        }
        self.chain(
            true,
            |p| p.size(first),
            operands.into_iter().rev(),
            |p| match p.kind_at(0) {
                Some(TokenKind::Plus) => p.token_as("+"),
                Some(TokenKind::Minus) => p.token_as("-"),
                _ => p.token_as("*"),
            },
            |p, operand| p.size(operand),
        )
    }

    /// Lays out `⌈a/b⌉`, in ASCII `ceil(a/b)`.
    fn ceiling(&mut self, dividend: &Size, divisor: &Size) -> Doc<'a> {
        let docs = self.docs;
        let open = self.bracket_word("⌈", "ceil(");
        let dividend = docs.cat([self.gap(Gap::None), self.size(dividend)]);
        let slash = self.token();
        let divisor = docs.cat([self.gap(Gap::None), self.size(divisor)]);
        docs.cat([open, dividend, slash, divisor, self.close_bracket_word("⌉")])
    }

    /// Prints an opening bracket that is a word with a parenthesis in ASCII; the source may have
    /// either spelling.
    pub(super) fn bracket_word(&mut self, unicode: &'static str, ascii: &'static str) -> Doc<'a> {
        let is_word = matches!(self.kind_at(0), Some(TokenKind::Word(_)));
        let bracket = match self.text.spelling {
            Spelling::Unicode => self.token_as(unicode),
            Spelling::Ascii => self.token_as(ascii),
        };
        if is_word {
            // Skips the parenthesis after the word. Comments before the parenthesis are printed after
            // the bracket.
            self.at.token += 1;
        }
        bracket
    }

    /// Prints the closing bracket for [`Self::bracket_word`].
    pub(super) fn close_bracket_word(&mut self, unicode: &'static str) -> Doc<'a> {
        match self.text.spelling {
            Spelling::Unicode => self.token_as(unicode),
            Spelling::Ascii => self.token_as(")"),
        }
    }

    /// Lays out a type.
    pub(super) fn type_(&mut self, ty: &Type) -> Doc<'a> {
        let docs = self.docs;
        let brackets = self.brackets_around(ty.span, 0);
        self.inside_brackets(brackets, |p| match &ty.node {
            TypeKind::Unit => p.token(),
            TypeKind::Real(sizes) => {
                let word = p.token();
                let sizes = p.bracketed_aligned(|p| p.sizes(sizes));
                docs.cat([word, sizes])
            }
            TypeKind::Product(factors) => match factors.split_first() {
                Some((first, rest)) => p.chain(
                    true,
                    |p| p.type_(first),
                    rest.iter(),
                    |p| match p.text.spelling {
                        Spelling::Unicode => p.token_as("×"),
                        Spelling::Ascii => p.token_as("*"),
                    },
                    |p, factor| p.type_(factor),
                ),
                None => docs.nil,
            },
        })
    }

    /// Lays out `m × n` in `Real(m × n)`, in ASCII `m, n`.
    fn sizes(&mut self, sizes: &[Size]) -> Doc<'a> {
        let docs = self.docs;
        let mut parts = Vec::new();
        for (at, size) in sizes.iter().enumerate() {
            if at > 0 {
                parts.extend(match self.text.spelling {
                    Spelling::Unicode => [
                        self.gap(Gap::Line),
                        self.token_as("×"),
                        self.gap(Gap::Space),
                    ],
                    Spelling::Ascii => [docs.nil, self.token_as(","), self.gap(Gap::Line)],
                });
            }
            parts.push(self.size(size));
        }
        docs.cat(parts)
    }

    /// Lays out `(n, m)`, the shape of a location.
    pub(super) fn shape(&mut self, shape: &[Size]) -> Doc<'a> {
        self.bracketed_aligned(|p| p.fill(shape, |p, size| p.size(size)))
    }

    /// Lays out `(x : A, y : B)`.
    pub(super) fn params(&mut self, params: &[Param]) -> Doc<'a> {
        if params.is_empty() {
            return self.empty_brackets().unwrap_or(self.docs.nil);
        }
        self.bracketed(|p| {
            p.list(params, |p, param| {
                let docs = p.docs;
                let name = p.name(&param.name);
                let colon = p.spaced(Gap::Space, Gap::Space);
                docs.cat([name, colon, p.type_(&param.ty)])
            })
        })
    }

    /// Lays out `[ℓ ∷ (n, m), k]`; empty for no parameters.
    pub(super) fn index_params(&mut self, params: &[IndexParam]) -> Doc<'a> {
        if params.is_empty() {
            return self.docs.nil;
        }
        self.bracketed_aligned(|p| p.fill(params, Self::index_param))
    }

    fn index_param(&mut self, param: &IndexParam) -> Doc<'a> {
        match &param.node {
            IndexParamKind::Name(name) => self.name(name),
            IndexParamKind::Size(size) => self.size(size),
            IndexParamKind::Location { name, shape } => {
                let docs = self.docs;
                let name = self.name(name);
                let typing = self.spaced(Gap::Space, Gap::Space);
                docs.cat([name, typing, self.shape(shape)])
            }
        }
    }

    /// Lays out `[n, ℓ, swish]`; empty for no indices.
    pub(super) fn indices(&mut self, indices: &[Index]) -> Doc<'a> {
        if indices.is_empty() {
            return self.docs.nil;
        }
        self.bracketed_aligned(|p| p.fill(indices, Self::index))
    }

    fn index(&mut self, index: &Index) -> Doc<'a> {
        match &index.node {
            IndexKind::Size(size) => self.size(size),
            IndexKind::Symbol(symbol) => self.symbol(symbol),
            IndexKind::Name(name, indices) => {
                let docs = self.docs;
                docs.cat([self.name(name), self.indices(indices)])
            }
        }
    }

    /// Lays out `swish`, `matmul[m, k, n]` or `rd[f]`.
    pub(super) fn symbol(&mut self, symbol: &SymbolRef) -> Doc<'a> {
        let docs = self.docs;
        match &symbol.node {
            SymbolKind::Named(name, indices) => docs.cat([self.name(name), self.indices(indices)]),
            SymbolKind::Reverse(inner) => {
                let word = self.token();
                docs.cat([word, self.bracketed(|p| p.symbol(inner))])
            }
        }
    }

    /// Lays out operands with operators between them. If they do not fit on a line, each operator
    /// starts a line; in a `filled` chain, only those operators start a line whose operand does not
    /// fit.
    pub(super) fn chain<T>(
        &mut self,
        filled: bool,
        first: impl FnOnce(&mut Self) -> Doc<'a>,
        others: impl Iterator<Item = T>,
        mut operator: impl FnMut(&mut Self) -> Doc<'a>,
        mut operand: impl FnMut(&mut Self, T) -> Doc<'a>,
    ) -> Doc<'a> {
        let docs = self.docs;
        let mut parts = vec![first(self)];
        for other in others {
            let gap = self.gap(Gap::Line);
            parts.push(if filled { docs.group(gap) } else { gap });
            parts.extend([operator(self), self.gap(Gap::Space), operand(self, other)]);
        }
        docs.group(docs.align(docs.cat(parts)))
    }
}
