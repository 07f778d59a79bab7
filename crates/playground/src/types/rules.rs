//! The rules of Figs. typing-terms and typing-commands-handlers in their notation, each with a sentence that explains
//! it. The rules of ordinary handlers and of RH have the same form.

use super::derivation::Rule;
use fletch_calculus::typing::TypingRule;

/// A rule in the notation of the figures.
pub(super) fn rule(rule: TypingRule) -> Rule {
    let (premises, conclusion, says): (&[&str], &str, &str) = match rule {
        TypingRule::TermVariable => (
            &["x : A ∈ Γ"],
            "Γ ⊢ x : A",
            "A variable has the type that the environment gives it.",
        ),
        TypingRule::TermConstant => (
            &["c : β ∈ Σ"],
            "Γ ⊢ c : β",
            "A constant of n numbers has type Real(n).",
        ),
        TypingRule::TermFunction => (
            &["Γ ⊢ M : A", "f : A → B ∈ Σ"],
            "Γ ⊢ f(M) : B",
            "A function symbol takes an argument of its domain to its codomain.",
        ),
        TypingRule::TermPlus => (
            &["Γ ⊢ M₁ : A", "Γ ⊢ M₂ : A"],
            "Γ ⊢ M₁ + M₂ : A",
            "Both sides of a sum have the type of the sum.",
        ),
        TypingRule::TermTuple => (
            &["Γ ⊢ Mᵢ : Aᵢ  (1 ≤ i ≤ n)"],
            "Γ ⊢ ⟨M₁, …, Mₙ⟩ : A₁ × … × Aₙ",
            "A tuple has the product of the types of its parts.",
        ),
        TypingRule::TermProjection => (
            &["Γ ⊢ M : A₁ × … × Aₙ", "1 ≤ i ≤ n"],
            "Γ ⊢ M.i : Aᵢ",
            "A projection takes one part out of a tuple.",
        ),
        TypingRule::TermLet => (
            &["Γ ⊢ M : A", "Γ, x : A ⊢ N : B"],
            "Γ ⊢ let x ← M in N : B",
            "What comes after may use x at the type of M.",
        ),
        TypingRule::TermReverseDerivative => (
            &["Γ ⊢ M : B", "Γ, x : A ⊢ N : B", "Γ ⊢ L : A"],
            "Γ ⊢ M.rd(x. N)(L) : A",
            "The cotangent M has the type of N, the result; the point L and what comes out have the type of x.",
        ),
        TypingRule::CommandPure => (
            &["Γ, Δ ⊢ M : A"],
            "Γ; Δ ⊢ ⌊M⌋ : A",
            "A pure command returns its term.",
        ),
        TypingRule::CommandOperation => (
            &["Γ, Δ ⊢ M : A", "Op : A ▷ B ∈ Σ"],
            "Γ; Δ ⊢ Op(M) : B",
            "An operation takes an argument of type A and gives a result of type B, as it is declared.",
        ),
        TypingRule::CommandLet => (
            &["Γ; Δ ⊢ P : A", "Γ; x : A, Δ ⊢ Q : C"],
            "Γ; Δ ⊢ let x ⇐ P in Q : C",
            "What comes after may use x at the type of P's result.",
        ),
        TypingRule::CommandRevHandle => (
            &[
                "Γ, Δ ⊢ M : A₁ × … × Aₙ",
                "Γ; x₁ : A₁, …, xₙ : Aₙ ⊢ R : C",
                "⊢ʳ H : C",
            ],
            "Γ; Δ ⊢ rev handle(M)⟨x₁, …, xₙ⟩. R with H : A₁ × … × Aₙ",
            "The handler is for results of the handled command R. What comes out has the type of the input M: it is M's \
             cotangent.",
        ),
        TypingRule::CommandHandled => (
            &[
                "Γ, Δ ⊢ Vᵢ : Bᵢ",
                "Γ; y₁ : B₁, …, yₘ : Bₘ ⊢ R : C",
                "⊢ʳ H : C",
            ],
            "Γ; Δ ⊢ RH(V)⟨y₁, …, yₘ⟩. R with H : B₁ × … × Bₘ",
            "As a rev handle whose input is a value.",
        ),
        TypingRule::CommandHandle => (
            &["Γ; Δ ⊢ R : C", "⊢ H : C ⇒ D"],
            "Γ; Δ ⊢ handle R with H : D",
            "The handler takes results of type C to results of type D.",
        ),
        TypingRule::CommandResume => (
            &["Γ, Δ ⊢ M : B", "k : B ⇝ D ∈ Δ"],
            "Γ; Δ ⊢ k • M : D",
            "The continuation goes on with the result M of the operation, and gives what the handler gives.",
        ),
        TypingRule::CommandFeedback => (
            &["Γ, Δ ⊢ M : S × [n]X", "Γ; s : S, x : X ⊢ P : S × Y"],
            "Γ; Δ ⊢ feedback[n](M)⟨s, x⟩. P : S × [n]Y",
            "A moment takes the state and a row of the inputs, and gives the next state and a row of the outputs. [n]X has n rows of \
             X: [n]Real(k) is Real(n × k), row by row. Size and depth do not depend on n.",
        ),
        TypingRule::ReverseHandler => (
            &[
                "◇; x : C ⊢ P : C",
                "◇; x : A ⊢ Qᶠ : B × D",
                "◇; y : B, z : D ⊢ Qᵇ : A",
                "for each Op : A ▷ B",
            ],
            "⊢ʳ {x ↦ P} ∪ {Op (x ↦ Qᶠ | y, z ↦ Qᵇ)} : C",
            "The return clause gives the cotangent of a result. A forward clause gives the result of its operation and what is \
             saved; the backward clause takes the result's cotangent and what was saved, and gives the argument's cotangent.",
        ),
        TypingRule::Handler => (
            &[
                "◇; x : C ⊢ P : D",
                "◇; x : A, k : B ⇝ D ⊢ Q : D",
                "for each Op : A ▷ B",
            ],
            "⊢ {x ↦ P} ∪ {Op, k; x ↦ Q} : C ⇒ D",
            "A clause takes the argument of its operation and the continuation k, which waits for the result.",
        ),
    };
    Rule {
        name: rule.name().to_owned(),
        premises: premises.iter().copied().map(str::to_owned).collect(),
        conclusion: conclusion.to_owned(),
        says: says.to_owned(),
    }
}
