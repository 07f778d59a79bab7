//! Functions of one number, entry by entry, with all their derivatives.

use super::{Call, Helpers};
use crate::code::{Code, Level, literal};

pub(crate) fn written(call: &Call<'_>, helpers: &mut Helpers) -> Option<Code> {
    let ([x], [order, 0]) = (call.arguments, call.orders) else {
        return None;
    };
    let mapped = |function: &str| x.mapped(function);
    let negative =
        |function: &str| Code::of(Level::Unary, format!("-{function}({})", x.text()), &x.shape);
    let product = |text: String| Code::of(Level::Product, text, &x.shape);
    let sum = |text: String| Code::of(Level::Sum, text, &x.shape);
    let atom = x.at(Level::Atom);
    Some(match (call.name, order) {
        ("exp", _) => mapped("jnp.exp"),
        ("log", _) => mapped("jnp.log"),
        ("recip", _) => {
            let power = match order {
                0 => x.at(Level::Unary),
                order => format!("{atom}**{}", order + 1),
            };
            product(format!("{} / {power}", literal(falling(-1.0, order))))
        }
        ("sqrt", 0) => mapped("jnp.sqrt"),
        ("sqrt", _) => {
            let c = literal(falling(0.5, order));
            product(format!("{c} * jnp.sqrt({}) / {atom}**{order}", x.text()))
        }
        ("sin", 0) | ("cos", 3) => mapped("jnp.sin"),
        ("sin", 1) | ("cos", 0) => mapped("jnp.cos"),
        ("sin", 2) | ("cos", 1) => negative("jnp.sin"),
        ("sin" | "cos", _) => negative("jnp.cos"),
        ("tanh", 0) => mapped("jnp.tanh"),
        // tanh x = 2σ(2x) − 1, so tanh⁽ᵏ⁾(x) = 2ᵏ⁺¹ σ⁽ᵏ⁾(2x).
        ("tanh", _) => {
            helpers.insert("sigmoid_slope");
            let c = (0..=order).fold(1.0, |c, _| 2.0 * c);
            let twice = format!("2 * {}", x.at(Level::Unary));
            product(format!("{} * sigmoid_slope({order}, {twice})", literal(c)))
        }
        ("sigmoid", 0) => {
            helpers.insert("sigmoid");
            mapped("sigmoid")
        }
        ("sigmoid", _) => {
            helpers.insert("sigmoid_slope");
            Code::atom(format!("sigmoid_slope({order}, {})", x.text()), &x.shape)
        }
        ("swish", 0) => {
            helpers.insert("sigmoid");
            product(format!("{} * sigmoid({})", x.at(Level::Product), x.text()))
        }
        // (x·σ)⁽ᵏ⁾ = x·σ⁽ᵏ⁾ + k·σ⁽ᵏ⁻¹⁾, by Leibniz.
        ("swish", _) => {
            helpers.insert("sigmoid_slope");
            let outer = format!(
                "{} * sigmoid_slope({order}, {})",
                x.at(Level::Product),
                x.text()
            );
            let inner = match order {
                1 => {
                    helpers.insert("sigmoid");
                    format!("sigmoid({})", x.text())
                }
                order => format!("{order} * sigmoid_slope({}, {})", order - 1, x.text()),
            };
            sum(format!("{outer} + {inner}"))
        }
        ("gelu", 0) => Code::atom(
            format!("jax.nn.gelu({}, approximate=False)", x.text()),
            &x.shape,
        ),
        ("gelu", _) => {
            helpers.insert("gelu_slope");
            Code::atom(format!("gelu_slope({order}, {})", x.text()), &x.shape)
        }
        ("erf", 0) => mapped("jax.scipy.special.erf"),
        ("erf", _) => {
            helpers.insert("erf_slope");
            Code::atom(format!("erf_slope({order}, {})", x.text()), &x.shape)
        }
        ("softplus", _) => {
            helpers.insert("softplus");
            mapped("softplus")
        }
        ("relu", 0) => Code::atom(format!("jnp.maximum({}, 0.0)", x.text()), &x.shape),
        ("relu", _) => {
            let positive = format!("{} > 0", x.at(Level::Sum));
            Code::atom(format!("jnp.where({positive}, 1.0, 0.0)"), &x.shape)
        }
        ("abs", 0) => mapped("jnp.abs"),
        ("abs" | "sign", _) => mapped("jnp.sign"),
        ("square", 0) => Code::of(Level::Unary, format!("{atom}**2"), &x.shape),
        ("square", 1) => product(format!("2.0 * {}", x.at(Level::Unary))),
        ("square", _) => Code::atom(format!("jnp.full_like({}, 2.0)", x.text()), &x.shape),
        ("round", _) => {
            let away = "jax.lax.RoundingMethod.AWAY_FROM_ZERO";
            Code::atom(format!("jax.lax.round({}, {away})", x.text()), &x.shape)
        }
        _ => return None,
    })
}

/// The falling factorial a(a−1)⋯(a−k+1).
fn falling(a: f64, k: usize) -> f64 {
    (0..k).fold(1.0, |product, i| product * (a - i as f64))
}
