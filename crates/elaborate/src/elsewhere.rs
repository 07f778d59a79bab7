//! Advice on names of other systems: functions (of NumPy, JAX, PyTorch) that are no symbols here, each with its notation in Fletch, and
//! words of other languages. A name listed here is not treated as a misspelling: nobody who writes `logit` means `log`.

use crate::faults::Help;
use fletch_syntax::foreign_word;

/// Names, in lower case, with the advice for them.
type Row = (&'static [&'static str], &'static str);

const FUNCTIONS: &[Row] = &[
    (&["log_sum_exp"], "write `logsumexp(x)`"),
    (&["log1p"], "write `log(1 + x)`"),
    (&["expm1"], "write `exp(x) − 1`"),
    (&["exp2"], "write `exp(0.6931471805599453 · x)`"),
    (&["log2"], "write `1.4426950408889634 · log(x)`"),
    (&["log10"], "write `0.4342944819032518 · log(x)`"),
    (&["ln"], "the natural logarithm is `log`"),
    (&["tan"], "write `sin(x) / cos(x)`"),
    (&["sinh"], "write `0.5 · (exp(x) − exp(−x))`"),
    (&["cosh"], "write `0.5 · (exp(x) + exp(−x))`"),
    (&["logit"], "write `log(p) − log(1 − p)`"),
    (&["logistic", "expit"], "the logistic function is `sigmoid`"),
    (&["silu"], "the same function is called `swish` here"),
    (&["relu6", "hardtanh"], "write `clamp(lo, hi, x)`"),
    (&["leaky_relu", "leakyrelu"], "write `max(0.01 · x, x)`"),
    (
        &["elu", "selu", "celu", "mish"],
        "`relu`, `softplus`, `swish` and `gelu` are symbols",
    ),
    (&["clip", "clip_by_value"], "write `clamp(lo, hi, x)`"),
    (&["maximum", "fmax"], "write `max(x, y)`, entry by entry"),
    (&["minimum", "fmin"], "write `min(x, y)`, entry by entry"),
    (&["power", "float_power"], "write `pow(x, p)`"),
    (&["sqr"], "write `square(x)`"),
    (&["rsqrt"], "write `recip(sqrt(x))`"),
    (&["reciprocal"], "write `recip(x)`"),
    (&["absolute", "fabs"], "write `abs(x)`"),
    (&["negative"], "write `−x`"),
    (&["add"], "write `x + y`"),
    (&["subtract", "sub"], "write `x − y`"),
    (
        &["multiply", "mul"],
        "write `x ⊙ y`, or `a · x` for a number `a`",
    ),
    (&["div", "true_divide"], "write `x / y`"),
    (
        &["mm", "bmm", "mv", "linear"],
        "the product of matrices is `A ∗ B`",
    ),
    (
        &["einsum", "tensordot"],
        "there are `∗` for matrices, `⊙` for entries, `dot` for vectors, and `rows[f]`, `cols[f]` for each row or column",
    ),
    (&["inner", "vdot"], "write `dot(x, y)`"),
    (&["outer"], "write `x ∗ yᵀ`"),
    (&["l2_norm"], "write `norm(x)`"),
    (&["amax"], "write `max_of(x)`"),
    (&["amin"], "write `min_of(x)`"),
    (&["average", "avg"], "write `mean(x)`"),
    (
        &["var", "variance"],
        "write `mean(square(x − broadcast(mean(x))))`",
    ),
    (
        &["std"],
        "write `sqrt(mean(square(x − broadcast(mean(x)))))`",
    ),
    (
        &["mse", "mse_loss", "l2_loss"],
        "write `half_sq(y − t)`, half the sum of the squares, or `mean(square(y − t))`",
    ),
    (&["l1_loss", "mae"], "write `mean(abs(y − t))`"),
    (
        &[
            "nll_loss",
            "crossentropy",
            "softmax_cross_entropy",
            "cross_entropy_loss",
        ],
        "write `cross_entropy(logits, target)`, the target one-hot",
    ),
    (
        &["bce", "bce_loss", "binary_cross_entropy", "bce_with_logits"],
        "write `sum(softplus(x) − t ⊙ x)` for logits `x`",
    ),
    (
        &["concatenate", "cat", "hstack", "vstack", "stack", "append"],
        "write `concat(x, y)`; a tuple is `⟨x, y⟩`",
    ),
    (
        &[
            "flatten",
            "ravel",
            "view",
            "squeeze",
            "unsqueeze",
            "expand_dims",
        ],
        "write `reshape[m, n](x)`",
    ),
    (&["pad"], "write `padding[c, n, m](x)`"),
    (
        &["repeat", "tile", "broadcast_to", "full_like"],
        "write `broadcast[n](x)`",
    ),
    (&["ones", "ones_like", "full"], "write `broadcast[n](1)`"),
    (&["zeros", "zeros_like"], "write `zero[n]`"),
    (
        &["arange", "linspace", "eye", "identity"],
        "write the numbers out: `[0, 1, 2]`",
    ),
    (
        &["len", "size", "shape", "numel"],
        "a size as a number is `count[n]()`",
    ),
    (&["max_pool1d"], "write `maxpool1d`"),
    (&["avg_pool1d"], "write `avgpool1d`"),
    (&["max_pool2d"], "write `maxpool2d`"),
    (&["avg_pool2d"], "write `avgpool2d`"),
    (&["maxpool"], "write `maxpool1d` or `maxpool2d`"),
    (&["avgpool"], "write `avgpool1d` or `avgpool2d`"),
    (
        &["vmap", "map", "pmap"],
        "`cols[f](x)` and `rows[f](x)` apply a function to each column or row",
    ),
    (
        &["grad", "vjp", "backward", "gradient", "value_and_grad"],
        "`M.rd(x. N)(L)` is a reverse derivative, and `rd[f]` that of a function",
    ),
    (
        &["floor", "ceil", "trunc"],
        "`round` is the only symbol for whole numbers",
    ),
    (
        &["greater", "lt", "gt", "heaviside", "step"],
        "`less(a, b)` is 1 where a < b, and `less(b, a)` where a > b",
    ),
    (
        &["argmin"],
        "`argmax(−x)` is the place of the smallest entry",
    ),
    (
        &["argsort", "sort", "topk", "median", "quantile"],
        "no symbol puts entries in order; `max_of`, `min_of` and `argmax` compare them",
    ),
    (
        &[
            "flip",
            "roll",
            "gather",
            "take",
            "index_select",
            "diag",
            "triu",
            "tril",
        ],
        "multiply by a matrix of zeros and ones; `slice[i, m](x)` takes neighbouring entries",
    ),
    (
        &["dropout"],
        "a run draws no numbers: let the data set bring a mask, and write `mask ⊙ x`",
    ),
    (
        &["layer_norm", "layernorm", "batch_norm", "batchnorm"],
        "declare it as a `fun`, with `mean`, `square` and `sqrt`",
    ),
    (
        &[
            "arctan", "atan", "atan2", "arctan2", "arcsin", "arccos", "asin", "acos", "prod",
            "sinc",
        ],
        "no symbol comes to it: `exp`, `log`, `sin`, `cos`, `tanh` and `pow` are there",
    ),
    (
        &["stop_gradient", "detach", "no_grad"],
        "what no gradient goes through is saved, or is an operation without a backward clause",
    ),
];

