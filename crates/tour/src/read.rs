//! Reader of lessons from their files: front matter in TOML between two lines of `+++`, then the text. The caller supplies the files as
//! texts by path.

use crate::blocks::Block;
use crate::lesson::{Front, Lesson, Part, Tour, Track};
use crate::markdown;
use crate::translation::Translation;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;

/// The file of a lesson's text.
pub const TEXT: &str = "lesson.md";
/// The file that names parts and tracks.
pub const INDEX: &str = "tour.toml";

/// Reason why lessons cannot be read: the file, the line if there is one, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The path of the file.
    pub file: String,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The fault in words.
    pub message: String,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}, line {line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

/// Contents of `tour.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    #[serde(default, rename = "part")]
    parts: Vec<Part>,
    #[serde(default, rename = "track")]
    tracks: Vec<Track>,
}

/// Reads a folder of lessons, given as texts by path (`05-by-hand/lesson.md`). Without a `tour.toml`, the tour has all lessons of the
/// folder, in the order of their names. A single lesson whose files are not in a subfolder is then read too.
///
/// # Errors
/// If a file is missing or malformed, or contradicts the index.
pub fn tour(files: &BTreeMap<String, String>) -> Result<Tour, Unread> {
    let Some(index) = files.get(INDEX) else {
        return loose(files);
    };
    let index: Index = parsed(INDEX, index, 0)?;
    let mut lessons = Vec::new();
    for part in &index.parts {
        for name in &part.lessons {
            let lesson = lesson(files, name, lessons.len() + 1)?;
            if lesson.front.part != part.title {
                let message = format!(
                    "the part is `{}`, but {INDEX} has it in `{}`",
                    lesson.front.part, part.title
                );
                return Err(unread(&path(name, TEXT), None, message));
            }
            lessons.push(lesson);
        }
    }
    let known = |name: &String| lessons.iter().any(|lesson| lesson.name == *name);
    for track in &index.tracks {
        if let Some(name) = track.lessons.iter().find(|name| !known(name)) {
            let message = format!("track `{}` has `{name}`, which is in no part", track.id);
            return Err(unread(INDEX, None, message));
        }
    }
    if let Some(name) = folders(files).into_iter().find(|name| !known(name)) {
        return Err(unread(INDEX, None, format!("`{name}` is in no part")));
    }
    Ok(Tour {
        parts: index.parts,
        tracks: index.tracks,
        lessons,
    })
}

/// Reads lessons without an index, in the order of their names.
fn loose(files: &BTreeMap<String, String>) -> Result<Tour, Unread> {
    let mut names = folders(files);
    if files.contains_key(TEXT) {
        names.insert(0, String::new());
    }
    if names.is_empty() {
        let message = format!("there is no lesson: neither {INDEX} nor a folder with {TEXT}");
        return Err(unread(INDEX, None, message));
    }
    let lessons = names.iter().enumerate();
    let lessons = lessons.map(|(at, name)| lesson(files, name, at + 1));
    Ok(Tour {
        lessons: lessons.collect::<Result<_, _>>()?,
        ..Tour::default()
    })
}

/// Folders that contain a lesson, sorted.
fn folders(files: &BTreeMap<String, String>) -> Vec<String> {
    let folders = files.keys().filter_map(|path| {
        let (folder, file) = path.split_once('/')?;
        (file == TEXT).then(|| folder.to_owned())
    });
    folders.collect()
}

/// Reads one lesson.
fn lesson(files: &BTreeMap<String, String>, name: &str, number: usize) -> Result<Lesson, Unread> {
    let place = path(name, TEXT);
    let Some(text) = files.get(&place) else {
        return Err(unread(&place, None, "the lesson is not there".to_owned()));
    };
    let (front, blocks): (Front, _) = written(&place, text)?;
    let folder = match name {
        "" => String::new(),
        name => format!("{name}/"),
    };
    let programs = files.iter().filter_map(|(path, text)| {
        let file = path.strip_prefix(&folder)?;
        let is_own = file.ends_with(".fletch") && !file.contains('/');
        is_own.then(|| (file.to_owned(), text.clone()))
    });
    let programs: BTreeMap<String, String> = programs.collect();
    let mut translations = BTreeMap::new();
    for (path, text) in files {
        let file = path.strip_prefix(&folder).filter(|file| *file != TEXT);
        let language = file.and_then(|file| file.strip_suffix(".md"));
        if let Some(language) = language.filter(|language| !language.contains('/')) {
            let (mut translation, blocks): (Translation, _) = written(path, text)?;
            translation.text = blocks;
            translations.insert(language.to_owned(), translation);
        }
    }
    let lesson = Lesson {
        places: crate::lesson::Places::default(),
        name: name.to_owned(),
        number,
        front,
        text: blocks,
        files: programs,
        translations,
    };
    let missing = lesson.named().into_iter();
    let mut missing = missing.filter(|file| !lesson.files.contains_key(*file));
    match missing.next() {
        Some(file) => Err(unread(&place, None, format!("{file} is not there"))),
        None => Ok(lesson),
    }
}

