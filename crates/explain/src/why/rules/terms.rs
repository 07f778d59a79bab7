//! The rules of terms, and the equations by which a reverse derivative is computed.

use super::{Form, N, SHORTCUT, Stated, TERMS, W};

const X_RD: (&str, &str) = ("x", "the variable along which is differentiated");
const V_RD: (&str, &str) = ("V", "the point");

pub(super) static RULES: &[Stated] = &[
    Stated {
        form: Form::Eval,
        source: TERMS,
        statement: &["{f}({V}) → {W}   where {W} = Eval({f}, {V})"],
        parts: &[
            ("f", "the function symbol"),
            ("V", "its argument, a value"),
            ("W", "what the function gives"),
        ],
        words: "A function symbol is computed as soon as its argument is a value. Function symbols are the pure part of a \
                network: each comes with its reverse derivative rd[f], which is a function symbol too and is computed in \
                the same way.",
    },
    Stated {
        form: Form::Add,
        source: TERMS,
        statement: &["{V} + {W} → {U}   where {U} = {V} + {W}, entry by entry"],
        parts: &[
            ("V", "the first value"),
            ("W", "the second value"),
            ("U", "their sum"),
        ],
        words: "Where a value is used twice, its gradient is the sum over both uses: that is what + is for. The paper adds \
                vectors only; handlers inside handlers also add tuples, so here + goes component by component.",
    },
    Stated {
        form: Form::Proj,
        source: TERMS,
        statement: &["⟨{V₁}, …, {Vₙ}⟩.{i} → {Vᵢ}"],
        parts: &[
            ("V₁", "the first component"),
            ("Vₙ", "the last component"),
            ("i", "the component asked for"),
            ("Vᵢ", "that component"),
        ],
        words: "A component of a tuple is taken out once the tuple is a value. The paper writes projᵢ(M) for M.i; a pattern \
                let ⟨x, y⟩ ⇐ … abbreviates a let and one such step for each name.",
    },
    Stated {
        form: Form::Let,
        source: TERMS,
        statement: &["let {x} ← {V} in {M} → {M}[{V}/{x}]"],
        parts: &[
            ("x", "the variable"),
            ("V", "its value"),
            ("M", "the rest of the term"),
        ],
        words: "The value takes the place of the variable wherever it is used. This let is the one of pure terms; most of \
                them are made by the equations of reverse derivatives, where they name what is needed twice.",
    },
    Stated {
        form: Form::RdVariable,
        source: "Definition 5.4 and Fig. 4, case of the variable",
        statement: &[
            "{W}.rd({x}. {N})({V}) → {W}.R({x}. {N})({V})",
            "{W}.R({x}. {x})({V}) = {W}",
        ],
        parts: &[W, X_RD, N, V_RD],
        words: "The derivative of x along x is 1, so the cotangent comes back as it is.",
    },
    Stated {
        form: Form::RdConstant,
        source: "Definition 5.4 and Fig. 4, cases of another variable and of a constant",
        statement: &[
            "{W}.rd({x}. {N})({V}) → {W}.R({x}. {N})({V})",
            "{W}.R({x}. {N})({V}) = 0   where {N} is a constant or a variable other than {x}",
        ],
        parts: &[W, X_RD, N, V_RD],
        words: "What does not depend on x has derivative zero along x: nothing comes back, whatever the cotangent. The zero \
                is of the type of x; the paper's figure prints it at the type of the result.",
    },
    Stated {
        form: Form::RdApply,
        source: "Definition 5.4 and Fig. 4, case of a function symbol",
        statement: &[
            "{W}.rd({x}. {N})({V}) → {W}.R({x}. {N})({V})",
            "{W}.R({x}. {f}({M}))({V}) =",
            "  let {x} ← {V} in",
            "  let y ← rd[{f}](⟨{M}, {W}⟩) in",
            "  y.R({x}. {M})({V})",
        ],
        parts: &[
            W,
            X_RD,
            N,
            V_RD,
            ("f", "the outermost function"),
            ("M", "its argument"),
        ],
        words: "This is the chain rule, from the outside in. The reverse derivative of the outermost function turns the \
                cotangent of its result into the cotangent y of its argument, at the point where the argument is; then \
                the argument is treated in the same way, with y as its cotangent.",
    },
    Stated {
        form: Form::RdAdd,
        source: "Definition 5.4; the equation for + is missing in Fig. 4",
        statement: &[
            "{W}.rd({x}. {N})({V}) → {W}.R({x}. {N})({V})",
            "{W}.R({x}. {M₁} + {M₂})({V}) = {W}.R({x}. {M₁})({V}) + {W}.R({x}. {M₂})({V})",
        ],
        parts: &[
            W,
            X_RD,
            N,
            V_RD,
            ("M₁", "the first summand"),
            ("M₂", "the second summand"),
        ],
        words: "Both summands count for the sum as much as the sum counts itself, so each gets the whole cotangent, and what \
                comes back from the two adds up. The paper's figure has no equation for +, which residual networks need; \
                this is the one meant.",
    },
    Stated {
        form: Form::RdTuple,
        source: "Definition 5.4 and Fig. 4, case of a tuple",
        statement: &[
            "{W}.rd({x}. {N})({V}) → {W}.R({x}. {N})({V})",
            "{W}.R({x}. ⟨{M₁}, …, {Mₙ}⟩)({V}) =",
            "  let ⟨y₁, …, yₙ⟩ ← {W} in",
            "  y₁.R({x}. {M₁})({V}) + … + yₙ.R({x}. {Mₙ})({V})",
        ],
        parts: &[
            W,
            X_RD,
            N,
            V_RD,
            ("M₁", "the first component"),
            ("Mₙ", "the last component"),
        ],
        words: "The cotangent of a tuple is a tuple of cotangents, one for each component. Each component sends its share \
                back to x, and the shares add up.",
    },
    Stated {
        form: Form::RdProject,
        source: "Definition 5.4 and Fig. 4, case of a projection",
        statement: &[
            "{W}.rd({x}. {N})({V}) → {W}.R({x}. {N})({V})",
            "{W}.R({x}. {M}.{i})({V}) =",
            "  let {x} ← {V} in let y ← {M} in",
            "  ⟨0, …, {W}, …, 0⟩.R({x}. {M})({V})",
        ],
        parts: &[W, X_RD, N, V_RD, ("M", "the tuple"), ("i", "the component")],
        words: "Only one component of the tuple is used, so only that one has a cotangent: W stands at place i, and zeros \
                at the others. The zeros are of the types of their components, which the paper leaves open.",
    },
    Stated {
        form: Form::RdLet,
        source: "Definition 5.4 and Fig. 4, case of let",
        statement: &[
            "{W}.rd({x}. {N})({V}) → {W}.R({x}. {N})({V})",
            "{W}.R({x}. let {y} ← {M} in {L})({V}) =",
            "  let {x} ← {V} in let {y} ← {M} in",
            "  {W}.R({x}. {L})({V}) + let y′ ← {W}.R({y}. {L})({y}) in y′.R({x}. {M})({V})",
        ],
        parts: &[
            W,
            X_RD,
            N,
            V_RD,
            ("y", "the variable that the let binds"),
            ("M", "what it is bound to"),
            ("L", "the rest, where it is used"),
        ],
        words: "The result depends on x in two ways: directly, and through y. The direct share is the first summand; for the \
                other, the cotangent y′ of y is found first and then sent back through what y was bound to. This is the \
                chain rule for a value that has a name.",
    },
    Stated {
        form: Form::RdRd,
        source: "Definition 5.4 and Fig. 4, case of rd",
        statement: &[
            "{W}.rd({x}. {N})({V}) → {W}.R({x}. {N})({V})",
            "{W}.R({x}. {M}.rd({y}. {K})({L}))({V}) =",
            "  {W}.R({x}. let z ← {M} in let w ← {L} in z.R({y}. {K})(w))({V})",
        ],
        parts: &[
            W,
            X_RD,
            N,
            V_RD,
            ("M", "the cotangent of the inner derivative"),
            ("y", "the variable of the inner derivative"),
            ("K", "the term that the inner derivative is of"),
            ("L", "the point of the inner derivative"),
        ],
        words: "A derivative of a derivative: the inner one is written out first, with names for its cotangent and its point, \
                and what it becomes is an ordinary term that can be differentiated like any other.",
    },
    Stated {
        form: Form::RdZero,
        source: SHORTCUT,
        statement: &[
            "{W}.rd({x}. {N})({V}) → 0",
            "  where {x} does not occur in {N}, and {N} is defined everywhere",
        ],
        parts: &[W, X_RD, N, V_RD],
        words: "What does not depend on x has derivative zero along x. The paper says so of variables and constants alone, \
                and goes through any other term to the same end; in its model, where a derivative is a reverse derivative \
                RD, both are the same arrow (RD.3 and RD.5). A term that may be undefined is gone through: to leave it out \
                would forget where the run has to stop.",
    },
    Stated {
        form: Form::RdShort,
        source: SHORTCUT,
        statement: &[
            "{W}.rd({x}. {N})({V}) → {W}.R({x}. {N})({V})",
            "  where W.R(x. N)(V) = 0 for every part N in which x does not occur, and 0 is not added",
        ],
        parts: &[W, X_RD, N, V_RD],
        words: "The derivative is written out as the paper has it, but for the parts of the term that do not depend on x: \
                these would come to zero in the end, and zero is not added to what the other parts send back. In the \
                paper’s model both are the same arrow (RD.1, RD.3, RD.4 and RD.5). Parts that may be undefined are gone \
                through all the same.",
    },
];
