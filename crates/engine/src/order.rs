//! Pass that chooses the order of each sum: in turn where a vector can hold neighbouring results, in the lanes of a vector where only the
//! operands of a single sum are contiguous.

use crate::loops::{Access, Fold, Item, Loop, Plan, Sum};
use fletch_smooth::Step;

impl Plan {
    /// The plan with each sum in the order that suits vectors. No later pass or backend reassociates sums.
    #[must_use]
    pub fn ordered(mut self) -> Plan {
        for item in &mut self.items {
            if let Item::Loop(each) = item {
                each.order();
            }
        }
        self
    }
}

impl Loop {
    fn order(&mut self) {
        let Some(sum) = &self.sum else { return };
        let Fold::InTurn(start) = sum.fold else {
            return;
        };
        // Fewer than 8 neighbouring results fill vectors less well than a longer sum does.
        let few = |extent: usize, terms: usize| extent < 8 && extent < terms;
        let terms = sum.extents.last().copied().unwrap_or(1);
        let mut levels = self.space.iter().enumerate();
        // A sum of two terms does not fill a vector. Its operands may be 2 apart, since every other one of twice as many numbers loads as
        // well as neighbours do.
        let apart = if terms == 2 { 2 } else { 1 };
        let beside = levels.any(|(level, extent)| {
            *extent > 1 && !few(*extent, terms) && is_row(sum, level, apart)
        });
        let innermost = self.space.len() + sum.extents.len().saturating_sub(1);
        if !beside
            && terms > 1
            && is_row(sum, innermost, 1)
            && let Some(sum) = &mut self.sum
        {
            sum.fold = Fold::Lanes(start);
        }
    }
}

/// True if each operand has an unscaled stride of at most `apart` along a loop, or does not move.
fn is_row(sum: &Sum, level: usize, apart: usize) -> bool {
    let step = |access: &Access| access.steps.get(level).copied();
    sum.body.entries().all(|read| match step(read) {
        Some(Step { stride: 0, .. }) | None => true,
        Some(Step { stride, scale }) => stride <= apart && scale == (1, 1),
    })
}

#[cfg(test)]
mod tests {
    use crate::cases::{check, looped};

    #[test]
    fn a_sum_of_what_lies_side_by_side_is_taken_in_lanes() {
        check(
            &looped("x : Real(3), y : Real(3) ⊢ ⌊dot[3](x, y)⌋").ordered(),
            "
                at one point
                  s = the sum, in the lanes of a vector, over i < 3 of (x0[i] · x1[i])
                  b2[0] = s",
        );
    }

    #[test]
    fn sums_that_lie_side_by_side_are_taken_in_turn() {
        check(
            &looped("x : Real(6), y : Real(6) ⊢ ⌊matmul[2, 3, 2](x, y)⌋").ordered(),
            "
                for i < 2, j < 2
                  s = the sum over k < 3 of (x0[3 i + k] · x1[j + 2 k])
                  b2[2 i + j] = s",
        );
        check(
            &looped("x : Real(6), y : Real(3) ⊢ ⌊matmul[2, 3, 1](x, y)⌋").ordered(),
            "
                for i < 2
                  s = the sum, in the lanes of a vector, over j < 3 of (x0[3 i + j] · x1[j])
                  b2[i] = s",
        );
    }
}
