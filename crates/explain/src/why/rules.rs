//! The rules as the paper has them: one entry for every form that a step can take.
//!
//! In a statement, `{…}` is a metavariable. Two notations differ from the paper's, so that a rule looks like the
//! states it is used on: RH(V)⟨ȳ⟩. R with H is 𝓡𝓗 with V above and H below, and W.R(x. N)(V) is W.𝓡 with V below.
//! The words of a rule say if it repairs the paper.

mod feedback;
mod terms;

/// The form of a step: its rule, and for a rule with several equations, which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    Eval,
    Add,
    Proj,
    Let,
    RdVariable,
    RdConstant,
    RdApply,
    RdAdd,
    RdTuple,
    RdProject,
    RdLet,
    RdRd,
    /// A derivative that a shortcut takes for 0.
    RdZero,
    /// A derivative that a shortcut writes out without terms that are 0.
    RdShort,
    Bind,
    RevHandle,
    HandleRet,
    HandleOp,
    HandleOpOutside,
    Get,
    Put,
    RhRet,
    RhLet,
    RhOp,
    RhOpDefault,
    RhOpShort,
    RhHandle,
    RhHandleTuple,
    RhTerm,
    RhTermShort,
    /// A moment of a feedback.
    Feedback,
    /// A feedback without a moment left.
    FeedbackEnd,
    /// A feedback under RH, with derived clauses.
    RhFeedback,
    RhFeedbackShort,
    /// An ordinary handler under RH: its return.
    RhHandleRet,
    /// An ordinary handler under RH: an operation with a clause.
    RhHandleOp,
    /// An ordinary handler under RH: an operation without a clause.
    RhHandleOpOutside,
    /// An ordinary handler under RH: a pure term at the head of its command.
    RhHandleTerm,
    /// An ordinary handler under RH: a feedback.
    RhHandleFeedback,
    /// No rule: a function symbol outside of its domain.
    Undefined,
    /// No rule: an operation without a handler.
    Unhandled,
    /// No rule: a derivative that is too large.
    TooLarge,
    /// No rule: a tape that is too long.
    Tape,
}

/// A rule in one of its forms.
pub(super) struct Stated {
    pub(super) form: Form,
    /// Source in the paper.
    pub(super) source: &'static str,
    /// Lines of the rule; leading spaces indent.
    pub(super) statement: &'static [&'static str],
    /// Metavariables with the role of each.
    pub(super) parts: &'static [(&'static str, &'static str)],
    /// Justification.
    pub(super) words: &'static str,
}

/// All rules.
pub(super) fn all() -> impl Iterator<Item = &'static Stated> {
    terms::RULES.iter().chain(RULES).chain(feedback::RULES)
}

/// The rule of a form.
pub(super) fn stated(form: Form) -> Option<&'static Stated> {
    all().find(|stated| stated.form == form)
}

const TERMS: &str = "Definition 5.4, small-step reduction of terms";
const OVERVIEW: &str = "§2.2.1, ordinary handlers";
const UNDER_RH: &str = "not in the paper, which has no ordinary handler under a reverse one";

const SHORTCUT: &str = "a shortcut, no rule of the paper: an equation of its model";

const W: (&str, &str) = ("W", "the cotangent that comes back");
const N: (&str, &str) = ("N", "the term that is differentiated");
const F: (&str, &str) = ("F", "the command around it, which waits");
const H_REV: (&str, &str) = ("H", "the reverse handler");
const V_RH: (&str, &str) = ("V", "the values V₁, …, Vₘ of the variables ȳ");
const Y_RH: (&str, &str) = ("ȳ", "the variables y₁, …, yₘ: everything computed so far");
const F_RH: (&str, &str) = ("F", "the rest of the network around it");
const H_ORD: (&str, &str) = ("H′", "the ordinary handler");
const F_ORD: (&str, &str) = ("F′", "what is around it inside the ordinary handler");

