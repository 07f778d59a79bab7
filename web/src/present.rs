//! Display of the page to others: on a projector, or embedded in another page. Both choose parts of the page; neither
//! changes the program.

pub(crate) mod update;
pub(crate) mod view;

use crate::model::Tab;

/// A part of the page that can be shown without the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The program.
    Editor,
    /// The command and the sentence.
    Steps,
    /// The calls that wait for their cotangents.
    Sandwich,
    /// The string diagram.
    Diagram,
    /// The heap.
    Heap,
    /// Curves and pictures of a training.
    Train,
}

/// The parts in the order of the page, each with its title on the page and its name in addresses.
pub const PARTS: [(Part, &str, &str); 6] = [
    (Part::Editor, "Program", "editor"),
    (Part::Steps, "Steps", "steps"),
    (Part::Sandwich, "Sandwich", "sandwich"),
    (Part::Diagram, "Diagram", "diagram"),
    (Part::Heap, "Heap", "heap"),
    (Part::Train, "Train", "train"),
];

/// A nonempty set of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts(u8);

impl Default for Parts {
    /// Program, steps and sandwich. In large type, diagram and heap would leave no room for the command.
    fn default() -> Self {
        Parts(0b00_0111)
    }
}

impl Parts {
    /// All parts.
    pub const ALL: Parts = Parts(0b11_1111);

    /// Parts of an embedded page whose address names none: program and steps. `embed.js` has the same default.
    pub const EMBEDDED: Parts = Parts(0b00_0011);

    /// The parts named in a text, in any order and with any separators; `None` if the text names none.
    pub fn named(text: &str) -> Option<Parts> {
        let mut words = text.split(|character: char| !character.is_ascii_lowercase());
        let bit = |word: &str| {
            let at = PARTS.iter().position(|(.., name)| *name == word)?;
            Some(1 << at)
        };
        let bits = words
            .by_ref()
            .filter_map(bit)
            .fold(0, |bits, bit: u8| bits | bit);
        (bits != 0).then_some(Parts(bits))
    }

    /// Names of the parts in addresses, with a separator.
    pub fn names(self, between: &str) -> String {
        let names = PARTS.iter().filter(|(part, ..)| self.has(*part));
        let names: Vec<&str> = names.map(|(.., name)| *name).collect();
        names.join(between)
    }

    /// True if the set contains a part.
    pub fn has(self, part: Part) -> bool {
        self.0 & bit(part) != 0
    }

    /// The set with a part added or removed; the last part stays.
    pub fn toggled(self, part: Part) -> Parts {
        self.without(0, part)
    }

    /// The set with a part added or removed, on a projector, which has no tabs. There diagram and heap exclude each
    /// other. Adding the training removes all other parts; the program can be added again.
    pub fn toggled_on_wall(self, part: Part) -> Parts {
        let others = match part {
            Part::Train if self.has(part) => 0,
            Part::Train => Parts::ALL.0 & !bit(part),
            Part::Diagram => bit(Part::Heap) | bit(Part::Train),
            Part::Heap => bit(Part::Diagram) | bit(Part::Train),
            Part::Steps | Part::Sandwich => bit(Part::Train),
            Part::Editor => 0,
        };
        self.without(others, part)
    }

    fn without(self, others: u8, part: Part) -> Parts {
        match (self.0 ^ bit(part)) & !others {
            0 => self,
            bits => Parts(bits),
        }
    }

    /// The set extended by the part of a tab, so that a presentation begins with what its presenter sees. A diagram
    /// replaces all other parts: most projectors have no room for it next to command and sandwich.
    pub fn with(self, tab: Tab) -> Parts {
        match tab {
            _ if self.shows(tab) => self,
            Tab::Steps => self.toggled_on_wall(Part::Steps),
            Tab::Diagram => Parts(bit(Part::Diagram)),
            Tab::Train => self.toggled_on_wall(Part::Train),
            _ => self,
        }
    }

    /// True if the stage shows this tab.
    pub fn shows(self, tab: Tab) -> bool {
        match tab {
            Tab::Steps => [Part::Steps, Part::Sandwich, Part::Heap]
                .into_iter()
                .any(|part| self.has(part)),
            Tab::Diagram => self.has(Part::Diagram),
            Tab::Train => self.has(Part::Train),
            // The other tabs are not presented.
            _ => false,
        }
    }

    /// The tab to begin with. The heap alone is no reason to choose the steps.
    pub fn tab(self) -> Tab {
        let heap = !self.has(Part::Steps) && !self.has(Part::Sandwich);
        let tabs = [Tab::Steps, Tab::Diagram, Tab::Train].into_iter();
        let shown = tabs.skip(usize::from(heap)).find(|tab| self.shows(*tab));
        shown.unwrap_or(Tab::Steps)
    }
}

fn bit(part: Part) -> u8 {
    PARTS
        .iter()
        .position(|(other, ..)| *other == part)
        .map_or(0, |at| 1 << at)
}

/// Standing of the page: alone, on a projector, or within another page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stand {
    /// A standalone page, with all its parts.
    #[default]
    Alone,
    /// Shown on a projector.
    Presented,
    /// Embedded in another page.
    Embedded,
}

/// State of the display.
#[derive(Clone, Debug, PartialEq)]
pub struct Showing {
    /// Standing of the page.
    pub stand: Stand,
    /// Parts shown when the page does not stand alone.
    pub parts: Parts,
    /// Type size on a projector, in percent of the usual size.
    pub size: u32,
    /// True if the screen is black, to direct attention to the presenter.
    pub black: bool,
    /// True if the presenter's bar and the transport are visible, because the pointer has moved.
    pub remote: bool,
    /// Tab before the presentation, to be restored after it.
    pub before: Tab,
    /// True if the step notes have their own window.
    pub speaker: bool,
    /// True if the program cannot be changed.
    pub fixed: bool,
    /// Height last reported to the page around this one, in hundredths of the type size.
    pub told: u32,
}

