//! What kernels need besides the buffers of their plan.

/// What kernels need besides the buffers of their plan.
pub(super) struct Pool {
    /// Where the constants lie.
    pub(super) first: usize,
    pub(super) constants: Vec<f64>,
    /// Those that lie in rows, and where.
    pub(super) rows: Vec<(Vec<f64>, usize)>,
    /// So much room do registers need.
    pub(super) registers: usize,
}

impl Pool {
    /// Where a constant is.
    pub(super) fn constant(&mut self, number: f64) -> usize {
        let mut known = self.constants.iter();
        let known = known.position(|constant| constant.to_bits() == number.to_bits());
        self.first
            + known.unwrap_or_else(|| {
                self.constants.push(number);
                self.constants.len() - 1
            })
    }

    /// Where these numbers lie side by side.
    pub(super) fn row(&mut self, numbers: Vec<f64>) -> usize {
        let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
        let begins =
            |row: &Vec<f64>| row.len() >= numbers.len() && row.iter().zip(&numbers).all(same);
        if let Some((_, place)) = self.rows.iter().find(|(row, _)| begins(row)) {
            return *place;
        }
        let place = self.first + self.constants.len();
        self.constants.extend_from_slice(&numbers);
        self.rows.push((numbers, place));
        place
    }
}