/// Words of other languages, with the notation that Fletch has instead.
const WORDS: &[Row] = &[
    (
        &["feedback"],
        "a feedback names its state and its input: `feedback[n](s₀, xs)⟨s, x⟩. P`",
    ),
    (
        &["random", "rand", "randn", "uniform", "normal", "sample"],
        "nothing is random in a run: draws are in the initial contents of locations, `loc e ∷ (n) = normal(1, seed: 1)`, and in data, `data d' = noise(d, n, seed: 1)`",
    ),
    (
        &["print", "println"],
        "nothing is printed in a run: the steps show every value, and `measure m on d as p = P` follows one through a training",
    ),
];

const GENERATORS: &[Row] = &[
    (
        &["xavier", "xavier_uniform", "glorot_uniform"],
        "write `glorot(seed: 1)`",
    ),
    (
        &["kaiming", "kaiming_normal", "he_normal"],
        "write `he(seed: 1)`",
    ),
    (&["randn", "gaussian"], "write `normal(1, seed: 1)`"),
    (&["rand", "random"], "write `uniform(0, 1, seed: 1)`"),
    (&["ones"], "write `constant(1)`"),
    (&["full", "fill"], "write `constant(c)`"),
];

/// The advice for a function of this name.
pub(crate) fn function(name: &str) -> Option<Help> {
    find(FUNCTIONS, name)
        .map(Help::Elsewhere)
        .or_else(|| word(name))
}

/// The advice for a name that is a word of other languages, in any syntactic position.
pub(crate) fn word(name: &str) -> Option<Help> {
    find(WORDS, name)
        .or_else(|| foreign_word(&name.to_ascii_lowercase()))
        .map(Help::Instead)
}

/// The advice for a generator of this name.
pub(crate) fn generator(name: &str) -> Option<&'static str> {
    find(GENERATORS, name)
}

fn find(rows: &[Row], name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let row = rows.iter().find(|(names, _)| names.contains(&&*name));
    row.map(|(_, instead)| *instead)
}

#[cfg(test)]
mod tests {
    use super::{FUNCTIONS, GENERATORS, WORDS, find, generator};
    use fletch_smooth::family;
    use std::collections::BTreeSet;

    #[test]
    fn a_name_is_found_in_any_case() {
        assert_eq!(find(FUNCTIONS, "Log_Sum_Exp"), Some("write `logsumexp(x)`"));
        assert_eq!(generator("ones"), Some("write `constant(1)`"));
        assert_eq!(find(FUNCTIONS, "H_MLP"), None);
    }

    #[test]
    fn a_name_has_one_row() {
        for rows in [[FUNCTIONS, WORDS].concat(), GENERATORS.to_vec()] {
            let names: Vec<&str> = rows.iter().flat_map(|(names, _)| *names).copied().collect();
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        }
    }

    #[test]
    fn a_function_symbol_has_no_row() {
        for (names, _) in [FUNCTIONS, WORDS].concat() {
            for name in names {
                assert!(family(name).is_none(), "{name}");
            }
        }
    }
}
