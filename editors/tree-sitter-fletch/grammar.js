/**
 * The grammar of Fletch, for editors.
 *
 * A chain of `let`s is one flat node, so that a long chain is not nested. A name before `[…](…)⟨…⟩.` always begins a feedback, whatever
 * the name stands for. Some mistakes that the parser of `crates/syntax` accepts are accepted here too: a term in place of a command
 * (`bare_term`), another sign for `↦` or `|` (`mistake`), a missing word or separator. If a declaration ends early, `$._end` closes its
 * open constructs (`src/scanner.c`). An empty node `incomplete` marks what is missing.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const PREC = { sum: 1, product: 2, sign: 3, postfix: 4 };

const LETTER = '[\\p{Alphabetic}--ᵀ]';
const LATER = "[\\p{Alphabetic}\\p{M}0-9_'′\u2080-\u208E\u2090-\u209C--ᵀ]";

/** One or more, separated by commas. */
const list = (rule) => seq(rule, repeat(seq(',', rule)));

/** A closing bracket or word, which may be missing at the end of a declaration. */
const closing = ($, word) => choice(word, alias($._end, $.incomplete));

/** A constituent that may be missing at the end of a declaration. */
const part = ($, rule) => choice(rule, alias($._end, $.incomplete));

/** A declaration: its keyword, and the rest as far as it is complete. */
const item = ($, word, rest) => seq(word, choice(seq(rest, $._end), alias($._end, $.incomplete)));

