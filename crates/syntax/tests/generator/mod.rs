//! Random sources that parse: every rule of the grammar, both spellings, any white space and comments
//! between any two tokens. They need not mean anything.
#![allow(dead_code, missing_docs, unreachable_pub)]

mod data;

use fletch_syntax::{spellings, wrappers};

/// A pseudorandom stream of choices.
pub struct Choices(pub u64);

impl Choices {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    pub fn pick<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len() as u64) as usize]
    }

    fn often(&mut self) -> bool {
        self.below(3) > 0
    }

    fn seldom(&mut self) -> bool {
        self.below(8) == 0
    }
}

/// Separator allowed between tokens.
#[derive(Clone, Copy, PartialEq)]
pub enum Between {
    /// As little white space as possible.
    Little,
    /// Spaces, line breaks, blank lines.
    Space,
    /// Spaces, line breaks, blank lines and comments.
    Comments,
}

pub struct Writer {
    choices: Choices,
    between: Between,
    pub source: String,
    /// True if the next token must be on the line of the previous one.
    stay: bool,
}

const NAMES: &[&str] = &[
    "x", "y", "z", "w", "x_in", "v'", "x''", "α", "β₁", "ℓ0", "e\u{301}", "Rlet", "proj_x", "_a",
];
const SHORT: &[&str] = &["f", "g", "H", "R_MLP", "FC", "Σ"];
const LONG: &str = "a_name_that_is_so_long_that_not_much_else_has_room_beside_it_on_its_line";
const NUMBERS: &[&str] = &["0", "1", "0.1", "1e-3", "2.5E+3", "12.0625", "1.0", "007"];
const COMMENTS: &[&str] = &[
    "-- a comment",
    "--",
    "-- {- no opener",
    "{- a block -}",
    "{--}",
    "{- nested {- -} -- -}",
    "{- of two\n     lines -}",
    "{- of three\n\nlines   \n -}",
];

/// Random program; `fuel` bounds the depth of its syntax.
pub fn program(seed: u64, fuel: u32, between: Between) -> String {
    let mut writer = Writer {
        choices: Choices(seed),
        between,
        source: String::new(),
        stay: false,
    };
    for _ in 0..=writer.choices.below(5) {
        writer.item(fuel);
    }
    writer.gap();
    writer.source
}

impl Writer {
    /// Writes white space, perhaps with comments.
    fn gap(&mut self) {
        let stay = std::mem::take(&mut self.stay);
        for _ in 0..self.choices.below(3) {
            let comments = self.between == Between::Comments && self.choices.seldom() && !stay;
            let space = if comments {
                let comment = self.choices.pick(COMMENTS);
                let before = self.choices.pick(&[" ", "\n", "\n\n  "]);
                let after = match comment.starts_with("--") {
                    true => self.choices.pick(&["\n", "\n\n", "\n \n \n"]),
                    false => self.choices.pick(&["", " ", "\n", "\n\n"]),
                };
                format!("{before}{comment}{after}")
            } else if self.between == Between::Little || stay {
                String::new()
            } else {
                self.choices
                    .pick(&[" ", "  ", "\n", "\n    ", "\n\n", " \t\r\n"])
                    .to_owned()
            };
            self.source += &space;
        }
    }

    /// Writes a token, with a space before it if it could join the previous token.
    fn text(&mut self, text: &str) {
        self.gap();
        let last = self.source.chars().next_back().unwrap_or('\n');
        let first = text.chars().next().unwrap_or(' ');
        let apart = last.is_whitespace()
            || matches!(last, '(' | '[' | ',' | '⟨')
            || matches!(first, '(' | ')' | '[' | ']' | ',' | '⟩')
            || (last == '<' && first != '=');
        if !apart {
            self.source.push(' ');
        }
        self.source += text;
    }

    /// Writes a token in one of its spellings.
    fn token(&mut self, unicode: &str) {
        let ascii = spellings().iter().find(|(_, token)| *token == unicode);
        match ascii {
            Some((ascii, _)) if self.choices.below(2) == 0 => self.text(ascii),
            _ => self.text(unicode),
        }
    }

    fn tokens(&mut self, tokens: &[&str]) {
        for token in tokens {
            self.token(token);
        }
    }

