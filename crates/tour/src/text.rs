//! Source text of a learner's program: replacement of `main`, addition of items, and the tokens of an item.

use crate::checks::Side;
use fletch_ide::Checked;
use fletch_syntax::tree::{ClauseKind, ItemKind, Program};
use fletch_syntax::{Span, Spelling, TokenClass, format, highlight};

/// Source of a program with the items of `with` at its end and, if `main` is given, another `main`. The program's own `main` is overwritten
/// with blanks, so that the spans before and after it stay valid.
pub(crate) fn composed(source: &str, own: &Checked, main: Option<&str>, with: &str) -> String {
    let mut text = source.to_owned();
    if let Some(main) = main {
        let mains = own.outline.iter().filter(|entry| entry.kind == "main");
        for span in mains.map(|entry| entry.span) {
            let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
            let blanks: String = span.text(source).bytes().map(blank).collect();
            text.replace_range(span.start as usize..span.end as usize, &blanks);
        }
        text.push('\n');
        text.push_str(with);
        text.push_str(&format!("\nmain = {main}\n"));
    } else if !with.is_empty() {
        text.push('\n');
        text.push_str(with);
    }
    text
}

/// Spans of the items with this name: kind and name, such as `handler H`, or `main` alone.
pub(crate) fn items(checked: &Checked, named: &str) -> Vec<Span> {
    let entries = checked.outline.iter();
    let found = entries.filter(|entry| match entry.kind {
        "main" => named == "main",
        kind => named.split_once(' ') == Some((kind, &entry.name)),
    });
    found.map(|entry| entry.span).collect()
}

/// Span of the forward or backward side of the clause for an operation, in a handler that lies in the span `within`.
pub(crate) fn side(program: &Program, within: Span, operation: &str, side: Side) -> Option<Span> {
    let inside = |span: Span| within.start <= span.start && span.end <= within.end;
    let handlers = program.items.iter().filter_map(|item| match &item.node {
        ItemKind::Handler(handler) if inside(item.span) => Some(handler),
        _ => None,
    });
    let mut clauses = handlers.flat_map(|handler| &handler.clauses);
    clauses.find_map(|clause| match &clause.node {
        ClauseKind::Reverse {
            operation: name,
            forward_pattern,
            forward,
            cotangent,
            backward,
            ..
        } if &*name.text == operation => Some(match side {
            Side::Forward => forward_pattern.span.to(forward.span),
            Side::Backward => cotangent.span.to(backward.span),
        }),
        _ => None,
    })
}

/// A program in Unicode spelling and standard layout, so that its tokens can be compared. A text that cannot be parsed is returned
/// unchanged.
pub(crate) fn canonical(source: &str) -> String {
    let symbols = fletch_smooth::symbols();
    format(source, Spelling::Unicode, symbols).unwrap_or_else(|_| source.to_owned())
}

/// Tokens in a span of a text, without comments.
pub(crate) fn tokens(source: &str, part: Span) -> Vec<&str> {
    let part = part.text(source);
    let tokens = highlight(part, fletch_smooth::symbols()).into_iter();
    let tokens = tokens.filter(|token| token.class != TokenClass::Comment);
    tokens.map(|token| token.span.text(part)).collect()
}

#[cfg(test)]
mod tests {
    use super::{canonical, composed, items, side, tokens};
    use crate::checks::Side;
    use fletch_ide::check;

    const PROGRAM: &str = "\
op F : Real(1) ▷ Real(1)
handler H : Real(1) {
  x ↦ ⌊x⌋
  F ( x    ↦ ⌊⟨2 · x, ()⟩⌋ -- Doubles.
    | y, _ ↦ ⌊y⌋ )
}
main = rev handle(1)⟨x⟩. F(x) with H
command R(x : Real(1)) : Real(1) = ⌊x⌋
";

    #[test]
    fn another_main_leaves_every_place_as_it_was() {
        let own = check(PROGRAM);
        let text = composed(
            PROGRAM,
            &own,
            Some("R(2)"),
            "command S(x : Real(1)) : Real(1) = R(x)",
        );
        assert_eq!(text.find("command R"), PROGRAM.find("command R"));
        let names: Vec<String> = check(&text)
            .outline
            .into_iter()
            .map(|entry| entry.name)
            .collect();
        assert_eq!(names, ["F", "H", "R", "S", "main"]);
        assert!(text.ends_with("\nmain = R(2)\n") && text.matches("main").count() == 1);
        assert_eq!(composed(PROGRAM, &own, None, ""), PROGRAM);
    }

    #[test]
    fn tokens_are_those_of_an_item_or_of_a_side() {
        let text = canonical(PROGRAM);
        let checked = check(&text);
        let handler = items(&checked, "handler H")[0];
        let forward = side(&checked.program, handler, "F", Side::Forward).unwrap();
        assert_eq!(tokens(&text, forward).join(" "), "x ↦ ⌊ ⟨ 2 · x , ( ) ⟩ ⌋");
        let backward = side(&checked.program, handler, "F", Side::Backward).unwrap();
        assert_eq!(tokens(&text, backward).join(" "), "y , _ ↦ ⌊ y ⌋");
        assert_eq!(side(&checked.program, handler, "G", Side::Forward), None);
        assert!(items(&checked, "handler G").is_empty());
        assert_eq!(items(&checked, "main").len(), 1);
    }

    #[test]
    fn a_sign_has_one_spelling() {
        assert_eq!(canonical("main = pure(1)\n"), "main = ⌊1⌋\n");
        assert_eq!(canonical("main = ("), "main = (");
    }
}
