//! The list of all lessons, for pages and the command line.

use crate::lesson::{Lesson, Part, Tour, Track};
use serde::{Deserialize, Serialize};

/// All lessons without their texts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listing {
    /// The parts of the tour.
    pub parts: Vec<Part>,
    /// Shorter routes through the tour.
    pub tracks: Vec<Track>,
    /// The lessons, in order.
    pub lessons: Vec<Entry>,
}

/// A lesson of the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Number of the lesson.
    pub number: usize,
    /// The name of its folder.
    pub name: String,
    /// Title of the lesson.
    pub title: String,
    /// One sentence about the lesson.
    pub claim: String,
    /// Title of the part that contains the lesson.
    pub part: String,
    /// Duration with the exercises, in minutes.
    pub minutes: u32,
    /// Number of predictions.
    pub predictions: usize,
    /// Exercises of the lesson.
    pub exercises: Vec<Titled>,
}

/// An exercise of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Titled {
    /// Name of the exercise in addresses.
    pub id: String,
    /// Title of the exercise.
    pub title: String,
}

impl Listing {
    /// The list of a tour.
    pub fn of(tour: &Tour) -> Listing {
        Listing {
            parts: tour.parts.clone(),
            tracks: tour.tracks.clone(),
            lessons: tour.lessons.iter().map(entry).collect(),
        }
    }
}

fn entry(lesson: &Lesson) -> Entry {
    let front = &lesson.front;
    let exercises = front.exercises.iter().map(|exercise| Titled {
        id: exercise.id.clone(),
        title: exercise.title.clone(),
    });
    Entry {
        number: lesson.number,
        name: lesson.name.clone(),
        title: front.title.clone(),
        claim: front.claim.clone(),
        part: front.part.clone(),
        minutes: front.minutes,
        predictions: front.predictions.len(),
        exercises: exercises.collect(),
    }
}
