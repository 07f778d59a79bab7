//! Lessons as a page: text, program in colours, folded answers, hints and solutions, and diagrams. A document of its own needs no scripts
//! and no other file. The site puts the same contents into its frame.

use super::words::{ENGLISH, Words};
use crate::arrows;
use crate::highlight::{coloured, escaped};
use fletch_drawing::colours;
use fletch_link::Link;
use fletch_tour::{Answered, Block, Exercise, Inline, Lesson, Target, Tour};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;

/// The style sheet of the static pages, without the colours.
const STYLE: &str = include_str!("../../../../web/site/pages/pages.css");

/// A page: its contents, and the data of its head.
pub(super) struct Page {
    language: &'static str,
    title: String,
    description: String,
    html: String,
    /// The diagrams at the start of exercises, in SVG, by exercise id.
    pictures: BTreeMap<String, String>,
}

impl Page {
    /// The page of one lesson. `base` is the address of the site that links lead to; without it, links are reduced to their words.
    ///
    /// # Errors
    /// The fault of the lesson, if one of its answers or pictures cannot be computed.
    pub(super) fn of(
        tour: &Tour,
        lesson: &Rc<Lesson>,
        words: &Words,
        base: Option<&str>,
    ) -> Result<Page, String> {
        let front = &lesson.front;
        let writer = Writer {
            lesson,
            words,
            base,
            prefix: "",
        };
        let site = |path: &str, said: &str| match base {
            Some(base) => format!("<a href=\"{}{path}\">{said}</a>", escaped(base)),
            None => said.to_owned(),
        };
        let place = format!(
            "<p class=\"place\">{}, {} {} {} {}: {}. {} {} {}.</p>",
            site("tour/", words.tour),
            words.lesson,
            lesson.number,
            words.of,
            tour.lessons.len(),
            escaped(&front.part),
            words.about,
            front.minutes,
            words.minutes
        );
        let live = base.map(|_| {
            format!(
                "<p class=\"live\">{}: {}</p>\n",
                site(&format!("#tour={}", escaped(&lesson.name)), words.live),
                words.said_of_live
            )
        });
        let html = format!(
            "{place}\n<h1>{}</h1>\n{}{}",
            escaped(&front.title),
            live.unwrap_or_default(),
            writer.article()?
        );
        let with_picture = front.exercises.iter().filter(|of| of.picture.is_some());
        let pictures = with_picture.map(|of| Ok((of.id.clone(), writer.pictured(of)?)));
        Ok(Page {
            language: words.language,
            title: front.title.clone(),
            description: front.claim.clone(),
            html,
            pictures: pictures.collect::<Result<_, String>>()?,
        })
    }

    /// The page with all lessons.
    ///
    /// # Errors
    /// As for [`Page::of`].
    pub(super) fn of_all(tour: &Tour, base: Option<&str>) -> Result<Page, String> {
        let mut html = "<h1>The whole tour</h1>".to_owned();
        for lesson in &tour.lessons {
            let lesson = Rc::new(lesson.clone());
            let prefix = format!("{}-", lesson.name);
            let writer = Writer {
                lesson: &lesson,
                words: ENGLISH,
                base,
                prefix: &prefix,
            };
            let article = writer.article()?;
            let (name, title) = (escaped(&lesson.name), escaped(&lesson.front.title));
            let number = lesson.number;
            html += &format!(
                "\n<article id=\"{name}\"><h1>{number}. {title}</h1>\n{article}</article>"
            );
        }
        Ok(Page {
            language: ENGLISH.language,
            title: "The whole tour".to_owned(),
            description: format!("All {} lessons of the tour of Fletch.", tour.lessons.len()),
            html,
            pictures: BTreeMap::new(),
        })
    }

    /// A document that needs no other file.
    pub(super) fn document(&self) -> String {
        format!(
            "<!doctype html>
<html lang=\"{}\">
<head>
<meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"light dark\">
<title>{} · Fletch</title>
<meta name=\"description\" content=\"{}\">
<style>
{}</style>
</head>
<body>
<main>
{}
</main>
</body>
</html>",
            self.language,
            escaped(&self.title),
            escaped(&self.description),
            style(),
            self.html
        )
    }