/// Parses a file of a lesson or translation into its front matter and the blocks of its text.
fn written<F: for<'de> Deserialize<'de>>(
    place: &str,
    text: &str,
) -> Result<(F, Vec<Block>), Unread> {
    let matter = text.strip_prefix("+++\n");
    let Some((front, body)) = matter.and_then(|text| text.split_once("\n+++\n")) else {
        let message = "a lesson begins with front matter between two lines of +++".to_owned();
        return Err(unread(place, Some(1), message));
    };
    let front: F = parsed(place, front, 1)?;
    // A fault counts its line from the start of the text, which follows the front matter and its two delimiters.
    let before = text.len() - body.len();
    let above = text.get(..before).unwrap_or("").lines().count();
    let blocks = markdown::parse(body)
        .map_err(|fault| unread(place, Some(above + fault.line), fault.message))?;
    Ok((front, blocks))
}

fn path(folder: &str, file: &str) -> String {
    match folder {
        "" => file.to_owned(),
        folder => format!("{folder}/{file}"),
    }
}

fn unread(file: &str, line: Option<usize>, message: String) -> Unread {
    Unread {
        file: file.to_owned(),
        line,
        message,
    }
}

/// Parses TOML that begins after `above` lines of its file. An error has its line in that file.
fn parsed<T: for<'de> Deserialize<'de>>(file: &str, text: &str, above: usize) -> Result<T, Unread> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map(|before| above + 1 + before.matches('\n').count());
        let message = error.message().lines().collect::<Vec<_>>().join(" ");
        unread(file, line, message)
    })
}

#[cfg(test)]
mod tests {
    use super::tour;
    use std::collections::BTreeMap;

    const LESSON: &str = "+++\ntitle = \"T\"\nclaim = \"C.\"\npart = \"P\"\nminutes = 1\nprogram = \"p.fletch\"\n+++\n\nText.\n";

    fn files(parts: &[(&str, &str)]) -> BTreeMap<String, String> {
        let owned = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
        parts.iter().map(owned).collect()
    }

    fn fault(parts: &[(&str, &str)]) -> String {
        tour(&files(parts)).unwrap_err().to_string()
    }

    #[test]
    fn lessons_are_in_the_order_of_the_index() {
        let index = "[[part]]\ntitle = \"P\"\nsays = \"S.\"\nlessons = [\"b\", \"a\"]\n";
        let read = tour(&files(&[
            ("tour.toml", index),
            ("a/lesson.md", LESSON),
            ("a/p.fletch", "main = ⌊1⌋\n"),
            ("b/lesson.md", LESSON),
            ("b/p.fletch", "main = ⌊2⌋\n"),
        ]))
        .unwrap();
        let names: Vec<(usize, &str)> = (read.lessons.iter())
            .map(|lesson| (lesson.number, lesson.name.as_str()))
            .collect();
        assert_eq!(names, [(1, "b"), (2, "a")]);
        assert_eq!(read.lesson("2").unwrap().program(), "main = ⌊1⌋\n");
    }

    #[test]
    fn a_lesson_alone_needs_no_index() {
        let read = tour(&files(&[
            ("lesson.md", LESSON),
            ("p.fletch", "main = ⌊1⌋\n"),
        ]));
        assert_eq!(read.unwrap().lessons.len(), 1);
    }

    #[test]
    fn faults_have_their_place() {
        assert_eq!(
            fault(&[("lesson.md", LESSON)]),
            "lesson.md: p.fletch is not there"
        );
        assert_eq!(
            fault(&[("lesson.md", "Text.")]),
            "lesson.md, line 1: a lesson begins with front matter between two lines of +++"
        );
        let unknown = LESSON.replace("minutes = 1", "minutes = 1\nmoments = 2");
        assert!(
            fault(&[("lesson.md", &unknown)])
                .starts_with("lesson.md, line 6: unknown field `moments`")
        );
        let html = LESSON.replace("Text.", "<b>Text.</b>");
        assert_eq!(
            fault(&[("lesson.md", &html)]),
            "lesson.md, line 9: there is no HTML in a lesson"
        );
        assert_eq!(
            fault(&[("notes.txt", "")]),
            "tour.toml: there is no lesson: neither tour.toml nor a folder with lesson.md"
        );
        let asked = LESSON.replace(
            "+++\n\n",
            "[[fact]]\nsays = \"1\"\nof = { value = 0, heap = \"a\" }\n+++\n\n",
        );
        assert!(
            fault(&[("lesson.md", &asked), ("p.fletch", "")])
                .contains("two things are asked at once")
        );
    }
}
