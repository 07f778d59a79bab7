//! The documentation pages of all diagnostic codes, from `docs/errors`. `fletch explain` prints them, and tests iterate over them to check
//! that every code has a test case. The first line of a page is its title, so each title is written only once. A front end that fetches the
//! pages itself does not refer to this table, so the table is not linked into it.

/// Documentation page of a diagnostic code.
#[derive(Debug)]
pub struct Page {
    /// `F` and four digits.
    pub code: &'static str,
    markdown: &'static str,
}

impl Page {
    /// The title of the page: the error as a sentence without its full stop.
    pub fn title(&self) -> &'static str {
        let first = self.markdown.lines().next().unwrap_or("");
        first.split_once(": ").map_or(first, |(_, title)| title)
    }

    /// The page without its title, as Markdown: paragraphs and fences.
    pub fn body(&self) -> &'static str {
        let rest = self.markdown.split_once('\n');
        rest.map_or("", |(_, body)| body).trim()
    }
}

macro_rules! pages {
    ($($code:literal)*) => {
        &[$(Page {
            code: $code,
            markdown: include_str!(concat!("../../../docs/errors/", $code, ".md")),
        },)*]
    };
}

static PAGES: &[Page] = pages! {
    "F0001" "F0002" "F0003" "F0004" "F0005" "F0006" "F0007" "F0008" "F0009"
    "F0101" "F0102" "F0103" "F0104" "F0105" "F0106" "F0107" "F0108" "F0109"
    "F0110" "F0111" "F0112" "F0113" "F0114" "F0115" "F0116" "F0117"
    "F0201" "F0202" "F0203" "F0204" "F0205" "F0206" "F0207"
    "F0301" "F0302" "F0303" "F0304" "F0305" "F0306"
    "F0401" "F0402" "F0403" "F0404" "F0406" "F0407"
    "F0501" "F0502" "F0503" "F0504" "F0505" "F0506" "F0507" "F0508" "F0509"
    "F0510"
    "F0601" "F0602" "F0603" "F0604" "F0605" "F0606" "F0607" "F0608" "F0609" "F0610"
    "F0611"
    "F0901" "F0902" "F0903" "F0904" "F0911" "F0912" "F0913" "F0999"
};

/// The pages of all codes, in order.
pub fn pages() -> &'static [Page] {
    PAGES
}

/// The page of a code.
pub fn page(code: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.code == code)
}