    /// The components of the page as JSON, for a site with a frame of its own.
    pub(super) fn parts(&self) -> Json {
        json!({
            "title": self.title,
            "description": self.description,
            "html": self.html,
            "pictures": self.pictures,
            "style": style(),
        })
    }
}

fn style() -> String {
    format!("{}{STYLE}", colours::style_sheet())
}

/// A writer of the HTML elements of a lesson.
struct Writer<'l> {
    lesson: &'l Rc<Lesson>,
    words: &'l Words,
    base: Option<&'l str>,
    /// Prefix of all anchors, so that they are unique on a page with several lessons.
    prefix: &'l str,
}

impl<'l> Writer<'l> {
    /// The HTML of the lesson, without its title.
    fn article(&self) -> Result<String, String> {
        let front = &self.lesson.front;
        let program = self.lesson.program();
        let of = front.show.of.as_deref().unwrap_or("main");
        // A program with intended errors may have no diagram.
        let drawn = arrows::svg(program, of).map(|svg| self.picture(&svg, of));
        let mut parts = Vec::new();
        let mut exercise = None;
        for block in &self.lesson.text {
            match block {
                Block::Paragraph(pieces) => parts.push(format!("<p>{}</p>", self.inline(pieces))),
                Block::List(items) => {
                    let items = items.iter();
                    let items = items.map(|item| format!("<li>{}</li>\n", self.inline(item)));
                    parts.push(format!("<ul>{}</ul>", items.collect::<String>()));
                }
                Block::Code(code) => parts.push(format!(
                    "<pre tabindex=\"0\"><code>{}</code></pre>",
                    escaped(code)
                )),
                Block::Predict(number, question) => parts.push(self.prediction(*number, question)?),
                Block::Exercise(title) => {
                    self.finish(exercise, &mut parts)?;
                    let mut exercises = front.exercises.iter();
                    let found = exercises.find(|exercise| exercise.title == *title);
                    let found = found.ok_or_else(|| format!("no exercise is called `{title}`"))?;
                    parts.push(format!(
                        "<h2 id=\"{}exercise-{}\">{}: {}</h2>",
                        self.prefix,
                        escaped(&found.id),
                        self.words.exercise,
                        escaped(title)
                    ));
                    exercise = Some(found);
                }
            }
        }
        self.finish(exercise, &mut parts)?;
        Ok(format!(
            "<p class=\"claim\">{}</p>\n<div class=\"lesson\"><aside aria-label=\"{} {}\">{}\n{}{}</aside>\n<div>{}</div></div>",
            self.said(&front.claim)?,
            self.words.program_of,
            self.lesson.number,
            preformatted(program),
            self.live(program, self.words.open),
            drawn.unwrap_or_default(),
            parts.join("\n")
        ))
    }

    /// A prediction with its computed answer, which is folded at first.
    fn prediction(&self, number: usize, question: &[Inline]) -> Result<String, String> {
        let answered = super::answered(self.lesson, number)?;
        let predictions = &self.lesson.front.predictions;
        let prediction = number.checked_sub(1).and_then(|at| predictions.get(at));
        let mut choices = String::new();
        for choice in prediction.map_or(&[][..], |prediction| &prediction.choices) {
            let _ = writeln!(choices, "<li>{}</li>", self.said(&choice.says)?);
        }
        if !choices.is_empty() {
            choices = format!("<ol>{choices}</ol>\n");
        }
        Ok(format!(
            "<div class=\"predict\" id=\"{}predict-{number}\"><p><strong>{}</strong> {}</p>\n{choices}{}</div>",
            self.prefix,
            self.words.predict,
            self.inline(question),
            folded(self.words.answer, &self.answer(&answered)?)
        ))
    }

    fn answer(&self, answered: &Answered) -> Result<String, String> {
        Ok(format!(
            "<p><strong>{}</strong></p>\n<p>{}</p>",
            self.said(&answered.text())?,
            self.said(answered.because())?
        ))
    }

    /// Adds the end of an exercise: its diagram, the program that it starts from, its hints and its solution.
    fn finish(&self, exercise: Option<&Exercise>, parts: &mut Vec<String>) -> Result<(), String> {
        let Some(exercise) = exercise else {
            return Ok(());
        };
        if let Some(of) = &exercise.picture {
            parts.push(self.picture(&self.pictured(exercise)?, &of.of));
        }
        let start = self.file(&exercise.start)?;
        parts.push(preformatted(start));
        parts.push(self.live(start, self.words.begin));
        for (at, hint) in exercise.hints.iter().enumerate() {
            let hint = format!("<p>{}</p>", self.said(hint)?);
            parts.push(folded(&format!("{} {}", self.words.hint, at + 1), &hint));
        }
        let solution = preformatted(self.file(&exercise.solution)?);
        let solution = format!("{solution}\n<p>{}</p>", self.said(&exercise.done)?);
        parts.push(folded(self.words.solution, &solution));
        Ok(())
    }

