//! Colours of a diagram. They are read from the style sheets of the page, so that themes and forced colours apply to the canvas
//! too.

use fletch_drawing::colours::{self, Colour};
use std::convert::Infallible;
use web_sys::HtmlElement;

/// Colours as CSS text, which a canvas accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Palette {
    pub(super) ground: String,
    pub(super) surface: String,
    pub(super) ink: String,
    pub(super) faint: String,
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
    /// Colours that apply at this element, which is used for reading them and shows nothing itself.
    pub(super) fn of(probe: &HtmlElement) -> Option<Palette> {
        let style = web_sys::window()?.get_computed_style(probe).ok()??;
        let read = |colour: Colour| {
            // The browser resolves a colour with a light and a dark variant only where it is used.
            let value = format!("var(--{})", colour.role);
            probe.style().set_property("color", &value)?;
            style.get_property_value("color")
        };
        Palette::with(read).ok()
    }

    /// Colours of a saved file: those for a light background.
    pub(super) fn light() -> Palette {
        let Ok(palette) = Palette::with(|colour| Ok::<_, Infallible>(colour.light.to_owned()));
        palette
    }

    fn with<E>(take: impl Fn(Colour) -> Result<String, E>) -> Result<Palette, E> {
        Ok(Palette {
            ground: take(colours::PAPER)?,
            surface: take(colours::SURFACE)?,
            ink: take(colours::INK)?,
            faint: take(colours::QUIET_INK)?,
            operation: take(colours::OPERATION)?,
            operation_fill: take(colours::OPERATION_GROUND)?,
            location: take(colours::LOCATION)?,
            pure: take(colours::PURE)?,
            pure_fill: take(colours::PURE_GROUND)?,
            frame: take(colours::FRAME)?,
            pure_frame: take(colours::PURE_FRAME)?,
            forward: take(colours::FORWARD)?,
            backward: take(colours::BACKWARD)?,
            saved: take(colours::SAVED)?,
            focus: take(colours::FOCUS)?,
            lit: take(colours::REDEX_LINE)?,
        })
    }
}
