//! Payload of a link: the program as UTF-8, raw deflate (RFC 1951), base64url without padding (RFC 4648).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use std::fmt;

/// Maximum size of an unpacked program, in bytes.
pub const MAX_SOURCE: usize = 1_000_000;

/// Compression level, 0 to 10. Level 10 gains nothing on programs.
const EFFORT: u8 = 9;

/// Damage of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// A character outside the base64url alphabet, or an impossible length.
    Signs,
    /// The payload is truncated, or is no deflated data.
    Packed,
    /// Bytes follow the deflated data.
    Longer,
    /// The payload unpacks to more than [`MAX_SOURCE`].
    Large,
    /// The unpacked bytes are not UTF-8.
    Text,
    /// The check sum is that of another text.
    Sum,
    /// The check sum is truncated.
    End,
}

impl fmt::Display for Damage {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Damage::Signs => "a sign of it is not one that links have, or its end is missing",
            Damage::Packed => "its program cannot be unpacked; perhaps its end is missing",
            Damage::Longer => "something follows the program",
            Damage::Large => "its program would be larger than 1 MB",
            Damage::Text => "its program is not text",
            Damage::Sum => "its program is not the one that was sent",
            Damage::End => "its end is missing",
        })
    }
}

/// Packs a source into a payload.
pub(crate) fn pack(source: &str) -> String {
    URL_SAFE_NO_PAD.encode(compress_to_vec(source.as_bytes(), EFFORT))
}

/// Unpacks the source of a payload.
pub(crate) fn unpack(payload: &str) -> Result<String, Damage> {
    let packed = URL_SAFE_NO_PAD.decode(payload).map_err(|_| Damage::Signs)?;
    let bytes = inflate(&packed)?;
    String::from_utf8(bytes).map_err(|_| Damage::Text)
}

/// Check sum of a source: Adler-32, as in zlib, in eight hexadecimal digits.
pub(crate) fn sum(source: &str) -> String {
    format!("{:08x}", adler2::adler32_slice(source.as_bytes()))
}

/// Inflates up to [`MAX_SOURCE`] bytes, in a buffer that grows with the output.
fn inflate(packed: &[u8]) -> Result<Vec<u8>, Damage> {
    let mut state = Box::new(DecompressorOxide::new());
    let mut out = vec![0; packed.len().saturating_mul(4).clamp(64, MAX_SOURCE)];
    let (mut read, mut written) = (0, 0);
    loop {
        let rest = packed.get(read..).unwrap_or_default();
        let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, taken, made) = decompress(&mut state, rest, &mut out, written, flags);
        read += taken;
        written += made;
        match status {
            TINFLStatus::Done if read < packed.len() => return Err(Damage::Longer),
            TINFLStatus::Done => {
                out.truncate(written);
                return Ok(out);
            }
            TINFLStatus::HasMoreOutput if out.len() >= MAX_SOURCE => return Err(Damage::Large),
            TINFLStatus::HasMoreOutput => out.resize((out.len() * 2).min(MAX_SOURCE), 0),
            _ => return Err(Damage::Packed),
        }
    }
}