    /// Writes `content` in a bracket that is a word with a parenthesis in ASCII.
    fn wrapped(&mut self, word: &str, content: impl FnOnce(&mut Self)) {
        let wrapper = wrappers().iter().find(|(known, ..)| *known == word);
        let (_, open, close) = wrapper.unwrap();
        if self.choices.below(2) == 0 {
            self.tokens(&[word, "("]);
            content(self);
            self.text(")");
        } else {
            self.text(open);
            content(self);
            self.text(close);
        }
    }

    fn list(&mut self, least: u64, most: u64, mut entry: impl FnMut(&mut Self)) {
        for at in 0..least + self.choices.below(most - least + 1) {
            if at > 0 {
                self.text(",");
            }
            entry(self);
        }
    }

    fn brackets(&mut self, open: &str, close: &str, content: impl FnOnce(&mut Self)) {
        self.token(open);
        content(self);
        self.token(close);
    }

    fn maybe(&mut self, content: impl FnOnce(&mut Self)) {
        if self.choices.below(2) == 0 {
            content(self);
        }
    }

    fn name(&mut self) {
        let name = self.choices.pick(NAMES);
        let name = if self.choices.below(40) == 0 {
            LONG
        } else {
            name
        };
        self.text(name);
    }

    fn callee(&mut self) {
        let name = self.choices.pick(SHORT);
        self.text(name);
    }

    fn number(&mut self) {
        let number = self.choices.pick(NUMBERS);
        self.text(number);
    }

    fn signed_number(&mut self) {
        if self.choices.below(3) == 0 {
            self.token("−");
        }
        self.number();
    }

    fn natural(&mut self) {
        let number = self.choices.pick(&["1", "2", "3", "64"]);
        self.text(number);
    }

    fn size(&mut self, fuel: u32) {
        if fuel == 0 {
            return match self.choices.below(2) {
                0 => self.natural(),
                _ => self.name(),
            };
        }
        match self.choices.below(6) {
            0 | 1 => self.size(0),
            2 => self.wrapped("ceil", |w| {
                w.size(fuel - 1);
                w.text("/");
                w.size(fuel - 1);
            }),
            3 => self.brackets("(", ")", |w| w.size(fuel - 1)),
            _ => {
                self.size(fuel - 1);
                let operator = self.choices.pick(&["+", "−", "∗", "∗"]);
                self.token(operator);
                // The right operand of a product is no sum, so it is a product too; both parse.
                self.size(fuel - 1);
            }
        }
    }

    fn type_(&mut self, fuel: u32) {
        match self.choices.below(4) {
            0 => self.text("1"),
            1 if fuel > 0 => self.brackets("(", ")", |w| w.type_(fuel - 1)),
            2 if fuel > 0 => {
                self.type_(fuel - 1);
                let times = self.choices.pick(&["×", "∗"]);
                self.token(times);
                self.type_(fuel - 1);
            }
            _ => {
                self.tokens(&["Real", "("]);
                self.size(1);
                for _ in 0..self.choices.below(3) {
                    let times = self.choices.pick(&["×", ","]);
                    self.text(times);
                    self.size(1);
                }
                self.text(")");
            }
        }
    }

    fn shape(&mut self) {
        self.brackets("(", ")", |w| w.list(1, 3, |w| w.size(1)));
    }

    fn index_params(&mut self) {
        self.maybe(|w| {
            w.brackets("[", "]", |w| {
                w.list(1, 3, |w| match w.choices.below(3) {
                    0 => {
                        w.name();
                        w.token("∷");
                        w.shape();
                    }
                    _ => w.size(1),
                });
            });
        });
    }

    fn indices(&mut self, fuel: u32) {
        self.maybe(|w| w.brackets("[", "]", |w| w.list(1, 4, |w| w.index(fuel))));
    }

    fn index(&mut self, fuel: u32) {
        match self.choices.below(4) {
            0 if fuel > 0 => self.symbol(fuel - 1),
            1 if fuel > 0 => {
                self.name();
                self.indices(fuel - 1);
            }
            _ => self.size(1),
        }
    }

    fn symbol(&mut self, fuel: u32) {
        if fuel > 0 && self.choices.below(3) == 0 {
            self.text("rd");
            self.brackets("[", "]", |w| w.symbol(fuel - 1));
        } else {
            self.callee();
            self.indices(fuel);
        }
    }

    fn pattern(&mut self, fuel: u32) {
        match self.choices.below(4) {
            0 if fuel > 0 => self.patterns(fuel - 1),
            1 => self.text("_"),
            _ => self.name(),
        }
    }

