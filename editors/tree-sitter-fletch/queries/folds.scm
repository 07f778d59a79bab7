; Declarations and what is long in them.

[
  (loc_item)
  (op_item)
  (fun_item)
  (command_item)
  (handler_item)
  (data_item)
  (train_item)
  (measure_item)
  (predict_item)
  (main_item)
  (clauses)
  (reverse_clause)
  (ordinary_clause)
  (block_comment)
] @fold
