//! Implementation of a loop's reductions: the choice for each, and its instructions.

use super::axes::Axes;
use super::builder::{Assignments, Builder, Compiled, Inside, in_register};
use super::dots::Dots;
use super::forms::Forms;
use super::instructions::Instructions;
use super::operations::{At, BLOCK, Operand, What};
use super::products::Products;
use super::shapes::{factors, neighbours};
use super::sums::{Each, Further, Lanes, Sums, Terms};
use super::ways::{Along, Way, terms};
use crate::loops::{self, Access, Source, Sum};
use fletch_smooth::{Binary, Comparison, Operation};

impl Builder<'_> {
    /// The sums of a loop whose space has so many axes.
    pub(super) fn sums(&mut self, sum: &Sum, axes: &Axes, space: usize) -> Sums {
        let points = self.kernel.length;
        let to = self.register(points);
        // Register of a second row.
        self.register(points);
        let what = match sum.fold {
            loops::Fold::Lanes(start) => match factors(sum, axes.vectors()) {
                Some(factors) => Terms::Dots(self.dots(sum, start, factors, axes, space)),
                None => Terms::Lanes(self.lanes(sum, start, axes, space)),
            },
            loops::Fold::InTurn(start) => match self.products(sum, start, axes, space) {
                Some(products) => Terms::Products(products),
                None => Terms::Each(self.each(sum, to, axes, space)),
            },
            _ => Terms::Each(self.each(sum, to, axes, space)),
        };
        Sums { what, to }
    }

    pub(super) fn plain(&mut self, access: &Access, axes: &Axes) -> usize {
        let way = Way::new(access, &axes.around, &axes.inside, &axes.extents);
        self.known(way)
    }

    pub(super) fn dots(
        &mut self,
        sum: &Sum,
        start: f64,
        factors: [&Access; 2],
        axes: &Axes,
        space: usize,
    ) -> Dots {
        let (extent, around) = innermost(&sum.extents);
        let [a, b] = factors.map(|factor| terms(factor, space, around));
        let ways = factors.map(|factor| self.plain(factor, axes));
        let [_, second] = ways;
        let second = self.kernel.ways.get(second);
        Dots {
            ways,
            around: a.into_iter().zip(b).collect(),
            extent,
            start,
            shared: second.is_some_and(|way| way.along == Along::Same),
        }
    }

    /// True if the next row of results shares the operand `same`, and has `other` at a constant stride.
    pub(super) fn twice(&self, same: usize, other: usize) -> bool {
        let further = |way: usize| self.kernel.ways.get(way).and_then(Way::innermost);
        let is_row = !self.kernel.around.is_empty();
        is_row && further(same) == Some(0) && further(other).is_some()
    }

    pub(super) fn lanes(&mut self, sum: &Sum, start: f64, axes: &Axes, space: usize) -> Lanes {
        let (extent, around) = innermost(&sum.extents);
        let mut further = Further {
            terms: around.iter().product(),
            ways: Vec::new(),
        };
        let inside = Inside {
            around: &axes.around,
            axes: &[space + around.len()],
            extents: &[extent],
            sum: space..space + around.len(),
            sum_extents: around,
        };
        let addends = sum.addends();
        let forms = Forms::of(&sum.body, &addends);
        let mut made = self.terms(sum, &forms, &addends, &inside, &mut further);
        let value = made.value(addends.last().copied().unwrap_or(0));
        let value = match value {
            Operand {
                at: At::Register(register),
                same: false,
            } => register,
            _ => {
                let room = extent.min(BLOCK);
                let to = self.register(room);
                self.assign(At::Register(to), What::Copy(value), room, &mut made.code);
                to
            }
        };
        Lanes {
            further,
            extent,
            code: Instructions::of(&made.code),
            value,
            start,
        }
    }

    pub(super) fn terms(
        &mut self,
        sum: &Sum,
        forms: &Forms,
        asked: &[usize],
        inside: &Inside<'_>,
        further: &mut Further,
    ) -> Compiled {
        let given = Assignments {
            body: &sum.body,
            forms,
            read: &|position| sum.reads.get(position).cloned().map(Source::Entry),
            asked,
            homes: &[],
            sum: None,
        };
        self.compile(&given, inside, further)
    }

    /// Sums of products of neighbours and a number.
    pub(super) fn products(
        &mut self,
        sum: &Sum,
        start: f64,
        axes: &Axes,
        space: usize,
    ) -> Option<Products> {
        let [axis] = axes.inside.as_slice() else {
            return None;
        };
        let products = neighbours(sum, *axis)?;
        let way = |access: &Access| Way::new(access, &axes.around, &axes.inside, &axes.extents);
        let mut ways = [0; 2];
        let mut moves = Vec::new();
        for (factor, way_of) in ways.iter_mut().enumerate() {
            let accesses = products.iter().filter_map(|factors| factors.get(factor));
            let all: Vec<(Way, Vec<u32>)> = accesses
                .map(|access| (way(access), terms(access, space, &sum.extents)))
                .collect();
            let mut first = all.first()?.0.clone();
            for (way, _) in &all {
                if first.beside(way)? < 0 {
                    first = way.clone();
                }
            }
            for (way, steps) in &all {
                let apart = u32::try_from(first.beside(way)?).ok()?;
                moves.push(steps.iter().map(|step| step + apart).collect::<Vec<u32>>());
            }
            *way_of = self.known(first);
        }
        let (rows, numbers) = moves.split_at(products.len());
        let mut terms = Vec::new();
        for term in 0..rows.first()?.len() {
            for (row, number) in rows.iter().zip(numbers) {
                terms.push((*row.get(term)?, *number.get(term)?));
            }
        }
        let [row, number] = ways;
        Some(Products {
            row,
            number,
            terms,
            start,
        })
    }

    /// Anything, into a register.
    pub(super) fn each(&mut self, sum: &Sum, to: usize, axes: &Axes, space: usize) -> Each {
        let mut further = Further {
            terms: sum.extents.iter().product(),
            ways: Vec::new(),
        };
        let inside = Inside {
            around: &axes.around,
            axes: &axes.inside,
            extents: &axes.extents,
            sum: space..space + sum.extents.len(),
            sum_extents: &sum.extents,
        };
        let addends = sum.addends();
        let forms = Forms::of(&sum.body, &addends);
        let added = matches!(sum.fold, loops::Fold::InTurn(_) | loops::Fold::Lanes(_));
        let factors = |register: usize| match forms.once(register) {
            Some(What::Binary(Binary::Mul, factors)) if added => Some(*factors),
            _ => None,
        };
        let asked = addends.iter().flat_map(|addend| {
            let alone = || vec![*addend];
            factors(*addend).map_or_else(alone, Vec::from)
        });
        let asked: Vec<usize> = asked.collect();
        let mut made = self.terms(sum, &forms, &asked, &inside, &mut further);
        let sums = in_register(to);
        let start = self.constant(match sum.fold {
            loops::Fold::InTurn(start) | loops::Fold::Lanes(start) => start,
            loops::Fold::Maximum => f64::NEG_INFINITY,
            loops::Fold::AtMaximum => 0.0,
        });
        // Update of the running result by each term.
        let mut fold = Folds::default();
        match sum.fold {
            loops::Fold::InTurn(_) | loops::Fold::Lanes(_) => {
                let mut before = start;
                for addend in &addends {
                    let plus = |before| match factors(*addend) {
                        Some(both) => {
                            let both = both.map(|factor| made.value(factor));
                            What::Product(Binary::Add, before, both)
                        }
                        None => What::Binary(Binary::Add, [before, made.value(*addend)]),
                    };
                    fold.push(to, plus(before), plus(sums));
                    before = sums;
                }
            }
            loops::Fold::Maximum => {
                let value = made.value(addends.last().copied().unwrap_or(0));
                let larger = |before| What::Binary(Binary::Max, [before, value]);
                fold.push(to, larger(start), larger(sums));
            }
            loops::Fold::AtMaximum => {
                let value = made.value(addends.last().copied().unwrap_or(0));
                let key = match sum.reads.first() {
                    // The key is the summed value itself.
                    Some(_) if sum.body == [Operation::Read(0)] => value,
                    Some(access) => {
                        let way = self.way(access, &inside, &mut further);
                        let points = self.kernel.length;
                        self.read(way, points, &mut made.code)
                    }
                    None => self.constant(f64::NAN),
                };
                let least = self.constant(f64::NEG_INFINITY);
                let register = self.register(self.kernel.length);
                let largest = in_register(register);
                let larger = |most, [then, otherwise]: [Operand; 2]| {
                    What::Choose(Comparison::Less, [most, key, then, otherwise])
                };
                // The first one anyway.
                fold.push(to, What::Copy(value), larger(largest, [value, sums]));
                // The last term needs no update of the largest key.
                fold.last = Some(fold.later.clone());
                let most = |before| larger(before, [key, before]);
                fold.push(register, most(least), most(largest));
            }
        }
        if further.terms == 0 {
            fold.first = vec![(At::Register(to), What::Copy(start))];
            made.code.clear();
        }
        let points = self.kernel.length.min(self.kernel.points);
        let mut with = |fold: Vec<(At, What<Operand>)>| {
            let mut code = made.code.clone();
            for (to, what) in fold {
                self.assign(to, what, points, &mut code);
            }
            Instructions::of(&code)
        };
        Each {
            first: with(fold.first),
            last: with(fold.last.unwrap_or_else(|| fold.later.clone())),
            later: with(fold.later),
            further,
        }
    }
}

/// Updates for the first term, for each later one, and for the last one if that is shorter.
#[derive(Default)]
struct Folds {
    first: Vec<(At, What<Operand>)>,
    later: Vec<(At, What<Operand>)>,
    last: Option<Vec<(At, What<Operand>)>>,
}

impl Folds {
    fn push(&mut self, to: usize, first: What<Operand>, later: What<Operand>) {
        let to = At::Register(to);
        self.first.push((to, first));
        self.later.push((to, later));
    }
}

/// The extent of the innermost loop, and those around it.
fn innermost(extents: &[usize]) -> (usize, &[usize]) {
    match extents.split_last() {
        Some((extent, around)) => (*extent, around),
        None => (1, &[]),
    }
}