    fn patterns(&mut self, fuel: u32) {
        self.brackets("⟨", "⟩", |w| w.list(1, 3, |w| w.pattern(fuel)));
    }

    fn literal(&mut self) {
        match self.choices.below(4) {
            0 => self.row(),
            1 => {
                let columns = 1 + self.choices.below(4);
                self.brackets("[", "]", |w| {
                    w.list(1, 3, |w| {
                        w.brackets("[", "]", |w| w.list(columns, columns, Self::signed_number));
                    });
                });
            }
            _ => self.signed_number(),
        }
    }

    fn row(&mut self) {
        let most = self.choices.pick(&[2, 3, 30]);
        self.brackets("[", "]", |w| w.list(1, most, Self::signed_number));
    }

    fn term(&mut self, fuel: u32) {
        if fuel > 0 && self.choices.below(6) == 0 {
            self.text("let");
            self.pattern(2);
            self.token("←");
            self.term(fuel - 1);
            self.text("in");
            self.term(fuel - 1);
        } else {
            self.operators(fuel);
        }
    }

    fn operators(&mut self, fuel: u32) {
        self.unary(fuel);
        let most = if fuel == 0 { 1 } else { 4 };
        for _ in 0..self.choices.below(most) {
            let operator = self.choices.pick(&["+", "−", "·", "∗", "⊙", "/"]);
            self.token(operator);
            self.unary(fuel - 1);
        }
    }

    fn unary(&mut self, fuel: u32) {
        if self.choices.seldom() {
            self.token("−");
            self.unary(fuel);
        } else {
            self.postfix(fuel);
        }
    }

    fn postfix(&mut self, fuel: u32) {
        self.atom(fuel);
        for _ in 0..self.choices.below(8).saturating_sub(5) {
            match self.choices.below(3) {
                0 => self.token("ᵀ"),
                1 => {
                    self.text(".");
                    self.natural();
                }
                _ if fuel > 0 => {
                    self.tokens(&[".", "rd", "("]);
                    self.name();
                    self.text(".");
                    self.term(fuel - 1);
                    self.text(")");
                    self.brackets("(", ")", |w| w.term(fuel - 1));
                }
                _ => {}
            }
        }
    }

    fn atom(&mut self, fuel: u32) {
        if fuel == 0 {
            return match self.choices.below(4) {
                0 => self.number(),
                1 => self.tokens(&["(", ")"]),
                _ => self.name(),
            };
        }
        match self.choices.below(9) {
            0 => self.literal(),
            1 => self.brackets("⟨", "⟩", |w| w.list(1, 3, |w| w.term(fuel - 1))),
            2 => self.brackets("(", ")", |w| w.term(fuel - 1)),
            3 | 4 => {
                self.symbol(1);
                self.arguments(fuel - 1);
            }
            5 => {
                let index = self.choices.pick(&["proj_1", "proj_12"]);
                self.text(index);
                self.brackets("(", ")", |w| w.term(fuel - 1));
            }
            6 => {
                self.text("zero");
                self.brackets("[", "]", |w| w.size(1));
            }
            _ => self.atom(0),
        }
    }

    fn arguments(&mut self, fuel: u32) {
        self.brackets("(", ")", |w| w.list(0, 3, |w| w.term(fuel)));
    }

    fn input(&mut self, fuel: u32) {
        self.brackets("(", ")", |w| w.term(fuel));
        self.patterns(2);
        self.text(".");
    }

    fn command(&mut self, fuel: u32) {
        if fuel == 0 {
            return self.wrapped("pure", |w| w.term(1));
        }
        let fuel = fuel - 1;
        match self.choices.below(9) {
            0..=2 => {
                self.text("let");
                self.pattern(2);
                self.token("⇐");
                self.command(fuel);
                self.text("in");
                self.command(fuel);
            }
            3 => {
                self.tokens(&["rev", "handle"]);
                self.input(fuel.min(2));
                self.command(fuel);
                self.text("with");
                self.handler(fuel);
            }
            4 => {
                self.text("handle");
                self.command(fuel);
                self.text("with");
                self.handler(fuel);
            }
            5 if self.choices.often() => {
                self.tokens(&["feedback", "["]);
                self.size(1);
                self.text("]");
                self.input(fuel.min(2));
                self.command(fuel);
            }
            5 => {
                self.tokens(&["iterate", "["]);
                self.name();
                self.text(":");
                self.size(1);
                self.text("]");
                self.input(fuel.min(2));
                self.command(fuel);
            }
            6 => self.brackets("(", ")", |w| w.command(fuel)),
            7 => {
                self.name();
                self.token("•");
                // A signed argument would need parentheses.
                match self.choices.below(3) {
                    0 => self.brackets("(", ")", |w| w.term(fuel.min(2))),
                    1 => self.brackets("⟨", "⟩", |w| w.list(1, 3, |w| w.term(1))),
                    _ => self.atom(0),
                }
            }
            8 if self.choices.often() => {
                self.callee();
                self.indices(1);
                self.arguments(fuel.min(2));
            }
            _ => self.wrapped("pure", |w| w.term(fuel.min(3))),
        }
    }