/// The forms of commands and handlers, each once.
const RULES: &[Stated] = &[
    Stated {
        form: Form::Bind,
        source: "Definition 5.10, second rule",
        statement: &["{F}[let {x} ⇐ ⌊{V}⌋ in {R}] → {F}[{R}[{V}/{x}]]"],
        parts: &[
            F,
            ("x", "the variable"),
            ("V", "the value that the command before came to"),
            ("R", "the rest of the command"),
        ],
        words: "⌊V⌋ is a command that is done, with result V. The let was waiting for it: V takes the place of x in the \
                rest, and the rest goes on. Effects happen in the order of the lets, one after the other.",
    },
    Stated {
        form: Form::RevHandle,
        source: "Definition 5.10, third rule",
        statement: &[
            "{F}[rev handle({V})⟨{x̄}⟩. {R} with {H}]",
            "→ {F}[RH({V})⟨{x̄}⟩. {R} with {H}]",
        ],
        parts: &[
            F,
            ("V", "the input"),
            ("x̄", "the variables that the input is bound to"),
            ("R", "the network"),
            H_REV,
        ],
        words: "Once the input is a value, the network can run under its handler. RH is what the handler makes of the \
                network: it runs each operation forward, goes on with the rest, and sends the cotangent back. It is \
                written out one operation at a time, when its turn comes; the paper defines it all at once, and the \
                result is the same.",
    },
    Stated {
        form: Form::HandleRet,
        source: OVERVIEW,
        statement: &[
            "{F}[handle ⌊{V}⌋ with {H}] → {F}[{P}[{V}/{x}]]",
            "  where the return clause of {H} is {x} ↦ {P}",
        ],
        parts: &[
            F,
            ("V", "what the handled command returns"),
            ("H", "the ordinary handler"),
            ("x", "the variable of the return clause"),
            ("P", "the return clause"),
        ],
        words: "The handled command is done, and the handler has the last word: its return clause says what becomes of the \
                result. The paper uses ordinary handlers to run a network without learning; it takes them from Sanada \
                (2024) and gives no rule, so this one is theirs.",
    },
    Stated {
        form: Form::HandleOp,
        source: OVERVIEW,
        statement: &[
            "{F}[handle {F′}[{Op}({V})] with {H}]",
            "→ {F}[{Q}[{V}/{x}, (y. handle {F′}[⌊y⌋] with {H})/{k}]]",
            "  where the clause of {H} is {Op}, {k}; {x} ↦ {Q}",
        ],
        parts: &[
            F,
            (
                "F′",
                "the rest of the handled command, which becomes the continuation",
            ),
            ("Op", "the operation"),
            ("V", "its argument"),
            ("H", "the ordinary handler"),
            ("Q", "the clause"),
            ("x", "the clause's name of the argument"),
            ("k", "the clause's name of the continuation"),
        ],
        words: "An operation has no behaviour of its own: the handler around it says what it does. Its clause gets the \
                argument, and the rest of the handled command as a continuation k that it may run with a result, once, \
                often or never. The handler stays around the continuation.",
    },
    Stated {
        form: Form::HandleOpOutside,
        source: OVERVIEW,
        statement: &[
            "{F}[handle {F′}[{Op}({V})] with {H}]",
            "→ {F}[let y ⇐ {Op}({V}) in handle {F′}[⌊y⌋] with {H}]",
            "  where {H} has no clause for {Op}",
        ],
        parts: &[
            F,
            ("F′", "the rest of the handled command"),
            ("Op", "the operation"),
            ("V", "its argument"),
            ("H", "the ordinary handler"),
        ],
        words: "The handler has nothing to say about this operation, so it goes further out, to the next handler or to the \
                heap. When its result comes back, the handled command goes on under the handler.",
    },
    Stated {
        form: Form::Get,
        source: "Example 5.12, heap rules",
        statement: &["({hp}, {F}[Get[{ℓ}]()]) → ({hp}, {F}[⌊{v}⌋])   where {v} = {hp}({ℓ})"],
        parts: &[
            ("hp", "the heap"),
            F,
            ("ℓ", "the location"),
            ("v", "what the heap holds there"),
        ],
        words: "The heap keeps the weights. No handler treats Get, so the heap answers it: the contents of the location are \
                the result, and the heap stays as it is.",
    },
    Stated {
        form: Form::Put,
        source: "Example 5.12, heap rules",
        statement: &["({hp}, {F}[Put[{ℓ}]({v})]) → ({hp}[{ℓ} ↦ {v}], {F}[⌊0⌋])"],
        parts: &[
            ("hp", "the heap before"),
            F,
            ("ℓ", "the location"),
            ("v", "the new contents"),
        ],
        words: "The heap takes new contents at one location and keeps the rest; this is where a network learns. The result \
                carries nothing: it is the empty vector. A backward clause may write while values computed from the old \
                weights are still in use, since these were saved.",
    },
    Stated {
        form: Form::RhRet,
        source: "Fig. 5, first equation (⌊yₖ⌋)",
        statement: &[
            "RH({V})⟨{ȳ}⟩. ⌊{yₖ}⌋ with {H}",
            "= let {y} ⇐ {P}[{Vₖ}/x] in ⌊⟨0, …, {y}, …, 0⟩⌋",
        ],
        parts: &[
            V_RH,
            Y_RH,
            ("yₖ", "the variable that the network returns"),
            H_REV,
            ("y", "a fresh name: the cotangent of yₖ"),
            ("P", "the return clause of H, x ↦ P"),
            ("Vₖ", "the value of yₖ: the network's output"),
        ],
        words: "The network has reached its output, and forward turns into backward. The return clause makes the first \
                cotangent of it, usually the gradient of a loss, times the step size. Only the output has a cotangent so \
                far; that of everything else computed on the way starts at zero. (The zeros are at the types of the variables.)",
    },
    Stated {
        form: Form::RhLet,
        source: "Fig. 5, second equation (let x ⇐ ⌊yⱼ⌋)",
        statement: &[
            "RH({V})⟨{ȳ}⟩. {F}[let {x} ⇐ ⌊{yⱼ}⌋ in {R}] with {H}",
            "= RH({V})⟨{ȳ}⟩. {F}[{R}[{yⱼ}/{x}]] with {H}",
        ],
        parts: &[
            V_RH,
            Y_RH,
            F_RH,
            ("x", "the second name"),
            ("yⱼ", "the variable itself"),
            ("R", "what follows"),
            H_REV,
        ],
        words: "The let gives a variable a second name and does nothing else, so one name is enough. With two, the cotangent \
                would have to be added up from both.",
    },
    Stated {
        form: Form::RhOp,
        source: "Fig. 5, third equation (Op)",
        statement: &[
            "RH({V})⟨{ȳ}⟩. {F}[{Op}({yᵢ})] with {H}",
            "= let ⟨{y}, {z′}⟩ ⇐ {Qᶠ}[{Vᵢ}/x] in",
            "  let ⟨{y′}, {ȳ′}⟩ ⇐ RH({y}, {V})⟨{y}, {ȳ}⟩. {F}[⌊{y}⌋] with {H} in",
            "  let {y″ᵢ} ⇐ {Qᵇ}[{y′}/y, {z′}/z] in",
            "  ⌊⟨y′₁, …, y′ᵢ + {y″ᵢ}, …, y′ₘ⟩⌋",
        ],
        parts: &[
            V_RH,
            Y_RH,
            F_RH,
            ("Op", "the operation"),
            ("yᵢ", "the variable that it is called with"),
            H_REV,
            ("y", "a fresh name: the result of the operation"),
            ("z′", "a fresh name: what the forward clause saves"),
            ("Qᶠ", "the forward clause, x ↦ Qᶠ"),
            ("Vᵢ", "the value of yᵢ: the argument"),
            ("y′", "a fresh name: the cotangent of the result"),
            ("ȳ′", "fresh names: the cotangents of ȳ, so far"),
            (
                "y″ᵢ",
                "a fresh name: what the operation adds to the cotangent of yᵢ",
            ),
            ("Qᵇ", "the backward clause, y, z ↦ Qᵇ"),
        ],
        words: "This is the sandwich. The forward clause runs first and gives a result y, and z′, what the way back will need. \
                Then the whole rest of the network runs under the same handler; it comes back with the cotangents of \
                everything it was given, that of y among them. Only then the backward clause turns y′ and z′ into a \
                cotangent of the argument, which is added to what yᵢ got elsewhere.",
    },
    Stated {
        form: Form::RhOpDefault,
        source: "Fig. 5, third equation (Op), with the default clause of §4",
        statement: &[
            "RH({V})⟨{ȳ}⟩. {F}[{Op}({yᵢ})] with {H}",
            "= let ⟨{y}, {z′}⟩ ⇐ {Qᶠ}[{Vᵢ}/x] in",
            "  let ⟨{y′}, {ȳ′}⟩ ⇐ RH({y}, {V})⟨{y}, {ȳ}⟩. {F}[⌊{y}⌋] with {H} in",
            "  let {y″ᵢ} ⇐ {Qᵇ}[{y′}/y, {z′}/z] in",
            "  ⌊⟨y′₁, …, y′ᵢ + {y″ᵢ}, …, y′ₘ⟩⌋",
            "  where {Qᶠ} = let y ⇐ {Op}(x) in ⌊⟨y, 0⟩⌋ and {Qᵇ} = ⌊0⌋",
        ],
        parts: &[
            V_RH,
            Y_RH,
            F_RH,
            ("Op", "the operation, for which H has no clause"),
            ("yᵢ", "the variable that it is called with"),
            H_REV,
            ("y", "a fresh name: the result of the operation"),
            ("z′", "a fresh name: what is saved, nothing here"),
            ("Qᶠ", "the default forward clause: perform it outside"),
            ("Vᵢ", "the value of yᵢ: the argument"),
            ("y′", "a fresh name: the cotangent of the result"),
            ("ȳ′", "fresh names: the cotangents of ȳ, so far"),
            ("y″ᵢ", "a fresh name: zero"),
            ("Qᵇ", "the default backward clause: zero"),
        ],
        words: "The handler has no clause for this operation, so it has the default one: perform it outside and remember \
                nothing; on the way back, give zero. The rest of the network is handled as ever, but no gradient passes \
                through this operation.",
    },
    Stated {
        form: Form::RhHandle,
        source: "Fig. 5, fourth equation (rev handle)",
        statement: &[
            "RH({V})⟨{ȳ}⟩. {F}[rev handle({W})⟨{z̄}⟩. {R} with {H′}] with {H}",
            "= RH({V})⟨{ȳ}⟩. {F}[RH({W})⟨{z̄}⟩. {R} with {H′}] with {H}",
        ],
        parts: &[
            V_RH,
            Y_RH,
            F_RH,
            ("W", "the input of the inner handler, a variable"),
            ("z̄", "the variables that it is bound to"),
            ("R", "the command inside"),
            ("H′", "the inner reverse handler"),
            ("H", "the outer reverse handler"),
        ],
        words: "A handler inside a handled command: the inner one has its say first. What it makes of its command is again a \
                command with operations, and the outer handler then treats these. So an abstract layer can be \
                implemented by finer ones, and those by the heap.",
    },
    Stated {
        form: Form::RhHandleTuple,
        source: "Fig. 5, fourth equation (rev handle)",
        statement: &[
            "RH({V})⟨{ȳ}⟩. {F}[rev handle({W})⟨{z̄}⟩. {R} with {H′}] with {H}",
            "= RH({V})⟨{ȳ}⟩. {F}[let ⟨{z̄}⟩ ⇐ ⌊{W}⌋ in RH({z̄})⟨{z̄}⟩. {R} with {H′}] with {H}",
        ],
        parts: &[
            V_RH,
            Y_RH,
            F_RH,
            ("W", "the input of the inner handler, a variable"),
            ("z̄", "the variables that its components are bound to"),
            ("R", "the command inside"),
            ("H′", "the inner reverse handler"),
            ("H", "the outer reverse handler"),
        ],
        words: "A handler inside a handled command: the inner one has its say first. Its input is one variable for a tuple, \
                which RH needs in components; so projections take it apart first, a case that the paper leaves open.",
    },
    Stated {
        form: Form::RhTerm,
        source: "Fig. 5, last equation (a term that is no variable)",
        statement: &[
            "RH({V})⟨{ȳ}⟩. {F}[{M}] with {H}",
            "= let {y} ⇐ ⌊{M}[{V}/{ȳ}]⌋ in",
            "  let ⟨{z}, {ȳ′}⟩ ⇐ RH({y}, {V})⟨{y}, {ȳ}⟩. {F}[{y}] with {H} in",
            "  ⌊⟨y′ᵢ + {z}.rd(yᵢ. {M}[Vⱼ/yⱼ for j ≠ i])(Vᵢ)⟩ for i = 1, …, m⌋",
        ],
        parts: &[
            V_RH,
            Y_RH,
            F_RH,
            ("M", "the pure term"),
            H_REV,
            ("y", "a fresh name: the value of the term"),
            ("z", "a fresh name: its cotangent"),
            ("ȳ′", "fresh names: the cotangents of ȳ, so far"),
        ],
        words: "A pure term needs no clause, since every function symbol knows its own derivative. It is computed on the way \
                forward; the rest of the network runs; and on the way back its reverse derivative turns the cotangent z \
                into a share for each variable, which is added to what that variable got elsewhere. A share is zero where \
                the term does not use the variable.",
    },
    Stated {
        form: Form::RhOpShort,
        source: SHORTCUT,
        statement: &[
            "RH({V})⟨{ȳ}⟩. {F}[{Op}({yᵢ})] with {H}",
            "= let ⟨{y}, {z′}⟩ ⇐ {Qᶠ}[{Vᵢ}/x] in",
            "  let ⟨{y′}, {ȳ′}⟩ ⇐ RH({y}, V̄′)⟨{y}, ȳ without {ū}⟩. {F}[⌊{y}⌋] with {H} in",
            "  let {y″ᵢ} ⇐ {Qᵇ}[{y′}/y, {z′}/z] in",
            "  ⌊⟨y′₁, …, y′ᵢ + {y″ᵢ}, …, y′ₘ⟩⌋   where y′ⱼ is 0 for those of {ū}, and 0 is not added",
        ],
        parts: &[
            V_RH,
            Y_RH,
            F_RH,
            ("Op", "the operation"),
            ("yᵢ", "its argument, a variable"),
            ("Vᵢ", "the value of that variable"),
            H_REV,
            ("Qᶠ", "the forward clause of the operation"),
            ("Qᵇ", "its backward clause"),
            ("y", "a fresh name: the result"),
            ("z′", "a fresh name: what is saved"),
            ("y′", "a fresh name: the cotangent of the result"),
            (
                "ȳ′",
                "fresh names: the cotangents of the variables that the rest uses",
            ),
            (
                "y″ᵢ",
                "a fresh name: what the operation sends back to its argument",
            ),
            (
                "ū",
                "the variables that the rest does not use: nothing comes back for them",
            ),
        ],
        words: "An operation is handled as in the paper, but variables that the rest of the network does not use are not \
                taken along, so no cotangent comes back that is known to be zero. In the paper’s model both are the same \
                arrow: the reverse algebra is natural, and the derivative of forgetting a variable is zero (RD.3).",
    },
    Stated {
        form: Form::RhTermShort,
        source: SHORTCUT,
        statement: &[
            "RH({V})⟨{ȳ}⟩. {F}[{M}] with {H}",
            "= let {y} ⇐ ⌊{M}[{V}/{ȳ}]⌋ in",
            "  let ⟨{z}, {ȳ′}⟩ ⇐ RH({y}, V̄′)⟨{y}, ȳ without {ū}⟩. {F}[{y}] with {H} in",
            "  ⌊⟨y′ᵢ + {z}.rd(yᵢ. {M}[Vⱼ/yⱼ for j ≠ i])(Vᵢ)⟩ for i = 1, …, m⌋",
            "  where y′ᵢ is 0 for those of {ū}, the share is 0 for those of {c̄}, and 0 is not added",
        ],
        parts: &[
            V_RH,
            Y_RH,
            F_RH,
            ("M", "the pure term"),
            H_REV,
            ("y", "a fresh name: the value of the term"),
            ("z", "a fresh name: its cotangent"),
            (
                "ȳ′",
                "fresh names: the cotangents of the variables that the rest uses",
            ),
            ("ū", "the variables that the rest does not use"),
            ("c̄", "the variables that the term does not use"),
        ],
        words: "A pure term is handled as in the paper, but what is known to be zero is neither computed nor added: the \
                share of a variable that the term does not use, and what would come back for a variable that the rest \
                does not use. In the paper’s model both are the same arrow: the reverse algebra is natural, and the \
                derivative of forgetting a variable is zero (RD.3). The term is computed on the way forward either way, \
                so it stops the run where it did.",
    },
    Stated {
        form: Form::RhHandleRet,
        source: UNDER_RH,
        statement: &[
            "RH({V})⟨{ȳ}⟩. {F}[handle ⌊{M}⌋ with {H′}] with {H}",
            "= RH({V})⟨{ȳ}⟩. {F}[let {x} ⇐ ⌊{M}⌋ in {P}] with {H}",
            "  where the return clause of {H′} is {x} ↦ {P}",
        ],
        parts: &[
            V_RH,
            Y_RH,
            F_RH,
            ("M", "what the handled command returns"),
            H_ORD,
            H_REV,
            ("x", "the variable of the return clause"),
            ("P", "the return clause"),
        ],
        words: "Under a reverse handler nothing is a value yet, so the ordinary handler inside is taken away first. The \
                command that it handled is done; what its return clause makes of the result is the rest of the network.",
    },
    Stated {
        form: Form::RhHandleOp,
        source: UNDER_RH,
        statement: &[
            "RH({V})⟨{ȳ}⟩. {F}[handle {F′}[{Op}({M})] with {H′}] with {H}",
            "= RH({V})⟨{ȳ}⟩. {F}[let {x} ⇐ ⌊{M}⌋ in {Q}[(y. handle {F′}[⌊y⌋] with {H′})/{k}]] with {H}",
            "  where the clause of {H′} is {Op}, {k}; {x} ↦ {Q}",
        ],
        parts: &[
            V_RH,
            Y_RH,
            F_RH,
            F_ORD,
            ("Op", "the operation"),
            ("M", "its argument"),
            H_ORD,
            H_REV,
            ("x", "the clause's name of the argument"),
            ("Q", "the clause"),
            ("k", "the clause's name of the continuation"),
        ],
        words: "Under a reverse handler nothing is a value yet, so the ordinary handler inside is taken away first: its clause \
                takes the place of the operation, with the rest of the handled command as the continuation k. What is \
                left are operations that the reverse handler can treat.",
    },
    Stated {
        form: Form::RhHandleOpOutside,
        source: UNDER_RH,
        statement: &[
            "RH({V})⟨{ȳ}⟩. {F}[handle {F′}[{Op}({M})] with {H′}] with {H}",
            "= RH({V})⟨{ȳ}⟩. {F}[let x ⇐ ⌊{M}⌋ in let y ⇐ {Op}(x) in handle {F′}[⌊y⌋] with {H′}] with {H}",
            "  where {H′} has no clause for {Op}",
        ],
        parts: &[
            V_RH,
            Y_RH,
            F_RH,
            F_ORD,
            ("Op", "the operation"),
            ("M", "its argument"),
            H_ORD,
            H_REV,
        ],
        words: "The ordinary handler inside has no clause for this operation, so the operation is moved in front of it, where \
                the reverse handler meets it.",
    },
    Stated {
        form: Form::RhHandleTerm,
        source: UNDER_RH,
        statement: &[
            "RH({V})⟨{ȳ}⟩. {F}[handle {F′}[{M}] with {H′}] with {H}",
            "= RH({V})⟨{ȳ}⟩. {F}[let y ⇐ ⌊{M}⌋ in handle {F′}[y] with {H′}] with {H}",
        ],
        parts: &[
            V_RH,
            Y_RH,
            F_RH,
            F_ORD,
            ("M", "the pure term"),
            H_ORD,
            H_REV,
        ],
        words: "A pure term inside an ordinary handler is moved in front of it, where the reverse handler meets it: it will be \
                computed on the way forward, and differentiated on the way back.",
    },
    Stated {
        form: Form::Undefined,
        source: TERMS,
        statement: &["{f}({V}) has no step   where Eval({f}, {V}) is undefined"],
        parts: &[
            ("f", "the function symbol"),
            ("V", "its argument, outside of the domain of f"),
        ],
        words: "A function symbol of the paper is a partial smooth map: it is computed only where it has a value and a \
                derivative, and elsewhere a command has no step. Frameworks fill some of these gaps by convention; the \
                other reading of the page does too.",
    },
    Stated {
        form: Form::Unhandled,
        source: "Definition 5.4, small-step reduction of commands",
        statement: &["{F}[{Op}({V})] has no step   where no handler in {F} treats {Op}"],
        parts: &[
            ("F", "the command around it"),
            ("Op", "the operation"),
            ("V", "its argument"),
        ],
        words: "An operation has no behaviour of its own: a handler around it gives it one. Only Get and Put mean something \
                without a handler, for they are the heap's.",
    },
    Stated {
        form: Form::TooLarge,
        source: "a limit of this page, not of the paper",
        statement: &[
            "W.rd(x. N)(V) has no step   where W.R(x. N)(V) is too large to be written out",
        ],
        parts: &[],
        words: "The reverse derivative of a term is written out before it is computed, and a derivative inside another is \
                written out at each of its uses, so the size doubles with every one around it.",
    },
];
