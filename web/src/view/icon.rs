//! Icons of the page: small, in the colour of the surrounding text.

use yew::{AttrValue, Html, html};

/// Logo of the page: an arrow with its fletching.
pub(crate) fn logo() -> Html {
    html! {
        <svg class="logo-mark" width="1.5rem" height="1.5rem" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.9"
            stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
            <path d="M21 3 9.5 14.5" />
            <path class="logo-head" d="M14.5 3H21v6.5" />
            <path class="logo-feather" d="M9.5 14.5 7 12l-4.5 4.5L6 18l1.5 3.5L12 17z" />
        </svg>
    }
}

/// A filled icon, in a square of 12 by 12.
pub(crate) fn filled(path: &'static str) -> Html {
    html! {
        <svg width=".8125rem" height=".8125rem" viewBox="0 0 12 12" fill="currentColor" aria-hidden="true"><path d={AttrValue::Static(path)} /></svg>
    }
}

/// A stroked icon, in a square of 16 by 16.
pub(crate) fn drawn(path: &'static str) -> Html {
    html! {
        <svg width="1rem" height="1rem" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"
            stroke-linejoin="round" aria-hidden="true"><path d={AttrValue::Static(path)} /></svg>
    }
}

/// To the start.
pub(crate) const FIRST: &str = "M1 1h2v10H1zM11 1v10L4 6z";
/// To the previous stop.
pub(crate) const PREVIOUS: &str = "M9 1v10L2 6z";
/// To the next stop.
pub(crate) const NEXT: &str = "M3 1v10l7-5z";
/// To the end.
pub(crate) const LAST: &str = "M9 1h2v10H9zM1 1v10l7-5z";
/// Play.
pub(crate) const PLAY: &str = "M2.5 0.8v10.4L11 6z";
/// Pause.
pub(crate) const PAUSE: &str = "M2 1h3v10H2zM7 1h3v10H7z";
/// Arrow of a list that opens downwards.
pub(crate) const DOWN: &str = "M4 6.5 8 10.5 12 6.5";
/// Search.
pub(crate) const SEARCH: &str =
    "M7 2.6a4.4 4.4 0 1 1 0 8.8 4.4 4.4 0 0 1 0-8.8ZM10.3 10.3 13.6 13.6";
/// More controls.
pub(crate) const MORE: &str = "M3.2 8h.01M8 8h.01M12.8 8h.01";
/// Light theme.
pub(crate) const SUN: &str = "M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6ZM8 1.2v1.3M8 13.5v1.3M1.2 8h1.3M13.5 8h1.3M3.2 3.2l.9.9M11.9 11.9l.9.9M3.2 12.8l.9-.9M11.9 4.1l.9-.9";
/// Dark theme.
pub(crate) const MOON: &str = "M13.4 9.6A5.7 5.7 0 0 1 6.4 2.6a5.7 5.7 0 1 0 7 7Z";
/// Theme of the system.
pub(crate) const HALF: &str = "M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2ZM8 2.2v11.6M8 4.6h3.6M8 7h5.4M8 9.4h5.4M8 11.8h3";
/// Text of a lesson.
pub(crate) const TEXT: &str = "M3 4h10M3 7h10M3 10h10M3 13h6";
/// The program.
pub(crate) const PROGRAM: &str = "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5";
