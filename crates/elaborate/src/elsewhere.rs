//! Functions of other systems (NumPy, JAX, PyTorch) that are no symbols here, each with what is written instead. A known name is no slip
//! of another one: nobody who writes `logsumexp` means `log`.

/// Names, in lower case, with the advice for them.
type Row = (&'static [&'static str], &'static str);

const FUNCTIONS: &[Row] = &[
    (&["logsumexp", "log_sum_exp"], "write `log(sum(exp(x)))`"),
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
    (&["gelu"], "nearly the same is `x ⊙ sigmoid(1.702 · x)`"),
    (
        &["elu", "selu", "celu", "mish"],
        "`relu`, `softplus` and `swish` are symbols",
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
        &["mm", "bmm", "mv", "einsum", "tensordot", "linear"],
        "the product of matrices is `A ∗ B`",
    ),
    (&["inner", "vdot"], "write `dot(x, y)`"),
    (&["outer"], "write `x ∗ yᵀ`"),
    (&["norm", "l2_norm"], "write `sqrt(dot(x, x))`"),
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
    (&["max_pool1d", "maxpool"], "write `maxpool1d`"),
    (&["avg_pool1d", "avgpool"], "write `avgpool1d`"),
    (
        &["vmap", "map", "pmap"],
        "`cols[f](x)` and `rows[f](x)` apply a symbol to each column or row",
    ),
    (
        &["grad", "vjp", "backward", "gradient", "value_and_grad"],
        "`M.rd(x. N)(L)` is a reverse derivative, and `rd[f]` that of a symbol",
    ),
    (
        &["floor", "ceil", "trunc"],
        "`round` is the only symbol for whole numbers",
    ),
    (
        &["cond", "select", "heaviside", "step"],
        "there are no truth values: `relu`, `max`, `min`, `clamp` and `sign` compare",
    ),
    (
        &["argmin", "argsort", "sort", "topk", "median", "quantile"],
        "no symbol puts entries in order; `max`, `min` and `softmax` compare them",
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
        &["cumsum"],
        "multiply by a matrix with ones on and below its diagonal",
    ),
    (
        &["argmax"],
        "`correct(logits, target)` is 1 where the largest entries are at the same place",
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
            "arctan", "atan", "atan2", "arctan2", "arcsin", "arccos", "asin", "acos", "erf",
            "prod", "sinc",
        ],
        "no symbol comes to it: `exp`, `log`, `sin`, `cos`, `tanh` and `pow` are there",
    ),
    (
        &["stop_gradient", "detach", "no_grad"],
        "what no gradient goes through is saved, or is an operation without a backward clause",
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
pub(crate) fn function(name: &str) -> Option<&'static str> {
    find(FUNCTIONS, name)
}

/// The advice for a generator of this name.
pub(crate) fn generator(name: &str) -> Option<&'static str> {
    find(GENERATORS, name)
}

fn find(rows: &[Row], name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let row = rows.iter().find(|(names, _)| names.contains(&&*name));
    row.map(|(_, instead)| *instead)
}

#[cfg(test)]
mod tests {
    use super::{FUNCTIONS, GENERATORS, function, generator};
    use std::collections::BTreeSet;

    #[test]
    fn a_name_is_found_in_any_case() {
        assert_eq!(function("LogSumExp"), Some("write `log(sum(exp(x)))`"));
        assert_eq!(generator("ones"), Some("write `constant(1)`"));
        assert_eq!(function("H_MLP"), None);
    }

    #[test]
    fn a_name_has_one_row() {
        for rows in [FUNCTIONS, GENERATORS] {
            let names: Vec<&str> = rows.iter().flat_map(|(names, _)| *names).copied().collect();
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        }
    }
}
