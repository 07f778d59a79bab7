//! Hard bounds of the parser. Every tree that the parser returns can be walked, cloned and dropped recursively within
//! a megabyte of stack, so later phases need no depth bounds of their own.

/// Maximum size of a source that is parsed, in bytes.
pub const MAX_SOURCE: usize = 16 << 20;

/// Maximum nesting of brackets, handlers and bound commands.
pub const MAX_NESTING: u32 = 128;

/// Maximum height of a tree: the longest chain of `let … in`, operators or postfixes, where nested chains add up. A
/// browser's call stack overflows in passes that recurse over a tree at a height of about 1700.
pub const MAX_HEIGHT: u32 = 1000;

/// Maximum number of diagnostics of one source.
pub const MAX_DIAGNOSTICS: usize = 200;
