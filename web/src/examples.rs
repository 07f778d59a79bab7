//! The examples of the menu. To add one: write `examples/NAME.fletch` and give it a line here.

/// A program to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its file name.
    pub file: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What it shows, in a line.
    pub line: &'static str,
    /// The program.
    pub text: &'static str,
}

/// All of them, as the menu lists them; the first one greets a new reader.
pub const ALL: &[Example] = &[
    Example {
        file: "mlp.fletch",
        title: "Multilayer perceptron",
        line: "Two layers and one step of gradient descent: backpropagation as a handler.",
        text: include_str!("../../examples/mlp.fletch"),
    },
    Example {
        file: "resnet.fletch",
        title: "Residual network",
        line: "The input is used twice, so its two cotangents are added.",
        text: include_str!("../../examples/resnet.fletch"),
    },
    Example {
        file: "autoencoder.fletch",
        title: "Autoencoder",
        line: "One handler inside another: first what to do, then how to learn it.",
        text: include_str!("../../examples/autoencoder.fletch"),
    },
];

/// The example kept in this file, if any.
pub fn by_file(file: &str) -> Option<&'static Example> {
    ALL.iter().find(|example| example.file == file)
}
