//! A lesson with the words of a translation in place of its own.

use crate::lesson::Lesson;

impl Lesson {
    /// Codes of the languages that the lesson is translated into.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.translations.keys().map(String::as_str)
    }

    /// The lesson in another language.
    ///
    /// # Errors
    /// One sentence for each entry that the translation lacks, and for each entry that the lesson does not have.
    pub fn translated(&self, language: &str) -> Result<Lesson, Vec<String>> {
        let Some(words) = self.translations.get(language) else {
            return Err(vec![format!("there is no {language}.md")]);
        };
        let mut lesson = self.clone();
        let mut faults = Vec::new();
        let front = &mut lesson.front;
        front.title = words.title.clone();
        front.claim = words.claim.clone();
        let mut numbers = Vec::new();
        for (at, prediction) in front.predictions.iter_mut().enumerate() {
            let number = (at + 1).to_string();
            let place = format!("[predict.{number}]");
            match words.predictions.get(&number) {
                None => faults.push(format!("{place} is not there")),
                Some(words) => {
                    if prediction.because.is_some() != words.because.is_some() {
                        faults.push(format!("{place}: `because` is there in one of the two"));
                    }
                    prediction.because = words.because.clone();
                    let slips = prediction.slips.iter_mut().map(|slip| &mut slip.says);
                    replace(
                        slips.collect(),
                        &words.slips,
                        &format!("{place} slips"),
                        &mut faults,
                    );
                    let choices = prediction.choices.iter_mut();
                    let choices = choices.flat_map(|of| [&mut of.says, &mut of.because]);
                    let said: Vec<String> = words.choices.iter().flatten().cloned().collect();
                    replace(
                        choices.collect(),
                        &said,
                        &format!("{place} choices"),
                        &mut faults,
                    );
                }
            }
            numbers.push(number);
        }
        for exercise in &mut front.exercises {
            let place = format!("[exercise.{}]", exercise.id);
            let Some(words) = words.exercises.get(&exercise.id) else {
                faults.push(format!("{place} is not there"));
                continue;
            };
            exercise.title = words.title.clone();
            exercise.done = words.done.clone();
            let hints = exercise.hints.iter_mut().collect();
            replace(hints, &words.hints, &format!("{place} hints"), &mut faults);
            let mut known = Vec::new();
            for mistake in &mut exercise.mistakes {
                let name = mistake.name().to_owned();
                match words.slips.get(&name) {
                    None => faults.push(format!("{place} slips: `{name}` is not there")),
                    Some(says) => mistake.says = says.clone(),
                }
                known.push(name);
            }
            let mut others = words.slips.keys();
            if let Some(other) = others.find(|name| !known.contains(name)) {
                faults.push(format!("{place} slips: there is no mistake `{other}`"));
            }
        }
        let unknown = |known: &[String], name: &&String| !known.contains(name);
        let ids: Vec<String> = front.exercises.iter().map(|of| of.id.clone()).collect();
        let mut predictions = words.predictions.keys();
        let mut exercises = words.exercises.keys();
        let prediction = predictions.find(|name| unknown(&numbers, name));
        let exercise = exercises.find(|name| unknown(&ids, name));
        faults.extend(prediction.map(|name| format!("there is no prediction {name}")));
        faults.extend(exercise.map(|name| format!("there is no exercise `{name}`")));
        lesson.text.clone_from(&words.text);
        lesson.translations.clear();
        match faults.is_empty() {
            true => Ok(lesson),
            false => Err(faults),
        }
    }
}

/// Replaces the sentences at `places` by `words`. Different numbers of sentences are a fault.
fn replace(places: Vec<&mut String>, words: &[String], place: &str, faults: &mut Vec<String>) {
    if places.len() != words.len() {
        let (found, wanted) = (words.len(), places.len());
        faults.push(format!(
            "{place}: {found} sentences, and there are {wanted}"
        ));
    }
    for (place, words) in places.into_iter().zip(words) {
        place.clone_from(words);
    }
}
