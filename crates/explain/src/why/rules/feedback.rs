//! The rules of feedbacks: delayed traces, which the paper leaves to future work.

use super::{F, F_ORD, F_RH, Form, H_ORD, H_REV, SHORTCUT, Stated, UNDER_RH, V_RH, Y_RH};

const FEEDBACK: &str = "not in the paper, which leaves delayed traces to future work";

pub(super) static RULES: &[Stated] = &[
    Stated {
        form: Form::Feedback,
        source: FEEDBACK,
        statement: &[
            "{F}[feedback[{n}](⟨{V}, W⟩)⟨{s}, {x}⟩. {P}]   where W = ⟨{W₁}, W₂, …⟩",
            "→ {F}[let ⟨s′, y⟩ ⇐ {P}[{V}/{s}, {W₁}/{x}] in",
            "     let ⟨s″, ys⟩ ⇐ feedback[{n} − 1](⟨s′, ⟨W₂, …⟩⟩)⟨{s}, {x}⟩. {P} in",
            "     ⌊⟨s″, y :: ys⟩⌋]",
        ],
        parts: &[
            F,
            ("n", "how many moments are left"),
            ("V", "the state"),
            ("W₁", "the input of this moment: the first row that is left"),
            ("s", "the name of the state"),
            ("x", "the name of the input"),
            ("P", "what a moment does"),
        ],
        words: "A feedback is the delayed trace that the paper leaves to future work. One moment runs on the state and on the first \
                row; then the others run from the state that it gave. The rows of the outputs are put together again: y :: ys \
                is the row y, then the rows ys.",
    },
    Stated {
        form: Form::FeedbackEnd,
        source: FEEDBACK,
        statement: &["{F}[feedback[0](⟨{V}, W⟩)⟨{s}, {x}⟩. {P}] → {F}[⌊⟨{V}, 0⟩⌋]"],
        parts: &[
            F,
            ("V", "the last state"),
            ("s", "the name of the state"),
            ("x", "the name of the input"),
            ("P", "what a moment does"),
        ],
        words: "No moment is left. The state is the last one, and there are no more rows.",
    },
    Stated {
        form: Form::RhFeedback,
        source: FEEDBACK,
        statement: &[
            "RH({V})⟨{ȳ}⟩. {F}[feedback[{n}]({yᵢ})⟨{s}, {x}⟩. {P}] with {H}",
            "= let ⟨{y}, {z′}⟩ ⇐ feedback[{n}]({Vᵢ})⟨{s}, {x}⟩. Pᶠ in",
            "  let ⟨{y′}, {ȳ′}⟩ ⇐ RH({y}, {V})⟨{y}, {ȳ}⟩. {F}[⌊{y}⌋] with {H} in",
            "  let {y″ᵢ} ⇐ feedback[{n}](⟨{y′}, {z′}⟩, last first)⟨{s}′, w⟩. Pᵇ in",
            "  ⌊⟨y′₁, …, y′ᵢ + {y″ᵢ}, …, y′ₘ⟩⌋   where {H} derives Pᶠ and Pᵇ from {P}",
        ],
        parts: &[
            V_RH,
            Y_RH,
            F_RH,
            ("n", "how many moments there are"),
            ("yᵢ", "the variable of the first state and the inputs"),
            ("s", "the name of the state"),
            ("x", "the name of the input"),
            ("P", "what a moment does"),
            H_REV,
            ("y", "a fresh name: the last state and the outputs"),
            ("z′", "a fresh name: the tape, a row for each moment"),
            ("Vᵢ", "the value of yᵢ"),
            (
                "y′",
                "a fresh name: the cotangents of the last state and of the outputs",
            ),
            ("ȳ′", "fresh names: the cotangents of ȳ, so far"),
            (
                "y″ᵢ",
                "a fresh name: the cotangents of the first state and of the inputs",
            ),
        ],
        words: "A feedback is handled as an operation is, with clauses that the handler derives: its own equations, used on one \
                moment, say what the moment does on the way forward, Pᶠ, and what goes back, Pᵇ. The forward loop keeps for each \
                moment what Pᵇ will need; the backward loop runs from the last moment to the first. This is backpropagation \
                through time.",
    },
    Stated {
        form: Form::RhFeedbackShort,
        source: SHORTCUT,
        statement: &[
            "RH({V})⟨{ȳ}⟩. {F}[feedback[{n}]({yᵢ})⟨{s}, {x}⟩. {P}] with {H}",
            "= let ⟨{y}, {z′}⟩ ⇐ feedback[{n}]({Vᵢ})⟨{s}, {x}⟩. Pᶠ in",
            "  let ⟨{y′}, {ȳ′}⟩ ⇐ RH({y}, V̄′)⟨{y}, ȳ without {ū}⟩. {F}[⌊{y}⌋] with {H} in",
            "  let {y″ᵢ} ⇐ feedback[{n}](⟨{y′}, {z′}⟩, last first)⟨{s}′, w⟩. Pᵇ in",
            "  ⌊⟨y′₁, …, y′ᵢ + {y″ᵢ}, …, y′ₘ⟩⌋   where y′ⱼ is 0 for those of {ū}, and 0 is not added",
        ],
        parts: &[
            V_RH,
            Y_RH,
            F_RH,
            ("n", "how many moments there are"),
            ("yᵢ", "the variable of the first state and the inputs"),
            ("s", "the name of the state"),
            ("x", "the name of the input"),
            ("P", "what a moment does"),
            ("Vᵢ", "the value of yᵢ"),
            H_REV,
            ("y", "a fresh name: the last state and the outputs"),
            ("z′", "a fresh name: the tape, a row for each moment"),
            (
                "y′",
                "a fresh name: the cotangents of the last state and of the outputs",
            ),
            (
                "ȳ′",
                "fresh names: the cotangents of the variables that the rest uses",
            ),
            (
                "y″ᵢ",
                "a fresh name: the cotangents of the first state and of the inputs",
            ),
            (
                "ū",
                "the variables that the rest does not use: nothing comes back for them",
            ),
        ],
        words: "A feedback is handled with derived clauses, but variables that the rest of the network does not use are not taken \
                along, so no cotangent comes back that is known to be zero. In the paper’s model both are the same arrow: the \
                reverse algebra is natural, and the derivative of forgetting a variable is zero (RD.3).",
    },
    Stated {
        form: Form::RhHandleFeedback,
        source: UNDER_RH,
        statement: &[
            "RH({V})⟨{ȳ}⟩. {F}[handle {F′}[feedback[{n}](⟨s, xs⟩)⟨{s}, {x}⟩. {P}] with {H′}] with {H}",
            "= RH({V})⟨{ȳ}⟩. {F}[handle {F′}[one moment, then feedback[{n} − 1]] with {H′}] with {H}",
        ],
        parts: &[
            V_RH,
            Y_RH,
            F_RH,
            F_ORD,
            ("n", "how many moments are left"),
            ("s", "the name of the state"),
            ("x", "the name of the input"),
            ("P", "what a moment does"),
            H_ORD,
            H_REV,
        ],
        words: "The clauses of an ordinary handler need not resume once and at their end, so what is left of the loop is a real \
                continuation: a moment is written out, and the handler meets what it performs.",
    },
    Stated {
        form: Form::Tape,
        source: "a limit of this page, not of the paper",
        statement: &[
            "RH(V)⟨ȳ⟩. F[feedback[n](y)⟨s, x⟩. P] with H has no step   where its tape has {N} numbers",
        ],
        parts: &[("N", "how many numbers the way back would need")],
        words: "What the way back of a feedback needs is kept for every moment, and all of it together has to fit in memory.",
    },
];
