//! Meanings of the words and signs of the language, of its generators and of their arguments: the texts of a hover that is not on a name of
//! the program.

use fletch_smooth::operator;
use fletch_syntax::spellings;

/// Meaning of a token.
pub(super) struct Meaning {
    /// `keyword`, `sign`, `generator`, `argument`.
    pub(super) kind: &'static str,
    /// The syntax around the token. `note` has facts about it.
    pub(super) form: String,
    pub(super) note: String,
}

/// Words and signs, each with its syntax and its meaning.
const MEANINGS: [(&str, &str, &str); 57] = [
    (
        "dim",
        "dim n = 2",
        "Declares a size, which is computed once, before anything runs.",
    ),
    (
        "loc",
        "loc ℓ ∷ (n, m) = glorot(seed: 1)",
        "Declares a location of the heap: its shape, and what it holds at first. `(n, m)` is for a matrix of m rows and n columns.",
    ),
    (
        "op",
        "op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)",
        "Declares an operation: what it takes, and what it gives back. What it does is said by handlers.",
    ),
    (
        "fun",
        "fun f(x : A) : B = M",
        "Declares a function: a term with parameters, which replaces its calls before the run.",
    ),
    (
        "command",
        "command R(x : A) : B = P",
        "Declares a command with parameters, which replaces its calls before the run.",
    ),
    (
        "handler",
        "handler H(…) : C { … }",
        "Declares a handler: a return clause, and what each operation does. With `: C` it is a reverse one, for `rev handle`; with `: C ⇒ D` an ordinary one, for `handle`.",
    ),
    (
        "data",
        "data D = [M, …]",
        "Declares samples, to train or measure on.",
    ),
    (
        "train",
        "train D as p for n epochs = P",
        "Runs P once for each sample and epoch, in order and on one heap.",
    ),
    (
        "measure",
        "measure m on D as p = P",
        "The mean of P over the samples; the heap stays as it was.",
    ),
    (
        "predict",
        "predict p(x : A) = P",
        "Names a command that draws outputs over inputs.",
    ),
    ("main", "main = P", "The command that is run, step by step."),
    (
        "let",
        "let x ⇐ P in Q",
        "Names what P returns and goes on with Q. With `←` it names the value of a term.",
    ),
    (
        "in",
        "let x ⇐ P in Q",
        "What follows uses the name that this `let` binds.",
    ),
    (
        "rev",
        "rev handle(M)⟨x⟩. P with H",
        "Runs P with x for M under the reverse handler H: forward through the operations of P, then backward through their backward clauses. It gives what is sent back to M.",
    ),
    (
        "handle",
        "handle P with H",
        "Runs P; each operation that P performs is treated by its clause in the ordinary handler H.",
    ),
    (
        "with",
        "… with H",
        "Names the handler that treats the operations of the command before it.",
    ),
    (
        "as",
        "… as ⟨v, t⟩",
        "Names the parts of a sample. The names stand for numbers.",
    ),
    (
        "for",
        "train … for n epochs",
        "How many times the samples are gone through.",
    ),
    (
        "epochs",
        "train … for n epochs",
        "An epoch goes through all samples once.",
    ),
    (
        "on",
        "measure m on D as p = P",
        "The data set that is measured on.",
    ),
    (
        "by",
        "train D by b as …",
        "Takes b samples at a time; each name is then a matrix with a column for each of them.",
    ),
    (
        "extends",
        "handler H : C extends G { … }",
        "The clauses of G come after those of H: the first that fits is taken.",
    ),
    (
        "iterate",
        "iterate[i : n](M)⟨x⟩. P",
        "Does P n times: x is M at first, then what the round before returned; i counts from 0.",
    ),
    (
        "feedback",
        "feedback[n](s₀, xs)⟨s, x⟩. P",
        "Does P once for each of the n rows x of xs: s is s₀ at first, then the state that the moment before gave. With outputs P gives ⟨s', y⟩.",
    ),
    (
        "Real",
        "Real(n)",
        "The type of vectors of n real numbers; `Real(m × n)` is that of m × n matrices, `Real(1)` that of numbers.",
    ),
    (
        "rd",
        "rd[f](x, y)",
        "The reverse derivative of the function symbol f: the cotangent y, pulled back at the point x. Of a term it is `M.rd(x. N)(L)`.",
    ),
    ("zero", "zero[n]", "The vector of n zeros."),
    (
        "pure",
        "⌊M⌋",
        "The command that does nothing but return the value of M, also written `pure(M)`.",
    ),
    (
        "ceil",
        "⌈a/b⌉",
        "The size a/b, rounded up, also written `ceil(a/b)`.",
    ),
    (
        "csv",
        "csv(\"name\")",
        "Samples from a file, filled column by column.",
    ),
    (
        "⇐",
        "let x ⇐ P in Q",
        "Binds x to what the command P returns, also written `<=`. For a term the arrow is `←`.",
    ),
    (
        "←",
        "let x ← M in N",
        "Binds x to the value of the term M, also written `<-`. For a command the arrow is `⇐`.",
    ),
    (
        "⌊",
        "⌊M⌋",
        "The command that does nothing but return the value of M, also written `pure(M)`.",
    ),
    (
        "⌋",
        "⌊M⌋",
        "The command that does nothing but return the value of M, also written `pure(M)`.",
    ),
    (
        "⟨",
        "⟨M, N⟩",
        "A tuple, also written `<M, N>`. In a pattern it takes one apart; after `rev handle(M)` it names the input.",
    ),
    (
        "⟩",
        "⟨M, N⟩",
        "A tuple, also written `<M, N>`. In a pattern it takes one apart; after `rev handle(M)` it names the input.",
    ),
    (
        "⌈",
        "⌈a/b⌉",
        "The size a/b, rounded up, also written `ceil(a/b)`.",
    ),
    (
        "⌉",
        "⌈a/b⌉",
        "The size a/b, rounded up, also written `ceil(a/b)`.",
    ),
    (
        "↦",
        "x ↦ P",
        "A side of a clause, also written `|->`: what is received, and the command that runs then.",
    ),
    (
        "▷",
        "op O : A ▷ B",
        "The operation takes an A and gives back a B, also written `|>`.",
    ),
    (
        "⇒",
        "handler H : C ⇒ D",
        "An ordinary handler: of commands that return a C it makes ones that return a D. Also written `=>`.",
    ),
    (
        "×",
        "A × B",
        "The type of pairs of an A and a B, also written `*`; in `Real(m × n)` the shape of a matrix.",
    ),
    (
        "∷",
        "ℓ ∷ (n, m)",
        "The location ℓ holds a matrix of m rows and n columns, also written `::`.",
    ),
    (
        "•",
        "k • M",
        "Resumes the continuation k with the value of M, also written `@`.",
    ),
    (
        ":",
        "x : A",
        "x has the type A. In the arguments of a generator it names one.",
    ),
    ("=", "name = …", "What the name stands for."),
    (
        "|",
        "Op[…] ( x ↦ P | y, z ↦ Q )",
        "Between the two sides of a reverse clause: P runs forward and saves something, Q runs backward with the cotangent y and what was saved, z.",
    ),
    (
        ";",
        "Op[…], k; x ↦ P",
        "In an ordinary clause: k is the continuation, x the argument of the operation.",
    ),
    (
        ".",
        "M.1",
        "A component of a tuple, counted from 1. In `rev handle(M)⟨x⟩. P` the command follows it.",
    ),
    ("_", "_", "A value that is not used."),
    ("+", "M + N", "The sum, entry by entry. Both have one type."),
    (
        "∗",
        "M ∗ N",
        "The matrix product, also written `*`; a vector is a column. In sizes it multiplies.",
    ),
    (
        "·",
        "M · N",
        "A number times a vector or matrix, also written `.*`.",
    ),
    (
        "⊙",
        "M ⊙ N",
        "The product entry by entry, also written `**`.",
    ),
    ("/", "M / N", "The quotient entry by entry."),
    (
        "−",
        "M − N",
        "The difference entry by entry, also written `-`; before a term, each entry with the other sign.",
    ),
    (
        "ᵀ",
        "Mᵀ",
        "The transpose, also written `^T`; of a vector it is a row.",
    ),
];

