; Scopes, definitions and uses of names. What a `let` binds is known behind it in its chain.

[
  (fun_item)
  (command_item)
  (handler_item)
  (train_item)
  (measure_item)
  (predict_item)
  (let_command)
  (let_term)
  (reverse_handle)
  (iterate)
  (feedback)
  (return_clause)
  (reverse_clause)
  (forward)
  (backward)
  (ordinary_clause)
  (reverse_derivative)
] @local.scope

(dimension name: (identifier) @local.definition.constant)
(loc_item name: (identifier) @local.definition.constant)
(op_item name: (identifier) @local.definition.function)
(data_item name: (identifier) @local.definition.constant)
(parameter name: (identifier) @local.definition.parameter)
(location_parameter name: (identifier) @local.definition.parameter)

(command_binding pattern: (identifier) @local.definition.var)
(term_binding pattern: (identifier) @local.definition.var)
(patterns (identifier) @local.definition.var)
(return_clause pattern: (identifier) @local.definition.var)
(forward pattern: (identifier) @local.definition.var)
(backward cotangent: (identifier) @local.definition.var)
(backward saved: (identifier) @local.definition.var)
(ordinary_clause continuation: (identifier) @local.definition.var)
(ordinary_clause pattern: (identifier) @local.definition.var)
(reverse_derivative variable: (identifier) @local.definition.var)
(iterate variable: (identifier) @local.definition.var)

(identifier) @local.reference
