//! Syntactic category at the cursor of a text, determined from its tokens. Half-typed programs do not parse, but the tokens before the
//! cursor tell enough. A wrong guess offers too many or too few completions; nothing else depends on it.

use fletch_syntax::{HighlightToken, Span, TokenClass};

/// Syntactic category expected at a position.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Category {
    /// Nothing that has a name yet: a comment, a number, a name that is being declared.
    Nothing,
    /// A declaration.
    Item,
    /// A command.
    Command,
    /// A term.
    Term,
    /// A clause of a handler.
    Clause,
    /// A handler.
    Handler,
    /// A data set that the file declares.
    Data,
    /// Initial contents of a location.
    Contents,
    /// The samples of a data set.
    Samples,
    /// A type.
    Type,
    /// A size.
    Size,
    /// An index in brackets.
    Index {
        /// The word before the bracket.
        of: String,
        /// Number of the index, from 0: the number of commas between the bracket and the cursor.
        number: usize,
    },
}

/// The category at the cursor, the word being typed there, and the constructs that are still open.
#[derive(Debug, PartialEq)]
pub(super) struct Context {
    pub(super) place: Category,
    /// Byte offset of the start of the word; the cursor if there is no word.
    pub(super) start: u32,
    /// True if a `let` lacks its `in`.
    pub(super) in_let: bool,
    /// True if a `handle` lacks its `with`.
    pub(super) in_handle: bool,
}

/// An open bracket.
struct Frame {
    /// Category at its start and after each of its commas.
    each: Category,
    /// Category after its closing bracket.
    after: Category,
}

/// An open `let`; its sign `⇐` or `←` determines the category of its body.
struct Let {
    body: Category,
    /// Number of open brackets at the `let`: a `let` inside a bracket ends with it.
    depth: usize,
}

/// Determines the context at a byte offset from the tokens before it.
pub(super) fn context(source: &str, tokens: &[HighlightToken], offset: u32) -> Context {
    let before = tokens.partition_point(|token| token.span.end < offset);
    let mut start = offset;
    if let Some(token) = tokens.get(before).filter(|token| token.span.start < offset) {
        let nothing = Context {
            place: Category::Nothing,
            start: offset,
            in_let: false,
            in_handle: false,
        };
        match token.class {
            TokenClass::Comment | TokenClass::String | TokenClass::Number | TokenClass::Invalid => {
                return nothing;
            }
            _ if is_word(token.span.text(source)) => start = token.span.start,
            _ => {}
        }
    }
    let until = tokens.partition_point(|token| token.span.end <= start);
    let mut reader = Reader::default();
    for token in tokens.get(..until).unwrap_or_default() {
        if token.class != TokenClass::Comment {
            reader.read(token.span, token.span.text(source), source);
        }
    }
    let at_margin = start == 0 || source.as_bytes().get(start as usize - 1) == Some(&b'\n');
    let place = if at_margin {
        Category::Item
    } else {
        reader.place
    };
    Context {
        place,
        start,
        in_let: reader
            .lets
            .iter()
            .any(|open| open.depth == reader.frames.len()),
        in_handle: reader.handles.contains(&reader.frames.len()),
    }
}

/// True if a token is a name or a word of the language.
fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

struct Reader<'a> {
    place: Category,
    frames: Vec<Frame>,
    lets: Vec<Let>,
    /// For each `handle` that lacks its `with`, the number of open brackets at the `handle`.
    handles: Vec<usize>,
    /// The word that started the declaration.
    item: &'a str,
    /// The previous token, and the one before that.
    last: &'a str,
    last_but_one: &'a str,
    /// True directly after a closing parenthesis. A `⟨` there lists the names bound by `rev handle(…)`, `iterate[…](…)` or
    /// `feedback[…](…)`.
    binder_next: bool,
}

impl Default for Reader<'_> {
    fn default() -> Self {
        Reader {
            place: Category::Item,
            frames: Vec::new(),
            lets: Vec::new(),
            handles: Vec::new(),
            item: "",
            last: "",
            last_but_one: "",
            binder_next: false,
        }
    }
}

impl<'a> Reader<'a> {
    fn read(&mut self, span: Span, text: &'a str, source: &str) {
        let starts_line = source
            .get(..span.start as usize)
            .is_none_or(|before| before.is_empty() || before.ends_with('\n'));
        if let Some(place) = item(text).filter(|_| starts_line || self.place == Category::Item) {
            *self = Reader {
                place,
                item: text,
                last: text,
                ..Reader::default()
            };
            return;
        }
        self.step(text);
        (self.last_but_one, self.last) = (self.last, text);
    }