    fn handler(&mut self, fuel: u32) {
        if self.choices.often() || fuel == 0 {
            self.handler_call();
        } else {
            self.clauses(fuel - 1);
        }
    }

    fn handler_call(&mut self) {
        self.callee();
        self.indices(1);
        self.maybe(|w| w.arguments(1));
    }

    fn clauses(&mut self, fuel: u32) {
        self.brackets("{", "}", |w| {
            for _ in 0..w.choices.below(4) {
                w.clause(fuel);
            }
        });
    }

    fn clause(&mut self, fuel: u32) {
        match self.choices.below(3) {
            0 => self.side(fuel),
            1 => {
                self.callee();
                self.index_params();
                self.brackets("(", ")", |w| {
                    w.side(fuel);
                    w.text("|");
                    w.pattern(2);
                    w.text(",");
                    w.side(fuel);
                });
            }
            _ => {
                self.callee();
                self.index_params();
                self.text(",");
                self.name();
                self.text(";");
                self.side(fuel);
            }
        }
    }

    fn side(&mut self, fuel: u32) {
        self.pattern(2);
        self.token("↦");
        self.command(fuel);
    }

    fn params(&mut self) {
        self.brackets("(", ")", |w| {
            w.list(0, 3, |w| {
                w.name();
                w.text(":");
                w.type_(1);
            });
        });
    }

    fn result(&mut self) {
        self.maybe(|w| {
            w.text(":");
            w.type_(2);
        });
    }

    fn item(&mut self, fuel: u32) {
        match self.choices.below(14) {
            0 => {
                self.text("dim");
                self.list(1, 3, |w| {
                    w.name();
                    w.text("=");
                    w.size(2);
                });
            }
            1..=3 => {
                self.text("loc");
                self.name();
                self.index_params();
                self.token("∷");
                self.shape();
                self.maybe(|w| {
                    w.text("=");
                    match w.choices.below(2) {
                        0 => w.literal(),
                        _ => w.generator(),
                    }
                });
            }
            4 => {
                self.text("op");
                self.name();
                self.index_params();
                self.text(":");
                self.type_(2);
                self.token("▷");
                self.type_(2);
            }
            5 => {
                self.defined("fun");
                self.term(fuel);
            }
            6 => {
                self.defined("command");
                self.command(fuel);
            }
            7 | 8 => self.handler_item(fuel),
            9 => {
                self.text("data");
                self.name();
                self.result();
                self.text("=");
                self.dataset(2);
            }
            10 => {
                self.text("train");
                self.name();
                self.maybe(|w| {
                    w.text("by");
                    w.size(1);
                });
                self.text("as");
                self.pattern(2);
                self.text("for");
                self.size(1);
                self.tokens(&["epochs", "="]);
                self.command(fuel);
            }
            11 => {
                self.text("measure");
                self.name();
                self.text("on");
                self.name();
                self.text("as");
                self.pattern(2);
                self.text("=");
                self.command(fuel);
            }
            12 => {
                self.text("predict");
                self.name();
                self.params();
                self.text("=");
                self.command(fuel);
            }
            _ => {
                self.tokens(&["main", "="]);
                self.command(fuel);
            }
        }
    }

    fn defined(&mut self, word: &str) {
        self.text(word);
        self.name();
        self.index_params();
        self.params();
        self.result();
        self.text("=");
    }

    fn handler_item(&mut self, fuel: u32) {
        self.text("handler");
        self.name();
        self.index_params();
        self.maybe(Self::params);
        self.text(":");
        self.type_(2);
        self.maybe(|w| {
            w.token("⇒");
            w.type_(2);
        });
        self.maybe(|w| {
            w.text("extends");
            w.list(1, 2, Self::handler_call);
        });
        self.clauses(fuel);
    }
}
