; Classes of nodes for colours, those of the page (`syntax::TokenClass`) under the names that editors use. Where several
; patterns have a node, the last one counts.

[
  "dim" "loc" "op" "fun" "command" "handler" "data" "train" "measure" "predict" "main"
  "let" "in" "rev" "handle" "with" "as" "for" "on" "epochs" "extends" "by" "iterate" "rd" "zero" "pure" "ceil"
] @keyword

(mistake) @error

"Real" @type.builtin
(unit_type) @type.builtin

(line_comment) @comment
(block_comment) @comment
((line_comment) @comment.documentation (#match? @comment.documentation "^--:"))

(number) @number
(string) @string
(projection_word) @function.builtin
(wildcard) @variable.builtin
(identifier) @variable
(feedback word: (identifier) @keyword)

[
  "⇐" "<=" "←" "<-" "↦" "|->" "▷" "|>" "⇒" "=>" "∷" "::" "=" "|"
  "+" "-" "−" "·" ".*" "∗" "*" "⊙" "**" "/" "×" "ᵀ" "^T" "•" "@"
] @operator

[ "," ";" ":" "." ] @punctuation.delimiter

[ "(" ")" "[" "]" "{" "}" "⟨" "⟩" "<" ">" "⌊" "⌋" "⌈" "⌉" ] @punctuation.bracket

(real_type (identifier) @type)
(real_type (number) @type)

; Definitions.
(dimension name: (identifier) @constant)
(loc_item name: (identifier) @label)
(location_parameter name: (identifier) @label)
(op_item name: (identifier) @function.method)
(fun_item name: (identifier) @function)
(command_item name: (identifier) @function)
(handler_item name: (identifier) @type.definition)
(data_item name: (identifier) @constant)
(measure_item name: (identifier) @function)
(predict_item name: (identifier) @function)
(parameter name: (identifier) @variable.parameter)

; Uses.
(term_call function: (identifier) @function.call)
(term_call function: (instance name: (identifier) @function.call))
(reverse_symbol (identifier) @function.call)
(command_call command: (identifier) @function.method.call)
(reverse_clause operation: (identifier) @function.method.call)
(ordinary_clause operation: (identifier) @function.method.call)
(handler_call name: (identifier) @type)
(generator name: (identifier) @function.call)
(named_argument name: (identifier) @variable.parameter)
