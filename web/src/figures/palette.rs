//! The colours of a diagram: those of the page, read off its style sheets, so that a theme, forced colours and a projector's contrast
//! hold for what is painted too.

use web_sys::HtmlElement;

/// The colours, as a canvas takes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Palette {
    pub(super) ground: String,
    pub(super) surface: String,
    pub(super) ink: String,
    pub(super) faint: String,
    pub(super) line: String,
    pub(super) operation: String,
    pub(super) operation_fill: String,
    pub(super) location: String,
    pub(super) pure: String,
    pub(super) pure_fill: String,
    pub(super) frame: String,
    pub(super) pure_frame: String,
    pub(super) forward: String,
    pub(super) backward: String,
    pub(super) saved: String,
    pub(super) focus: String,
    pub(super) lit: String,
}

impl Palette {
    /// The colours that hold where this element is. It is used to read them, and shows nothing itself.
    pub(super) fn of(probe: &HtmlElement) -> Option<Palette> {
        let style = web_sys::window()?.get_computed_style(probe).ok()??;
        let read = |name: &str| -> Option<String> {
            // A colour for light and for dark is one of the two only where it is used.
            probe
                .style()
                .set_property("color", &format!("var({name})"))
                .ok()?;
            style.get_property_value("color").ok()
        };
        Some(Palette {
            ground: read("--paper")?,
            surface: read("--surface")?,
            ink: read("--ink")?,
            faint: read("--ink-2")?,
            line: read("--line-strong")?,
            operation: read("--op")?,
            operation_fill: read("--op-bg")?,
            location: read("--loc")?,
            pure: read("--pure")?,
            pure_fill: read("--pure-bg")?,
            frame: read("--frame")?,
            pure_frame: read("--pure-frame")?,
            forward: read("--wire")?,
            backward: read("--wire-back")?,
            saved: read("--wire-saved")?,
            focus: read("--focus")?,
            lit: read("--redex-line")?,
        })
    }

    /// Those of a file: on a light ground, whatever the page looks like.
    pub(super) fn light() -> Palette {
        let colour = |name: &str| name.to_owned();
        Palette {
            ground: colour("#fbfaf7"),
            surface: colour("#ffffff"),
            ink: colour("#1c1b19"),
            faint: colour("#5b5850"),
            line: colour("#c9c5ba"),
            operation: colour("#b3126d"),
            operation_fill: colour("#fde7f2"),
            location: colour("#8a5a00"),
            pure: colour("#17734a"),
            pure_fill: colour("#e4f5ea"),
            frame: colour("#fef4f9"),
            pure_frame: colour("#f3faf5"),
            forward: colour("#3d3a34"),
            backward: colour("#0c7a8a"),
            saved: colour("#6b4fa0"),
            focus: colour("#1b4fd1"),
            lit: colour("#e0a800"),
        }
    }
}
