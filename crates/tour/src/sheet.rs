//! A lesson as a page gets it: without what only the tests ask for.

use crate::lesson::Lesson;

impl Lesson {
    /// The lesson for a page: without facts, other solutions and the files that only these name. Mistakes are recognised there too, so
    /// their files go along.
    pub fn for_page(&self) -> Lesson {
        let mut lesson = self.clone();
        lesson.front.facts.clear();
        for exercise in &mut lesson.front.exercises {
            exercise.also.clear();
        }
        let needed: Vec<String> = lesson.named().into_iter().map(str::to_owned).collect();
        lesson.files.retain(|name, _| needed.contains(name));
        lesson
    }
}