/// Available type sizes, in percent.
const SIZES: [u32; 6] = [100, 125, 150, 175, 200, 250];

impl Default for Showing {
    fn default() -> Self {
        Showing {
            stand: Stand::Alone,
            parts: Parts::default(),
            size: 150,
            black: false,
            remote: false,
            before: Tab::Steps,
            speaker: false,
            fixed: false,
            told: 0,
        }
    }
}

impl Showing {
    /// True if a part is on the page.
    pub fn has(&self, part: Part) -> bool {
        self.stand == Stand::Alone || self.parts.has(part)
    }

    /// True if the stage offers this tab.
    pub fn offers(&self, tab: Tab) -> bool {
        self.stand == Stand::Alone || self.parts.shows(tab)
    }

    /// The next larger or smaller size of type.
    pub fn sized(&self, larger: bool) -> u32 {
        let next = if larger {
            SIZES.into_iter().find(|size| *size > self.size)
        } else {
            SIZES.into_iter().rev().find(|size| *size < self.size)
        };
        next.unwrap_or(self.size)
    }

    /// Text to store for later presentations: the type size and the parts.
    pub fn kept(&self) -> String {
        format!("{} {}", self.size, self.parts.names(" "))
    }

    /// Showing read from a stored text, with defaults for an unreadable size or unreadable parts.
    pub fn restored(text: &str) -> Showing {
        let (size, parts) = text.split_once(' ').unwrap_or((text, ""));
        let size = size.parse().ok().filter(|size| SIZES.contains(size));
        let usual = Showing::default();
        Showing {
            size: size.unwrap_or(usual.size),
            parts: Parts::named(parts).unwrap_or(usual.parts),
            ..usual
        }
    }

    /// Showing requested by the query of an address: `?embed&panes=steps,heap&readonly` embeds the page. `None` for a
    /// standalone page.
    pub fn asked(query: &str) -> Option<Showing> {
        let mut pairs = query
            .trim_start_matches('?')
            .split('&')
            .map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        let given = |wanted: &str| {
            let found = pairs.clone().find(|(key, _)| *key == wanted);
            found.map(|(_, value)| value)
        };
        given("embed")?;
        let parts = given("panes").map(|panes| panes.replace("%2C", ","));
        let fixed = pairs.any(|(key, _)| key == "readonly");
        Some(Showing {
            stand: Stand::Embedded,
            parts: parts
                .and_then(|panes| Parts::named(&panes))
                .unwrap_or(Parts::EMBEDDED),
            fixed,
            ..Showing::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_named_in_any_order_and_never_none() {
        let parts = Parts::named("heap,editor,,nonsense,<b>").unwrap();
        assert_eq!(parts.names(","), "editor,heap");
        assert_eq!(Parts::named("nonsense"), None);
        let one = parts.toggled(Part::Heap);
        assert_eq!(one.names(" "), "editor");
        assert_eq!(one.toggled(Part::Editor), one);
        for (part, _, name) in PARTS {
            assert_eq!(Parts::named(name).unwrap().names(""), name);
            assert!(Parts::ALL.has(part));
        }
    }

    #[test]
    fn a_training_has_the_wall_for_itself_and_a_frame_has_tabs() {
        let parts = Parts::default();
        let wall = parts.toggled_on_wall(Part::Train);
        assert_eq!(wall.names(","), "train");
        assert_eq!(wall.tab(), Tab::Train);
        let both = wall.toggled_on_wall(Part::Editor);
        assert_eq!(both.names(","), "editor,train");
        assert_eq!(both.toggled_on_wall(Part::Train).names(","), "editor");
        assert_eq!(both.toggled_on_wall(Part::Heap).names(","), "editor,heap");
        assert_eq!(
            parts.toggled(Part::Train).names(","),
            "editor,steps,sandwich,train"
        );
        assert_eq!(parts.with(Tab::Diagram).names(","), "diagram");
        let chosen = parts.toggled_on_wall(Part::Diagram);
        assert_eq!(chosen.with(Tab::Diagram), chosen);
        for tab in [Tab::Steps, Tab::Diagram, Tab::Train] {
            assert!(parts.with(tab).shows(tab) && wall.with(tab).shows(tab));
            assert_eq!(parts.with(tab).with(Tab::Types), parts.with(tab));
        }
    }

    #[test]
    fn an_address_asks_for_an_embed() {
        assert_eq!(Showing::asked(""), None);
        assert_eq!(Showing::asked("?lang=en"), None);
        let embed = Showing::asked("?embed").unwrap();
        assert_eq!(embed.parts.names(","), "editor,steps");
        assert!(!embed.fixed && embed.stand == Stand::Embedded);
        let embed = Showing::asked("?embed&panes=diagram%2Cheap&readonly").unwrap();
        assert_eq!(embed.parts.names(","), "diagram,heap");
        assert!(embed.fixed && embed.parts.tab() == Tab::Diagram);
        let nonsense = Showing::asked("?embed=1&panes=%00<script>").unwrap();
        assert_eq!(nonsense.parts.names(","), "editor,steps");
    }

    #[test]
    fn what_is_kept_comes_back_and_nonsense_is_the_default() {
        let showing = Showing {
            size: 200,
            parts: Parts::named("steps heap").unwrap(),
            ..Showing::default()
        };
        assert_eq!(Showing::restored(&showing.kept()), showing);
        for text in ["", "x", "99999999999999 steps", "-1", "NaN heap"] {
            let restored = Showing::restored(text);
            assert_eq!(restored.size, 150);
        }
    }
}