    fn step(&mut self, text: &'a str) {
        let depth = self.frames.len();
        match text {
            "(" | "[" | "{" | "⟨" | "⌊" | "⌈" => self.open(text),
            ")" | "]" | "}" | "⟩" | "⌋" | "⌉" => self.close(text),
            "let" => self.place = Category::Nothing,
            "⇐" | "<=" | "←" | "<-" => {
                let body = match text {
                    "⇐" | "<=" => Category::Command,
                    _ => Category::Term,
                };
                self.place = body.clone();
                self.lets.push(Let { body, depth });
            }
            "in" => self.place = self.lets.pop().map_or(Category::Command, |open| open.body),
            "rev" | "iterate" => self.place = Category::Nothing,
            "handle" => {
                self.place = Category::Command;
                self.handles.push(depth);
            }
            "with" => {
                self.handles.pop();
                self.place = Category::Handler;
            }
            "extends" => self.place = Category::Handler,
            "↦" | "|->" => self.place = Category::Command,
            "=" => self.place = self.defined(),
            "." if self.last == "⟩" || self.last == ">" => self.place = Category::Command,
            "." => self.place = Category::Nothing,
            "•" | "@" => self.place = Category::Term,
            "|" | ";" | "as" => self.place = Category::Nothing,
            "," => self.next(),
            ":" | "▷" | "|>" | "⇒" | "=>" => self.place = Category::Type,
            "for" | "by" => self.place = Category::Size,
            "on" => self.place = Category::Data,
            _ => {}
        }
        if !matches!(text, ")" | "]") {
            self.binder_next = false;
        }
    }

    /// Moves to the next entry of the innermost bracket, after a comma.
    fn next(&mut self) {
        let Some(open) = self.frames.last_mut() else {
            self.place = Category::Nothing;
            return;
        };
        if let Category::Index { number, .. } = &mut open.each {
            *number += 1;
        }
        self.place = open.each.clone();
    }

    /// The category after the `=` of a declaration.
    fn defined(&self) -> Category {
        match self.item {
            "dim" => Category::Size,
            "loc" => Category::Contents,
            "data" => Category::Samples,
            "fun" => Category::Term,
            _ => Category::Command,
        }
    }

    fn open(&mut self, text: &str) {
        // A bracket directly after the name of a declaration holds its parameters.
        let declares = item(self.last_but_one).is_some() && self.frames.is_empty();
        let after = self.place.clone();
        let each = match (text, self.last) {
            ("[", _) if declares => Category::Nothing,
            ("[", "feedback") => Category::Size,
            ("[", last) if is_word(last) || last == "]" => Category::Index {
                of: last.to_owned(),
                number: 0,
            },
            ("[", _) | ("⌊", _) => Category::Term,
            ("(", "Real" | "∷" | "::" | "ceil") | ("⌈", _) => Category::Size,
            ("(", "handle") if self.last_but_one == "rev" => Category::Term,
            ("(", "pure") => Category::Term,
            ("(", _) if self.is_parameter_list(declares) => Category::Nothing,
            ("(", last) if is_word(last) || last == "]" => Category::Term,
            ("{", _) => Category::Clause,
            ("⟨", ")") if self.binder_next => Category::Nothing,
            ("⟨", _) if self.place == Category::Command => Category::Term,
            _ => self.place.clone(),
        };
        self.place = each.clone();
        self.frames.push(Frame { each, after });
    }

    /// True if a parenthesis opens the parameters of a declaration, rather than arguments.
    fn is_parameter_list(&self, declares: bool) -> bool {
        let takes = matches!(self.item, "fun" | "command" | "handler" | "predict");
        let head = self.place == Category::Nothing;
        self.frames.is_empty() && takes && head && (declares || self.last == "]")
    }

    fn close(&mut self, text: &str) {
        let Some(closed) = self.frames.pop() else {
            return;
        };
        let depth = self.frames.len();
        self.lets.retain(|open| open.depth <= depth);
        self.handles.retain(|&open| open <= depth);
        self.place = closed.after;
        // Names of the inputs follow `rev handle(M)`, `iterate[i : n](M)` and `feedback[n](M)`.
        self.binder_next = text == ")";
    }
}

/// The category after a word that starts a declaration; `None` for any other word.
fn item(word: &str) -> Option<Category> {
    match word {
        "dim" | "loc" | "op" | "fun" | "command" | "handler" | "data" | "measure" | "predict"
        | "main" => Some(Category::Nothing),
        "train" => Some(Category::Data),
        _ => None,
    }
}
