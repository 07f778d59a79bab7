//! The examples of the menu. To add one: write `examples/NAME.fletch` and give it a line here. The site has
//! them as files; only the first one is part of the program, so that the page opens without waiting.

/// A program to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its file name.
    pub file: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What it shows, in a line.
    pub line: &'static str,
}

/// Examples that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// What they have in common.
    pub title: &'static str,
    /// The examples, as the menu lists them.
    pub examples: &'static [Example],
}

/// The text of the first one, which greets a new reader.
pub const FIRST: &str = include_str!("../../examples/mlp.fletch");

/// All of them, as the menu lists them.
pub const GROUPS: &[Group] = &[Group {
    title: "The paper",
    examples: &[
        Example {
            file: "mlp.fletch",
            title: "Multilayer perceptron",
            line: "Two layers and one step of gradient descent: backpropagation as a handler.",
        },
        Example {
            file: "resnet.fletch",
            title: "Residual network",
            line: "The input is used twice, so its two cotangents are added.",
        },
        Example {
            file: "autoencoder.fletch",
            title: "Autoencoder",
            line: "One handler inside another: first what to do, then how to learn it.",
        },
    ],
}];

/// All examples in the menu's order; an example's number is its place here.
pub fn all() -> impl Iterator<Item = &'static Example> {
    GROUPS.iter().flat_map(|group| group.examples)
}

/// The number of the example kept in this file, if there is one.
pub fn number(file: &str) -> Option<usize> {
    all().position(|example| example.file == file)
}

#[cfg(test)]
mod tests {
    use super::{FIRST, all};
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn the_menu_lists_every_example_once() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
        let files: BTreeSet<String> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".fletch"))
            .collect();
        let listed: Vec<&str> = all().map(|example| example.file).collect();
        let once: BTreeSet<String> = listed.iter().map(|&file| file.to_owned()).collect();
        assert_eq!(listed.len(), once.len(), "an example is listed twice");
        assert_eq!(once, files);
        let first = std::fs::read_to_string(folder.join(listed[0])).unwrap();
        assert_eq!(first, FIRST, "the first one is the one that is embedded");
    }

    #[test]
    fn every_example_says_what_it_is() {
        for example in all() {
            assert!(
                (3..=44).contains(&example.title.chars().count()),
                "{}",
                example.title
            );
            assert!(
                (10..=110).contains(&example.line.chars().count()),
                "{}",
                example.line
            );
            assert!(example.line.ends_with('.'), "{}", example.line);
        }
    }
}
