//! Requests: files, options, budgets.

use fletch_elaborate::Files;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The files that a program reads, by the names that the program uses for them.
#[wasm_bindgen]
#[derive(Default)]
pub struct DataFiles {
    files: Files,
}

#[wasm_bindgen]
impl DataFiles {
    /// No files.
    #[wasm_bindgen(constructor)]
    pub fn new() -> DataFiles {
        DataFiles::default()
    }

    /// Adds a file, replacing one of the same name.
    pub fn text(&mut self, name: &str, text: String) {
        self.files.insert(name, text);
    }

    /// Adds a file from its bytes, in any text encoding.
    pub fn bytes(&mut self, name: &str, bytes: &[u8]) {
        self.files.insert_bytes(name, bytes);
    }
}

impl DataFiles {
    /// The files in the form that the checker takes.
    pub(crate) fn files(&self) -> &Files {
        &self.files
    }
}

/// Parses options from JSON; `{}` stands for the defaults.
///
/// # Errors
/// A `TypeError` that names the option which is unknown or has another type.
pub(crate) fn options<O: DeserializeOwned>(text: &str) -> Result<O, JsValue> {
    serde_json::from_str(text).map_err(|error| refusal(&wrong(&error)))
}

/// The message of the JSON parser without the position in the JSON text, which the caller did not write.
fn wrong(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let words = text.rsplit_once(" at line ").map(|(words, _)| words);
    format!("in the options: {}", words.unwrap_or(&text))
}

/// A `TypeError` for a mistake of the caller, as opposed to one in the program.
pub(crate) fn refusal(message: &str) -> JsValue {
    js_sys::TypeError::new(message).into()
}

#[cfg(feature = "everything")]
pub(crate) use running::{EngineName, ModeName, PrecisionName, budget, engine};

#[cfg(feature = "everything")]
mod running {
    use super::refusal;
    use fletch_runs::{Engine, Precision};
    use fletch_smooth::Partiality;
    use fletch_trace::Budget;
    use serde::Deserialize;
    use wasm_bindgen::JsValue;

    /// An engine by its name.
    #[derive(Clone, Copy, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) enum EngineName {
        Step,
        Denotation,
        Compiled,
    }

    /// A precision by its name.
    #[derive(Clone, Copy, Default, Deserialize)]
    pub(crate) enum PrecisionName {
        #[default]
        #[serde(rename = "f64")]
        Double,
        #[serde(rename = "f32")]
        Single,
    }

    /// A reading of partial function symbols by its name.
    #[derive(Clone, Copy, Default, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) enum ModeName {
        #[default]
        Paper,
        Total,
    }

    impl From<PrecisionName> for Precision {
        fn from(name: PrecisionName) -> Precision {
            match name {
                PrecisionName::Double => Precision::Double,
                PrecisionName::Single => Precision::Single,
            }
        }
    }

    impl From<ModeName> for Partiality {
        fn from(name: ModeName) -> Partiality {
            match name {
                ModeName::Paper => Partiality::Paper,
                ModeName::Total => Partiality::Total,
            }
        }
    }

    /// The engine of this name, with or without shortcuts, in this precision.
    ///
    /// # Errors
    /// A `TypeError`, if the engine has no shortcuts or not this precision.
    pub(crate) fn engine(
        name: EngineName,
        shortcuts: bool,
        precision: PrecisionName,
    ) -> Result<Engine, JsValue> {
        match (name, precision) {
            (EngineName::Denotation | EngineName::Compiled, _) if shortcuts => Err(refusal(
                "shortcuts are for the engine 'step': an arrow has no steps",
            )),
            (EngineName::Compiled, precision) => Ok(Engine::Compiled(precision.into())),
            (_, PrecisionName::Single) => Err(refusal(
                "precision 'f32' is for the engine 'compiled': the others compute in f64",
            )),
            (EngineName::Step, _) => Ok(Engine::Step { shortcuts }),
            (EngineName::Denotation, _) => Ok(Engine::Denotation),
        }
    }

    /// Maximum memory of a run in bytes; a wasm module can have 4 GB.
    const BYTES: usize = 1 << 30;

    /// The budget of a run. It has no time limit, so the same program always has the same run.
    pub(crate) fn budget(steps: usize) -> Budget {
        Budget {
            steps,
            milliseconds: f64::INFINITY,
            bytes: BYTES,
            now: clock::now,
            memory: || crate::MEMORY.current_usage(),
        }
    }

    mod clock {
        use wasm_bindgen::prelude::wasm_bindgen;

        #[wasm_bindgen]
        extern "C" {
            #[wasm_bindgen(js_namespace = performance, js_name = now)]
            fn performance_now() -> f64;
        }

        /// The time in milliseconds.
        pub(super) fn now() -> f64 {
            performance_now()
        }
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::wrong;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)] // It is never read.
    struct Options {
        ascii: bool,
    }

    #[test]
    fn a_wrong_option_is_named() {
        let of = |text| wrong(&serde_json::from_str::<Options>(text).unwrap_err());
        assert_eq!(
            of("{\"asci\":true}"),
            "in the options: unknown field `asci`, expected `ascii`"
        );
        assert_eq!(
            of("{\"ascii\":1}"),
            "in the options: invalid type: integer `1`, expected a boolean"
        );
    }
}