    /// The diagram of an exercise in SVG.
    fn pictured(&self, exercise: &Exercise) -> Result<String, String> {
        let svg = arrows::pictured(self.lesson, exercise);
        svg.ok_or_else(|| format!("the exercise `{}` has no picture", exercise.id))
    }

    /// A figure with a diagram that is embedded in the page.
    fn picture(&self, svg: &str, of: &str) -> String {
        let (said, of) = (self.words.diagram_of, escaped(of));
        format!(
            "<figure><img src=\"{}\" alt=\"{said} {of}\"><figcaption>{said} <code>{of}</code></figcaption></figure>",
            data_uri(svg)
        )
    }

    fn file(&self, name: &str) -> Result<&'l str, String> {
        let file = self.lesson.file(name);
        file.ok_or_else(|| format!("{name} is not there"))
    }

    /// A link that opens a program on the live page; empty without `base`.
    fn live(&self, program: &str, said: &str) -> String {
        let Some(base) = self.base else {
            return String::new();
        };
        let link = Link {
            source: program.to_owned(),
            ..Link::default()
        };
        let (base, link) = (escaped(base), link.fragment());
        format!("<p class=\"live\"><a href=\"{base}#{link}\">{said}</a></p>\n")
    }

    /// A sentence of the front matter.
    fn said(&self, sentence: &str) -> Result<String, String> {
        fletch_tour::words(sentence)
            .map(|pieces| self.inline(&pieces))
            .map_err(|fault| format!("{fault}: {sentence}"))
    }

    /// Inline pieces as HTML elements.
    fn inline(&self, pieces: &[Inline]) -> String {
        let piece = |piece: &Inline| match piece {
            Inline::Text(text) => escaped(text),
            Inline::Code(code) => format!("<code>{}</code>", escaped(code)),
            Inline::Emphasis(inner) => format!("<em>{}</em>", self.inline(inner)),
            Inline::Strong(inner) => format!("<strong>{}</strong>", self.inline(inner)),
            Inline::Link(target, inner) => {
                let said = self.inline(inner);
                let path = match target {
                    Target::Page(path) => Some(escaped(path.trim_start_matches('/'))),
                    Target::Code(code) => Some(format!("errors/{}.html", escaped(code))),
                    // Only the live page has steps and tabs; here these links are reduced to their words.
                    Target::Step(_) | Target::View(_) => None,
                };
                match (self.base, path) {
                    (Some(base), Some(path)) => {
                        format!("<a href=\"{}{path}\">{said}</a>", escaped(base))
                    }
                    _ => said,
                }
            }
        };
        pieces.iter().map(piece).collect()
    }
}

fn folded(summary: &str, body: &str) -> String {
    format!("<details><summary>{summary}</summary>\n{body}\n</details>")
}

/// A program in colours. Keys can scroll it if it is wider than the page.
fn preformatted(program: &str) -> String {
    format!(
        "<pre tabindex=\"0\"><code>{}</code></pre>",
        coloured(program)
    )
}

/// An SVG file as a `data:` address. Characters that would end an attribute or an address, or that a browser drops, are encoded.
fn data_uri(svg: &str) -> String {
    let mut address = "data:image/svg+xml,".to_owned();
    for letter in svg.trim_end().chars() {
        match letter {
            '%' | '#' | '"' | '&' | '<' | '>' | '\n' => {
                let _ = write!(address, "%{:02X}", u32::from(letter));
            }
            other => address.push(other),
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::data_uri;

    #[test]
    fn an_address_holds_a_picture() {
        assert_eq!(
            data_uri("<a b=\"#1 'x'\"/>\n<c>α & 5%</c>\n"),
            "data:image/svg+xml,%3Ca b=%22%231 'x'%22/%3E%0A%3Cc%3Eα %26 5%25%3C/c%3E"
        );
    }
}