/// The arguments of generators, each with its syntax and its meaning.
const ARGUMENTS: [(&str, &str, &str); 9] = [
    (
        "seed",
        "seed: 1",
        "Where the random numbers start: the same seed gives the same numbers everywhere.",
    ),
    (
        "noise",
        "noise: 0.1",
        "The standard deviation of the noise that is added to each entry.",
    ),
    ("n", "n: 200", "How many samples."),
    ("classes", "classes: 3", "How many classes."),
    ("length", "length: 64", "How many entries a signal has."),
    ("lo", "lo: −1", "The least entry."),
    ("hi", "hi: 1", "What the entries stay below."),
    ("std", "std: 0.1", "The standard deviation."),
    ("c", "c: 1", "Every entry."),
];

/// Generators, each with its syntax and its meaning.
const GENERATORS: [(&str, &str, &str); 23] = [
    ("zeros", "zeros", "Zeros everywhere."),
    ("constant", "constant(c)", "The number c everywhere."),
    (
        "uniform",
        "uniform(lo, hi, seed)",
        "Each entry is drawn between lo and hi, all equally likely.",
    ),
    (
        "normal",
        "normal(std, seed)",
        "Each entry is drawn from the normal distribution around 0 with standard deviation std.",
    ),
    (
        "glorot",
        "glorot(seed)",
        "Each entry is drawn between ∓√(6/(fan_in + fan_out)), all equally likely, so that neither values nor cotangents grow from layer to layer (Glorot and Bengio 2010).",
    ),
    (
        "he",
        "he(seed)",
        "Each entry is drawn from the normal distribution around 0 with standard deviation √(2/fan_in), for layers before a `relu` (He et al. 2015).",
    ),
    (
        "xor",
        "xor : Real(2) × Real(1)",
        "The four rows of the truth table of exclusive or.",
    ),
    (
        "circles",
        "circles(n: 200, noise: 0.1, seed: 1) : Real(2) × Real(1)",
        "Points on one of two circles around 0; the target, 0 or 1, says on which.",
    ),
    (
        "moons",
        "moons(n: 200, noise: 0.1, seed: 1) : Real(2) × Real(1)",
        "Points on one of two half circles that reach into each other; the target, 0 or 1, says on which.",
    ),
    (
        "spirals",
        "spirals(n: 200, noise: 0.1, seed: 1) : Real(2) × Real(1)",
        "Points on one of two spirals; the target, 0 or 1, says on which.",
    ),
    (
        "quadrants",
        "quadrants(n: 200, noise: 0.1, seed: 1) : Real(2) × Real(1)",
        "Points of a square around 0, an exclusive or of signs; the target is 1 where one entry is below 0 and the other is not.",
    ),
    (
        "blobs",
        "blobs(n: 200, classes: 3, noise: 0.1, seed: 1) : Real(2) × Real(classes)",
        "Points around as many centres as there are classes; the target has a 1 for the class.",
    ),
    (
        "sine",
        "sine(n: 200, noise: 0.1, seed: 1) : Real(1) × Real(1)",
        "x between −1 and 1, and sin(πx).",
    ),
    (
        "hills",
        "hills(n: 200, noise: 0.1, seed: 1) : Real(2) × Real(1)",
        "Points of a square around 0, and the height there, sin(πx) · sin(πy): two hills and two dales.",
    ),
    (
        "glyphs",
        "glyphs(n: 200, noise: 0.1, seed: 1) : Real(64) × Real(10)",
        "Images of digits, 8 × 8; the target has a 1 for the digit.",
    ),
    (
        "blips",
        "blips(length: 64, n: 200, noise: 0.1, seed: 1) : Real(length) × Real(length)",
        "A signal of two bumps with noise, and without.",
    ),
    (
        "adding",
        "adding(length: 4, n: 200, seed: 1) : Real(2 * length) × Real(1)",
        "Sequences of numbers, each with a mark, which is 1 for two of them; the target is the sum of those two.",
    ),
    (
        "shuffle",
        "shuffle(d, seed: s)",
        "The samples of d in another order, the same for the same seed.",
    ),
    ("take", "take(d, n)", "The first n samples of d."),
    (
        "drop",
        "drop(d, n)",
        "The samples of d but for the first n: with `take`, the rest of a split.",
    ),
    ("join", "join(d, e)", "The samples of d, then those of e."),
    (
        "standardise",
        "standardise(d)",
        "The entries of the first component with mean 0 and variance 1 over d; 0 where they are constant.",
    ),
    (
        "noise",
        "noise(d, n, seed: s)",
        "The samples of d with one more component, n draws from the standard normal distribution.",
    ),
];