module.exports = grammar({
  name: 'fletch',

  externals: ($) => [
    $.block_comment,
    $._end,
    $._dim,
    $._loc,
    $._op,
    $._fun,
    $._command_word,
    $._handler_word,
    $._data,
    $._train,
    $._measure,
    $._predict,
    $._main,
    $._recovering,
  ],

  extras: ($) => [new RustRegex('[\\p{White_Space}\\uFEFF]'), $.line_comment, $.block_comment],

  word: ($) => $.identifier,

  // The scanner finds the keywords that begin a declaration. Elsewhere they count as names, which is a mistake in the program.
  reserved: {
    global: () => [
      'let', 'in', 'rev', 'handle', 'with', 'as', 'for', 'on', 'epochs', 'extends', 'by', 'iterate', 'Real', 'rd', 'zero', 'pure', 'ceil',
    ],
  },

  // A call is a command call, unless it is part of a term in the place of a command.
  conflicts: ($) => [
    [$._symbol, $.command_call],
    [$._term, $.bare_term],
  ],

  supertypes: ($) => [$._item, $._command, $._term, $._type, $._size, $._pattern, $._clause],

  rules: {
    source_file: ($) => repeat($._item),

    _item: ($) => choice(
      $.dim_item,
      $.loc_item,
      $.op_item,
      $.fun_item,
      $.command_item,
      $.handler_item,
      $.data_item,
      $.train_item,
      $.measure_item,
      $.predict_item,
      $.main_item,
    ),

    dim_item: ($) => item($, alias($._dim, 'dim'), list($.dimension)),
    dimension: ($) => seq(field('name', $.identifier), '=', field('size', $._size)),

    loc_item: ($) => item($, alias($._loc, 'loc'), seq(
      field('name', $.identifier),
      field('indices', optional($.index_parameters)),
      part($, seq(
        $._typing,
        field('shape', $.shape),
        optional(seq('=', field('value', part($, choice($._literal, $.signed_number, $.generator))))),
      )),
    )),

    op_item: ($) => item($, alias($._op, 'op'), seq(
      field('name', $.identifier),
      field('indices', optional($.index_parameters)),
      part($, seq(':', field('argument', $._type), part($, seq(choice('▷', '|>'), field('result', $._type))))),
    )),

    fun_item: ($) => item($, alias($._fun, 'fun'), seq(
      field('name', $.identifier),
      field('indices', optional($.index_parameters)),
      part($, seq(field('parameters', $.parameters), optional($._result), $._term_body)),
    )),

    command_item: ($) => item($, alias($._command_word, 'command'), seq(
      field('name', $.identifier),
      field('indices', optional($.index_parameters)),
      part($, seq(field('parameters', $.parameters), optional($._result), $._body)),
    )),

    handler_item: ($) => item($, alias($._handler_word, 'handler'), seq(
      field('name', $.identifier),
      field('indices', optional($.index_parameters)),
      field('parameters', optional($.parameters)),
      optional(seq(':', field('handled', $._type), optional(seq(choice('⇒', '=>'), field('result', $._type))))),
      optional(seq('extends', list($.handler_call))),
      field('clauses', part($, $.clauses)),
    )),

    data_item: ($) => item($, alias($._data, 'data'), seq(
      field('name', $.identifier),
      optional($._result),
      part($, seq('=', field('value', part($, $._dataset)))),
    )),

    train_item: ($) => item($, alias($._train, 'train'), seq(
      field('data', $.identifier),
      optional(seq('by', field('batch', $._size))),
      part($, seq($._sample, 'for', field('epochs', $._size), optional('epochs'), $._body)),
    )),

    measure_item: ($) => item($, alias($._measure, 'measure'), seq(
      field('name', $.identifier),
      part($, seq(optional('on'), field('data', $.identifier), part($, seq($._sample, $._body)))),
    )),

    predict_item: ($) => item($, alias($._predict, 'predict'), seq(
      field('name', $.identifier),
      part($, seq(field('parameters', $.parameters), $._body)),
    )),

    main_item: ($) => item($, alias($._main, 'main'), $._equals_command),

    _result: ($) => seq(':', field('type', $._type)),
    _sample: ($) => seq('as', field('sample', $._pattern)),
    _body: ($) => part($, $._equals_command),
    _equals_command: ($) => seq('=', field('body', part($, $._command))),
    _term_body: ($) => part($, seq('=', field('body', part($, $._term)))),
    _typing: () => choice('∷', '::'),

    parameters: ($) => seq('(', optional(list($.parameter)), closing($, ')')),
    parameter: ($) => seq(field('name', $.identifier), ':', field('type', $._type)),

    index_parameters: ($) => seq('[', list($._index_parameter), closing($, ']')),
    _index_parameter: ($) => choice($.location_parameter, $._size),
    location_parameter: ($) => seq(field('name', $.identifier), $._typing, field('shape', $.shape)),
    shape: ($) => seq('(', list($._size), closing($, ')')),

    index_arguments: ($) => seq('[', list($._index), closing($, ']')),
    _index: ($) => choice($._size, $.instance, $.reverse_symbol),
    instance: ($) => seq(field('name', $.identifier), field('indices', $.index_arguments)),

    // Types and sizes.

    _type: ($) => choice($.real_type, $.unit_type, $.product_type, $.parenthesised_type),
    product_type: ($) => prec.left(seq($._type, choice('×', '*'), $._type)),
    real_type: ($) => seq('Real', '(', $._size, repeat(seq(choice('×', ','), $._size)), closing($, ')')),
    unit_type: () => '1',
    parenthesised_type: ($) => seq('(', $._type, closing($, ')')),

    _size: ($) => choice($.number, $.identifier, $.size_sum, $.size_product, $.ceiling, $.parenthesised_size),
    size_sum: ($) => prec.left(PREC.sum, seq($._size, choice('+', '-', '−'), $._size)),
    size_product: ($) => prec.left(PREC.product, seq($._size, choice('*', '∗'), $._size)),
    ceiling: ($) => choice(
      seq('⌈', $._size, '/', $._size, closing($, '⌉')),
      seq('ceil', '(', $._size, '/', $._size, closing($, ')')),
    ),
    parenthesised_size: ($) => seq('(', $._size, closing($, ')')),

    // Terms.

    _term: ($) => choice($.let_term, $._operand),
    let_term: ($) => seq(repeat1($.term_binding), field('body', part($, $._operand))),
    term_binding: ($) => seq('let', field('pattern', $._pattern), choice('←', '<-'), field('value', $._term), closing($, 'in')),

    _operand: ($) => choice($.binary_term, $.negation, $._postfix),
    binary_term: ($) => choice(
      prec.left(PREC.sum, seq(
        field('left', $._operand),
        field('operator', choice('+', '-', '−')),
        field('right', $._operand),
      )),
      prec.left(PREC.product, seq(
        field('left', $._operand),
        field('operator', choice('·', '.*', '∗', '*', '⊙', '**', '/')),
        field('right', $._operand),
      )),
    ),
    negation: ($) => prec(PREC.sign, seq(choice('-', '−'), $._operand)),

    _postfix: ($) => choice($.transpose, $.projection, $.reverse_derivative, $._atom),
    transpose: ($) => prec(PREC.postfix, seq($._postfix, choice('ᵀ', '^T'))),
    projection: ($) => choice(
      prec(PREC.postfix, seq($._postfix, '.', field('component', $.number))),
      seq(field('component', $.projection_word), $.parenthesised_term),
    ),
    reverse_derivative: ($) => prec(PREC.postfix, seq(
      field('cotangent', $._postfix),
      '.', 'rd', '(', field('variable', $.identifier), '.', field('body', $._term), closing($, ')'),
      field('point', $.parenthesised_term),
    )),

    _atom: ($) => choice($.identifier, $._literal, $.tuple, $.unit, $.parenthesised_term, $.term_call, $.zero),
    _literal: ($) => choice($.number, $.array),
    array: ($) => seq('[', list($._entry), closing($, ']')),
    _entry: ($) => choice($.number, $.signed_number, $.array),
    signed_number: ($) => seq(choice('-', '−', '+'), $.number),
    tuple: ($) => seq(choice('⟨', '<'), list($._term), closing($, choice('⟩', '>'))),
    unit: () => seq('(', ')'),
    parenthesised_term: ($) => seq('(', $._term, closing($, ')')),
    term_call: ($) => seq(field('function', $._symbol), field('arguments', $.arguments)),
    _symbol: ($) => choice($.identifier, $.instance, $.reverse_symbol),
    reverse_symbol: ($) => seq('rd', '[', $._symbol, closing($, ']')),
    arguments: ($) => seq('(', optional(list($._term)), closing($, ')')),
    zero: ($) => seq('zero', '[', $._size, closing($, ']')),

    // Commands.

    _command: ($) => choice($.let_command, $._simple_command),
    let_command: ($) => seq(repeat1($.command_binding), field('body', part($, $._simple_command))),
    command_binding: ($) => seq(
      'let', field('pattern', $._pattern), choice('⇐', '<='), field('value', part($, $._command)), closing($, 'in'),
    ),

    _simple_command: ($) => choice(
      $.reverse_handle,
      $.handle,
      $.iterate,
      $.feedback,
      $.pure,
      $.command_call,
      $.resume,
      $.parenthesised_command,
      $.bare_term,
    ),
    bare_term: ($) => prec.dynamic(-1, $._operand),
    reverse_handle: ($) => seq(
      'rev', 'handle', field('argument', $.arguments), $._binder, field('body', part($, $._command)), $._with,
    ),
    handle: ($) => seq('handle', field('body', part($, $._command)), $._with),
    _with: ($) => part($, seq('with', field('handler', part($, choice($.handler_call, $.clauses))))),
    iterate: ($) => prec.right(seq(
      'iterate', '[', field('variable', $.identifier), ':', field('count', $._size), closing($, ']'),
      field('argument', $.arguments), $._binder, field('body', part($, $._command)),
    )),
    feedback: ($) => prec.right(1, seq(
      field('word', $.identifier), field('count', $.index_arguments),
      field('argument', $.arguments), $._binder, field('body', part($, $._command)),
    )),
    _binder: ($) => seq(field('inputs', $.patterns), '.'),
    pure: ($) => choice(
      seq('⌊', $._term, closing($, '⌋')),
      seq('pure', '(', $._term, closing($, ')')),
    ),
    command_call: ($) => seq(
      field('command', $.identifier), field('indices', optional($.index_arguments)), field('arguments', $.arguments),
    ),
    resume: ($) => seq(
      field('continuation', $.identifier), choice('•', '@'), field('argument', choice($._postfix, $.signed_number)),
    ),
    parenthesised_command: ($) => seq('(', $._command, closing($, ')')),

    // Handlers.

    handler_call: ($) => seq(
      field('name', $.identifier), field('indices', optional($.index_arguments)), field('arguments', optional($.arguments)),
    ),
    clauses: ($) => seq('{', repeat($._clause), closing($, '}')),
    _clause: ($) => choice($.return_clause, $.reverse_clause, $.ordinary_clause),
    return_clause: ($) => $._maps_to,
    reverse_clause: ($) => seq(
      field('operation', $.identifier),
      field('indices', optional($.index_parameters)),
      '(', field('forward', $.forward),
      optional(seq(choice('|', alias(';', $.mistake)), field('backward', part($, $.backward)))),
      closing($, ')'),
    ),
    forward: ($) => $._maps_to,
    backward: ($) => seq(
      field('cotangent', $._pattern),
      optional(seq(optional(','), field('saved', $._pattern))),
      $._arrow,
      field('body', part($, $._command)),
    ),
    ordinary_clause: ($) => seq(
      field('operation', $.identifier),
      field('indices', optional($.index_parameters)),
      ',', field('continuation', $.identifier), optional(';'), $._maps_to,
    ),
    _maps_to: ($) => seq(field('pattern', $._pattern), $._arrow, field('body', part($, $._command))),
    _arrow: ($) => choice('↦', '|->', alias($._wrong_arrow, $.mistake)),
    _wrong_arrow: () => choice('⇒', '=>', '⇐', '<=', '←', '<-', '=', ':', seq('-', '>')),

    _pattern: ($) => choice($.identifier, $.wildcard, $.patterns),
    wildcard: () => '_',
    patterns: ($) => seq(choice('⟨', '<'), list($._pattern), closing($, choice('⟩', '>'))),

    // Data sets and initial contents.

    _dataset: ($) => choice($.samples, $.generator),
    samples: ($) => seq('[', list($._term), closing($, ']')),
    generator: ($) => seq(field('name', $.identifier), optional(field('arguments', $.generator_arguments))),
    generator_arguments: ($) => seq('(', optional(list($._generator_argument)), closing($, ')')),
    _generator_argument: ($) => choice($.named_argument, $._argument_value),
    named_argument: ($) => seq(field('name', $.identifier), ':', field('value', $._argument_value)),
    _argument_value: ($) => choice($._size, $.signed_number, $.string, $.samples, alias($._generator_call, $.generator)),
    _generator_call: ($) => seq(field('name', $.identifier), field('arguments', $.generator_arguments)),

    // Tokens. `ᵀ` is a letter, but never part of a name.

    identifier: () => new RustRegex(`(${LETTER}|_${LATER})${LATER}*`),
    number: () => /[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/,
    string: () => /"[^"\n\r]*"/,
    projection_word: () => token(prec(1, /proj_[0-9]+/)),
    line_comment: () => /--[^\n\r]*/,
  },
});
