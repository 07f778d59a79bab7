//! The bar at the top.

pub(crate) const COLOURS_AS_THE_SYSTEM_SAYS: &str = "Colours: as the system says";
pub(crate) const COLOURS_LIGHT: &str = "Colours: light";
pub(crate) const COLOURS_DARK: &str = "Colours: dark";
pub(crate) const FLETCH: &str = "Fletch";
pub(crate) const BEGIN_A_NEW_PROGRAM: &str = "Begin a new program";
pub(crate) const NEW: &str = "New";
pub(crate) const YOUR_PROGRAMS_IN_THIS_BROWSER: &str =
    "Your programs in this browser; open and save files";
pub(crate) const DRAFTS: &str = "Drafts";
pub(crate) const PRESENT_LARGE_TYPE_AND_ONLY: &str = "Present: large type, and only what is chosen";
pub(crate) const PRESENT: &str = "Present";
pub(crate) const HELP: &str = "Help";
pub(crate) const HELP_HOW_TO_READ_A: &str = "Help: how to read a command, and the keys (?)";
pub(crate) const EXAMPLES: &str = "Examples";
pub(crate) const PROGRAMS_TO_BEGIN_WITH: &str = "Programs to begin with";
