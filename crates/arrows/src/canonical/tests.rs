//! Equations that canonical forms decide, and equations that they do not decide.

use crate::cases::{differ, equal};

#[test]
fn sums_are_a_commutative_monoid() {
    let over = "x : Real(1), y : Real(1) ⊢";
    equal(
        &format!("{over} ⌊x + (y + x)⌋"),
        &format!("{over} ⌊(x + x) + y⌋"),
    );
    equal(
        &format!("{over} ⌊zero[1] + (y + 0)⌋"),
        &format!("{over} ⌊y⌋"),
    );
    differ(&format!("{over} ⌊x + (y + x)⌋"), &format!("{over} ⌊x + y⌋"));
}

#[test]
fn what_closed_maps_come_to_is_one_constant() {
    let over = "x : Real(1) ⊢";
    equal(
        &format!("{over} ⌊hadamard[1](x, exp[1](0))⌋"),
        &format!("{over} ⌊hadamard[1](x, 1)⌋"),
    );
    equal(&format!("{over} ⌊(1 + x) + 2⌋"), &format!("{over} ⌊x + 3⌋"));
    equal(&format!("{over} ⌊x + sin[1](0)⌋"), &format!("{over} ⌊x⌋"));
    // Equations of open maps are not decided.
    differ(
        &format!("{over} ⌊hadamard[1](x, 1)⌋"),
        &format!("{over} ⌊x⌋"),
    );
}

#[test]
fn an_undefined_closed_map_is_no_constant_and_has_a_domain() {
    equal("⌊log[1](−1)⌋", "⌊log[1](−1)⌋");
    differ("⌊log[1](−1)⌋", "⌊log[1](−2)⌋");
    differ("let _ ⇐ ⌊log[1](−1)⌋ in ⌊1⌋", "⌊1⌋");
    equal("let _ ⇐ ⌊log[1](2)⌋ in ⌊1⌋", "⌊1⌋");
}

#[test]
fn minus_zero_is_zero() {
    equal("⌊[−0, 1]⌋", "⌊[0, 1]⌋");
    equal(
        "x : Real(1) ⊢ ⌊hadamard[1](x, −0)⌋",
        "x : Real(1) ⊢ ⌊hadamard[1](x, 0)⌋",
    );
    equal("x : Real(1) ⊢ ⌊x + −0⌋", "x : Real(1) ⊢ ⌊x⌋");
}

#[test]
fn a_derivative_is_additive_in_its_cotangent() {
    let over = "x : Real(1), y : Real(1), z : Real(1) ⊢";
    equal(
        &format!("{over} ⌊(y + z).rd(u. sin[1](u))(x)⌋"),
        &format!("{over} ⌊y.rd(u. sin[1](u))(x) + z.rd(u. sin[1](u))(x)⌋"),
    );
    equal(
        &format!("{over} ⌊(zero[1]).rd(u. sin[1](u))(x)⌋"),
        &format!("{over} ⌊0⌋"),
    );
    // Derivatives at different points stay apart.
    differ(
        &format!("{over} ⌊(y + z).rd(u. sin[1](u))(x)⌋"),
        &format!("{over} ⌊y.rd(u. sin[1](u))(x) + z.rd(u. sin[1](u))(y)⌋"),
    );
}

#[test]
fn at_a_known_point_the_known_part_of_a_cotangent_is_computed() {
    // rd[sin](0, 2 + y) = 2 · cos(0) + rd[sin](0, y)
    let over = "y : Real(1) ⊢";
    equal(
        &format!("{over} ⌊(y + 2).rd(u. sin[1](u))(0)⌋"),
        &format!("{over} ⌊2 + y.rd(u. sin[1](u))(0)⌋"),
    );
}

#[test]
fn the_domain_of_a_derivative_is_that_of_its_function() {
    let over = "x : Real(1), y : Real(1) ⊢";
    let derived = "y.rd(u. log[1](u))(x)";
    equal(
        &format!("{over} let _ ⇐ ⌊log[1](x)⌋ in ⌊{derived}⌋"),
        &format!("{over} ⌊{derived}⌋"),
    );
    differ(
        &format!("{over} let _ ⇐ ⌊log[1](y)⌋ in ⌊{derived}⌋"),
        &format!("{over} ⌊{derived}⌋"),
    );
}