/// The meaning of a word or sign, in either spelling.
pub(super) fn meaning(text: &str) -> Option<Meaning> {
    let mut spelled = spellings().iter();
    let written = spelled
        .find(|(ascii, _)| *ascii == text)
        .map_or(text, |(_, unicode)| unicode);
    let word = written.starts_with(|first: char| first.is_ascii_alphabetic());
    let mut meaning = entry(if word { "keyword" } else { "sign" }, &MEANINGS, written)?;
    // An operator also shows its function symbol, with the symbol's type.
    if let Some(family) = [2, 1]
        .into_iter()
        .find_map(|arity| operator(written, arity))
    {
        let indices = family.indices.join(", ");
        let indices = if indices.is_empty() {
            indices
        } else {
            format!("[{indices}]")
        };
        meaning.form += &format!("\n{}{indices} : {}", family.name, family.signature);
    }
    Some(meaning)
}

/// The meaning of a generator of initial contents or samples.
pub(super) fn generator(name: &str) -> Option<Meaning> {
    entry("generator", &GENERATORS, name)
}

/// The meaning of an argument of a generator.
pub(super) fn argument(name: &str) -> Option<Meaning> {
    entry("argument", &ARGUMENTS, name)
}

fn entry(kind: &'static str, table: &[(&str, &str, &str)], text: &str) -> Option<Meaning> {
    let (_, form, note) = table.iter().find(|(word, ..)| *word == text)?;
    Some(Meaning {
        kind,
        form: (*form).to_owned(),
        note: (*note).to_owned(),
    })
}
