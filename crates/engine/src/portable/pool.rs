//! Memory of kernels besides the buffers of their plan: constants and registers.

/// Memory of kernels besides the buffers of their plan: constants and registers.
pub(super) struct Pool {
    /// Address of the first constant.
    pub(super) first: usize,
    pub(super) constants: Vec<f64>,
    /// Constants in rows, with their addresses.
    pub(super) rows: Vec<(Vec<f64>, usize)>,
    /// Size of the registers, in numbers.
    pub(super) registers: usize,
}

impl Pool {
    /// Address of a constant.
    pub(super) fn constant(&mut self, number: f64) -> usize {
        let mut known = self.constants.iter();
        let known = known.position(|constant| constant.to_bits() == number.to_bits());
        self.first
            + known.unwrap_or_else(|| {
                self.constants.push(number);
                self.constants.len() - 1
            })
    }

    /// Address of these numbers as a row.
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
