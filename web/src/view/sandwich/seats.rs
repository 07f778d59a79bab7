//! Which element of the page a row takes. A row that was there keeps its own; a new one takes that of a row that is gone.
//! After a jump among many calls no row is the same, and to change the texts of a row costs the browser about half of what
//! it costs to make one.

use std::collections::BTreeMap;

/// The rows of each list with their seats, now and when they were drawn last.
#[derive(Debug, Default)]
pub(super) struct Seats {
    now: BTreeMap<String, Vec<(String, usize)>>,
    last: BTreeMap<String, Vec<(String, usize)>>,
}

impl Seats {
    /// Everything is drawn once more.
    pub(super) fn rise(&mut self) {
        self.last = std::mem::take(&mut self.now);
    }

    /// The seats of the rows of a list, which has a name as each of them has.
    pub(super) fn take(&mut self, list: &str, rows: Vec<String>) -> Vec<usize> {
        let before = self.last.remove(list).unwrap_or_default();
        let seat = |row: &String| {
            before
                .iter()
                .find(|(was, _)| was == row)
                .map(|(_, seat)| *seat)
        };
        let mut free = before
            .iter()
            .filter(|(was, _)| !rows.contains(was))
            .map(|(_, seat)| *seat);
        let mut new = before.iter().map(|(_, seat)| seat + 1).max().unwrap_or(0)..;
        let taken: Vec<usize> = rows
            .iter()
            .map(|row| {
                seat(row)
                    .or_else(|| free.next())
                    .or_else(|| new.next())
                    .unwrap_or(0)
            })
            .collect();
        self.now.insert(
            list.to_owned(),
            rows.into_iter().zip(taken.iter().copied()).collect(),
        );
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::Seats;

    /// The seats of lists of rows that are drawn one after the other.
    fn seats(lists: &[&[&str]]) -> Vec<Vec<usize>> {
        let mut seats = Seats::default();
        let draw = |rows: &&[&str]| {
            seats.rise();
            seats.take("list", rows.iter().map(|row| (*row).to_owned()).collect())
        };
        lists.iter().map(draw).collect()
    }

    #[test]
    fn a_row_keeps_its_seat_and_a_new_one_takes_a_free_one() {
        assert_eq!(
            seats(&[
                &["a", "b", "c"],
                &["b", "c", "d"],
                &["x", "y"],
                &["x", "z", "y", "w"]
            ]),
            [vec![0, 1, 2], vec![1, 2, 0], vec![1, 2], vec![1, 3, 2, 4]]
        );
    }
}
