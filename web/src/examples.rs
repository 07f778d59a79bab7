//! The examples of the menu. To add one, write `examples/NAME.fletch` and add an entry here. The site serves the
//! examples as files. Only the first one is part of the program, so that the page opens without waiting.

/// An example program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// File name of the example.
    pub file: &'static str,
    /// Title of the example, in a few words.
    pub title: &'static str,
    /// Summary of the example, in one line.
    pub line: &'static str,
}

/// A group of related examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Title of the group, its common subject.
    pub title: &'static str,
    /// The examples, in the order of the menu.
    pub examples: &'static [Example],
}

/// Text of the first example, which a new reader sees.
pub const FIRST: &str = include_str!("../../examples/mlp.fletch");

/// All examples by groups, in the order of the menu.
pub const GROUPS: &[Group] = &[
    Group {
        title: "The paper",
        examples: &[
            Example {
                file: "mlp.fletch",
                title: "Multilayer perceptron",
                line: "Two layers and one step of gradient descent: backpropagation as a handler.",
            },
            Example {
                file: "mlp_inference.fletch",
                title: "Inference by an ordinary handler",
                line: "The same network run forward only: the continuation is called once, and nothing comes back.",
            },
            Example {
                file: "resnet.fletch",
                title: "Residual block",
                line: "The input is used twice, so its two cotangents are added.",
            },
            Example {
                file: "autoencoder.fletch",
                title: "Autoencoder",
                line: "One handler inside another: first what to do, then how to learn it.",
            },
            Example {
                file: "autoencoder_inference.fletch",
                title: "Autoencoder, inference",
                line: "A backward clause that is no derivative: it decodes.",
            },
            Example {
                file: "deep_autoencoder.fletch",
                title: "Deep autoencoder",
                line: "Two pairs of an encoder and a decoder, taken apart like a sandwich.",
            },
            Example {
                file: "cnn.fletch",
                title: "Convolutional network",
                line: "Convolution and pooling: two more clauses, by their reverse derivatives.",
            },
            Example {
                file: "unet_training.fletch",
                title: "U-net, training",
                line: "The outer handler differentiates what the inner one does.",
            },
            Example {
                file: "unet_inference.fletch",
                title: "U-net, inference",
                line: "Only the way down is written; the way up is its handler.",
            },
            Example {
                file: "ste.fletch",
                title: "Straight-through estimator",
                line: "A layer rounds, and still learns: its backward clause is not its derivative.",
            },
        ],
    },
    Group {
        title: "Optimisers as handlers",
        examples: &[
            Example {
                file: "momentum.fletch",
                title: "Momentum",
                line: "Another optimiser is another handler; its velocities are a family of locations.",
            },
            Example {
                file: "adam.fletch",
                title: "Adam",
                line: "Each weight has a step size of its own: one clause and three functions.",
            },
            Example {
                file: "sgd_and_adam.fletch",
                title: "Two optimisers, side by side",
                line: "Gradient descent and Adam on one network, each with a heap of its own.",
            },
            Example {
                file: "weight_decay.fletch",
                title: "Weight decay",
                line: "An ordinary handler for Put, around any optimiser.",
            },
            Example {
                file: "put_momentum.fletch",
                title: "Momentum, around any optimiser",
                line: "An ordinary handler for Put adds velocities to a handler that knows nothing of them.",
            },
            Example {
                file: "minibatch.fletch",
                title: "Minibatches",
                line: "A matrix of columns runs through the network at once.",
            },
            Example {
                file: "clip_entries.fletch",
                title: "Clipping, entry by entry",
                line: "No entry of a gradient counts for more than c.",
            },
            Example {
                file: "clip_norm.fletch",
                title: "Clipping, layer by layer",
                line: "A gradient that is longer than c is shortened to c.",
            },
            Example {
                file: "clip_global_norm.fletch",
                title: "Clipping by the norm of all gradients",
                line: "Two passes: the network is handled twice.",
            },
            Example {
                file: "frozen_layer.fletch",
                title: "A frozen layer",
                line: "One clause more keeps one layer from learning.",
            },
        ],
    },
    Group {
        title: "Networks",
        examples: &[
            Example {
                file: "bias_relu.fletch",
                title: "Biases and ReLU",
                line: "A dense layer reads two locations; the bias learns from the cotangent itself.",
            },
            Example {
                file: "residual_blocks.fletch",
                title: "Three residual blocks",
                line: "A block repeated by iterate, each time with weights of its own.",
            },
            Example {
                file: "lossless_pyramid.fletch",
                title: "A lossless pyramid",
                line: "What the way out loses the way back adds again, weighed by gains that are learned.",
            },
            Example {
                file: "recurrent.fletch",
                title: "Recurrent network",
                line: "The same weights at every moment: backpropagation through time.",
            },
            Example {
                file: "elman.fletch",
                title: "Elman network",
                line: "A feedback with outputs: one loop forward, one backward, however long.",
            },
            Example {
                file: "linear_system.fletch",
                title: "Linear system",
                line: "A feedback whose first state is learned like a weight.",
            },
            Example {
                file: "gru.fletch",
                title: "Two gated layers",
                line: "Each layer decides at every moment how much of its state stays.",
            },
            Example {
                file: "truncated.fletch",
                title: "Truncated backpropagation through time",
                line: "What goes back through time is up to a handler: all of it, a clipped part, or nothing.",
            },
            Example {
                file: "read_once.fletch",
                title: "Weights that are read once",
                line: "One gradient for all of time, whatever the optimiser does with it.",
            },
            Example {
                file: "attention.fletch",
                title: "Attention",
                line: "Every token looks at all the others; only its three projections learn.",
            },
            Example {
                file: "softmax_glyphs.fletch",
                title: "A network that reads digits",
                line: "Softmax and cross-entropy, whose well-known derivative nobody writes down.",
            },
            Example {
                file: "two_heads.fletch",
                title: "Two heads",
                line: "Two outputs with a loss of their own, and a pair of cotangents.",
            },
            Example {
                file: "two_inputs.fletch",
                title: "Two inputs",
                line: "A network handled with two variables gives a cotangent for each.",
            },
        ],
    },
    Group {
        title: "Things to learn",
        examples: &[
            Example {
                file: "circles.fletch",
                title: "Two circles",
                line: "Which circle is a point on? The loss is known to the return clause alone.",
            },
            Example {
                file: "spirals.fletch",
                title: "Two spirals",
                line: "Two hidden layers with biases, and momentum for both kinds of location.",
            },
            Example {
                file: "sine.fletch",
                title: "A sine",
                line: "A curve through noisy points, measured against the curve behind them.",
            },
        ],
    },
    Group {
        title: "Things to know",
        examples: &[
            Example {
                file: "refactoring.fletch",
                title: "Refactoring: equal arrows",
                line: "Four ways to write a network; three are one arrow, and the tab Compare finds them.",
            },
            Example {
                file: "fused.fletch",
                title: "Fusing and recomputing",
                line: "Three ways to train a layer and its activation; the tab Compare proves them one arrow.",
            },
            Example {
                file: "ordinary_backprop.fletch",
                title: "Backpropagation by an ordinary handler",
                line: "A continuation returns what comes back, as long as every layer is 1 × 1.",
            },
            Example {
                file: "shared_last_put.fletch",
                title: "Shared weights: the last Put wins",
                line: "A location used twice loses what was learned first.",
            },
            Example {
                file: "shared_get.fletch",
                title: "Shared weights: a handler for Get",
                line: "Gradient descent that adds up what comes back to each use.",
            },
        ],
    },
    Group {
        title: "A course",
        examples: &[
            Example {
                file: "gelu.fletch",
                title: "A network with GELU",
                line: "A smooth activation is a term: no clause, and its cotangent by the rules.",
            },
            Example {
                file: "transformer.fletch",
                title: "A block of a transformer",
                line: "Layer norm and attention as functions of one token and one sequence, in minibatches.",
            },
            Example {
                file: "vae.fletch",
                title: "A variational autoencoder",
                line: "The draw is data, so the reparametrisation needs no rule of its own.",
            },
            Example {
                file: "lora.fletch",
                title: "LoRA",
                line: "A layer that stays as it is, and a thin correction that is learnt.",
            },
            Example {
                file: "maml.fletch",
                title: "Learning to learn",
                line: "A step of gradient descent inside a term, differentiated once more.",
            },
        ],
    },
];

/// All examples in the order of the menu; the number of an example is its index here.
pub fn all() -> impl Iterator<Item = &'static Example> {
    GROUPS.iter().flat_map(|group| group.examples)
}

/// Number of the example with this file name.
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
