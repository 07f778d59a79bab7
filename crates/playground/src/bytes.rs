//! Files that a front end sends to its session. Their contents are serialised as one block of bytes: as a sequence of numbers, the
//! millions of bytes of a file would be written and read one by one.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A file that a data set is read from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFile {
    /// The name that `csv("name")` gives it.
    pub name: String,
    /// Contents of the file, in any text encoding.
    #[serde(with = "crate::bytes")]
    pub bytes: Vec<u8>,
}

/// Serialises a byte vector as one block.
#[allow(clippy::ptr_arg)] // Serde gives a field as it is.
pub(crate) fn serialize<S: Serializer>(bytes: &Vec<u8>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

/// Deserialises a byte vector from one block.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    deserializer.deserialize_byte_buf(Whole)
}

struct Whole;

impl Visitor<'_> for Whole {
    type Value = Vec<u8>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("bytes")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
        Ok(bytes)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // A failed test is a panic.
mod tests {
    use super::InputFile;

    #[test]
    fn a_file_crosses_as_it_is() {
        for bytes in [Vec::new(), vec![0, 255, 10], vec![7; 300]] {
            let name = "a".to_owned();
            let file = InputFile { name, bytes };
            let crossed = postcard::to_allocvec(&file).unwrap();
            assert!(crossed.ends_with(&file.bytes));
            assert_eq!(postcard::from_bytes::<InputFile>(&crossed).unwrap(), file);
        }
    }
}
