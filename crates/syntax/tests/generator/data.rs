//! Random data sets and generators.

use super::Writer;
use fletch_syntax::COMBINATORS;

impl Writer {
    /// Writes a data set; `fuel` bounds the depth of combinations.
    pub(super) fn dataset(&mut self, fuel: u32) {
        match self.choices.below(4) {
            0 => self.brackets("[", "]", |w| w.list(1, 6, |w| w.term(2))),
            1 => self.tokens(&["csv", "(", "\"a_file:--{-.csv\"", ")"]),
            2 if fuel > 0 => self.combination(fuel - 1),
            _ => self.generator(),
        }
    }

    /// Writes a data set made from other data sets.
    fn combination(&mut self, fuel: u32) {
        let (name, count) = self.choices.pick(&COMBINATORS);
        self.text(name);
        self.brackets("(", ")", |w| {
            w.dataset(fuel);
            for _ in 1..count {
                w.text(",");
                w.dataset(fuel);
            }
            for _ in 0..w.choices.below(3) {
                w.text(",");
                w.named_argument();
            }
        });
    }

    pub(super) fn generator(&mut self) {
        self.callee();
        self.maybe(|w| w.brackets("(", ")", |w| w.list(0, 4, Self::named_argument)));
    }

    fn named_argument(&mut self) {
        match self.choices.below(5) {
            0 => {
                self.name();
                self.text(":");
            }
            1 => self.tokens(&["for", ":"]),
            2 => {
                // At the start of a line, `data` would start a declaration.
                self.stay = true;
                self.tokens(&["data", ":"]);
            }
            _ => {}
        }
        match self.choices.below(2) {
            0 => self.signed_number(),
            _ => self.size(1),
        }
    }
}
