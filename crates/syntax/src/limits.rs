//! Hard bounds of the parser. Every tree it returns can be walked, cloned and dropped recursively
//! within a megabyte of stack, so later phases need no bounds of their own for depth.

/// The largest source that is parsed, in bytes.
pub const MAX_SOURCE: usize = 16 << 20;

/// Maximum nesting of brackets, handlers and bound commands.
pub const MAX_NESTING: u32 = 128;

/// Maximum height of a tree: the longest chain of `let … in`, operators or postfixes, nested ones counted together. A
/// browser's own call stack ends the passes that recurse over a tree at about 1700.
pub const MAX_HEIGHT: u32 = 1000;

/// Maximum number of diagnostics of one source.
pub const MAX_DIAGNOSTICS: usize = 200;
