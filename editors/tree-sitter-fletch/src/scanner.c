// The tokens that need more than a regular expression: block comments, which nest, and where declarations begin and end.
//
// A declaration begins at one of eleven words, where that stands first on its line or before what can only be the rest of a
// declaration (`crates/syntax/src/outline.rs` has the same rule). The empty token END stands behind the last token of the one
// before. It is given wherever the parser is in it, also where the grammar has no place for it: then the parser goes back to
// what END closes, so a mistake never reaches the next declaration.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <string.h>

// In the order of `externals` in the grammar.
enum Token {
  BLOCK_COMMENT,
  END,
  FIRST_WORD,
  MAIN = FIRST_WORD + 10,
  RECOVERING,
};

static const char *const WORDS[] = {
    "dim", "loc", "op", "fun", "command", "handler", "data", "train", "measure", "predict", "main",
};

enum { WORD_COUNT = sizeof WORDS / sizeof *WORDS, LONGEST_WORD = 7 };

// Tells if END was given at the end of the file after a mistake: it is empty there, so once must do.
typedef struct {
  bool ended;
} Scanner;

static bool is_one_of(int32_t c, const int32_t *all) {
  while (*all != 0 && *all != c) all += 1;
  return *all != 0;
}

// Signs of the language that are not in ASCII.
static const int32_t SIGNS[] = {
    0x21D0, 0x2190, 0x21A6, 0x25B7, 0x21D2, 0x2237, 0x00B7, 0x2217, 0x2299, 0x00D7,
    0x2212, 0x1D40, 0x2022, 0x27E8, 0x27E9, 0x230A, 0x230B, 0x2308, 0x2309, 0,
};
static const int32_t SPACES[] = {'\t', '\n', 0x0B, 0x0C, '\r', ' ', 0x85, 0xA0, 0x1680, 0x202F, 0x205F, 0x2028, 0x2029, 0x3000, 0xFEFF, 0};

static bool is_line_end(int32_t c) { return c == '\n' || c == '\r'; }

static bool is_space(int32_t c) { return (c >= 0x2000 && c <= 0x200A) || is_one_of(c, SPACES); }

// Letters beyond ASCII are all that is nothing else: the tables of C differ from place to place.
static bool is_letter(int32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return !is_space(c) && !is_one_of(c, SIGNS);
}

static bool continues_name(int32_t c) { return c == '_' || c == '\'' || (c >= '0' && c <= '9') || is_letter(c); }

static void next(TSLexer *lexer) { lexer->advance(lexer, false); }

// Reads a block comment behind its `{-`, up to its `-}` or the end of the file.
static void read_block_comment(TSLexer *lexer) {
  unsigned depth = 1;
  while (depth > 0 && !lexer->eof(lexer)) {
    int32_t first = lexer->lookahead;
    next(lexer);
    if (first == '{' && lexer->lookahead == '-') {
      next(lexer);
      depth += 1;
    } else if (first == '-' && lexer->lookahead == '}') {
      next(lexer);
      depth -= 1;
    }
  }
}

// Reads over white space and comments; tells if a line ends there. `lone` is a character that begins no comment.
static bool read_space(TSLexer *lexer, int32_t *lone) {
  bool new_line = false;
  *lone = 0;
  while (!lexer->eof(lexer)) {
    int32_t first = lexer->lookahead;
    if (is_space(first)) {
      new_line |= is_line_end(first);
      next(lexer);
      continue;
    }
    if (first != '-' && first != '{') break;
    next(lexer);
    if (lexer->lookahead != '-') {
      *lone = first;
      break;
    }
    next(lexer);
    if (first == '{') {
      read_block_comment(lexer);
    } else {
      while (!lexer->eof(lexer) && !is_line_end(lexer->lookahead)) next(lexer);
    }
  }
  return new_line;
}

// Reads a word of a declaration; gives its number, or WORD_COUNT for anything else. Letters of full width are a mistake that is
// understood.
static unsigned read_word(TSLexer *lexer) {
  char text[LONGEST_WORD + 1] = {0};
  unsigned length = 0;
  while (length < LONGEST_WORD) {
    int32_t letter = lexer->lookahead < 0xFF00 ? lexer->lookahead : lexer->lookahead - 0xFEE0;
    if (letter < 'a' || letter > 'z') break;
    text[length++] = (char)letter;
    next(lexer);
  }
  if (continues_name(lexer->lookahead)) return WORD_COUNT;
  for (unsigned word = 0; word < WORD_COUNT; word += 1) {
    if (strcmp(text, WORDS[word]) == 0) return word;
  }
  return WORD_COUNT;
}

// Tells if what follows a word in the middle of a line can only be the rest of a declaration.
static bool goes_on(TSLexer *lexer, unsigned word) {
  int32_t lone;
  read_space(lexer, &lone);
  if (lone != 0) return false;
  if (FIRST_WORD + word != MAIN) return is_letter(lexer->lookahead);
  if (lexer->lookahead != '=') return false;
  next(lexer);
  return lexer->lookahead != '>';
}

void *tree_sitter_fletch_external_scanner_create(void) { return ts_calloc(1, sizeof(Scanner)); }

void tree_sitter_fletch_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_fletch_external_scanner_serialize(void *payload, char *buffer) {
  buffer[0] = (char)((Scanner *)payload)->ended;
  return 1;
}

void tree_sitter_fletch_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  ((Scanner *)payload)->ended = length > 0 && buffer[0] != 0;
}

bool tree_sitter_fletch_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  Scanner *scanner = payload;
  bool recovering = valid[RECOVERING];
  bool between = valid[FIRST_WORD] && !recovering;
  bool new_line = lexer->get_column(lexer) == 0;
  // While the parser recovers it takes no empty token, so END has the white space up to the last line end. At the start of a line
  // it has been given.
  bool wide = recovering && !new_line;
  bool is_wide = false;
  lexer->mark_end(lexer);
  while (!lexer->eof(lexer) && is_space(lexer->lookahead)) {
    bool line_end = is_line_end(lexer->lookahead);
    new_line |= line_end;
    lexer->advance(lexer, !wide);
    if (wide && (line_end || !new_line)) lexer->mark_end(lexer);
    is_wide = wide;
  }
  // The word that begins a declaration is read itself, not END before it.
  bool at_word = between || (recovering && !is_wide);

  if (lexer->lookahead == '{') {
    next(lexer);
    if (lexer->lookahead != '-') return false;
    next(lexer);
    read_block_comment(lexer);
    lexer->mark_end(lexer);
    lexer->result_symbol = BLOCK_COMMENT;
    return true;
  }
  if (lexer->lookahead == '-') {
    // The comment, if it is one, is a token between two declarations.
    if (at_word) return false;
    int32_t lone;
    new_line |= read_space(lexer, &lone);
    if (lone != 0) return false;
  }
  if (lexer->eof(lexer)) {
    if (between || (at_word && scanner->ended)) return false;
    scanner->ended |= at_word;
    lexer->result_symbol = END;
    return true;
  }
  unsigned word = read_word(lexer);
  if (word == WORD_COUNT) return false;
  if (at_word) lexer->mark_end(lexer);
  if (!new_line && !goes_on(lexer, word)) return false;
  lexer->result_symbol = at_word ? FIRST_WORD + word : END;
  return true;
}
