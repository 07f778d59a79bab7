//! The figures as a whole.

pub(crate) const THE_SITE_DOES_NOT_ANSWER: &str = "the site does not answer";
