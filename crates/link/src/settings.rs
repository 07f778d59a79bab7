//! View settings: all keys of a link except the program, the heap and the check sum.

use fletch_diagrams::Style;
use fletch_playground::protocol::{FoldKey, Level, Mode};
use serde::{Deserialize, Serialize};

/// Tab of the page: the view next to the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// The reduction, step by step.
    #[default]
    Steps,
    /// The arrow of a command, as a string diagram.
    Diagram,
    /// The training.
    Train,
    /// The typing derivation at the cursor.
    Types,
    /// Comparison of two programs and of two runs.
    Compare,
}

/// Choice of the arrow that a diagram shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// The whole command: ⟦rev handle …⟧.
    #[default]
    Handled,
    /// The handled command: ⟦R⟧.
    Network,
    /// Both diagrams.
    Both,
}

/// Settings of a diagram.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagram {
    /// `of`: name of the command to draw. Empty for the first command of the program, which is `main` if it
    /// has one.
    pub of: String,
    /// `part`: choice of the arrow.
    pub part: Part,
    /// `style`: forward and backward pass side by side, or in one line.
    pub style: Style,
    /// `open`: keys of toggled elements in the diagram of the handled command: opened boxes and folded runs
    /// of handlers.
    pub open: Vec<String>,
    /// `inner`: keys of toggled elements in the diagram of the network.
    pub inner: Vec<String>,
}

/// Settings of the view. A link leaves out settings with default values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// `name`: name of the program for readers. Empty if the first comment of the program is its name.
    pub name: String,
    /// `step`: position in the run, as the number of small steps before it.
    pub step: u32,
    /// `level`: level of the stops that are shown.
    pub level: Level,
    /// `view`: selected tab.
    pub view: Tab,
    /// `fold`: keys of toggled folds: opened if folded by default, folded if open by default.
    pub folds: Vec<FoldKey>,
    /// `of`, `part`, `style`, `open`, `inner`: settings of the diagram.
    pub diagram: Diagram,
    /// `stop`: lines with a breakpoint, from 1, ascending.
    pub breakpoints: Vec<u32>,
    /// `mode`: mode of the run.
    pub mode: Mode,
}

/// Levels with their names in links.
const LEVELS: [(Level, &str); 5] = [
    (Level::Every, "every"),
    (Level::Plain, "plain"),
    (Level::Operations, "operations"),
    (Level::Handlers, "handlers"),
    (Level::Moments, "moments"),
];

/// Choices of the drawn arrow with their names in links.
const PARTS: [(Part, &str); 3] = [
    (Part::Handled, "handled"),
    (Part::Network, "network"),
    (Part::Both, "both"),
];

/// Styles with their names in links.
const STYLES: [(Style, &str); 2] = [(Style::Bent, "bent"), (Style::Unbent, "unbent")];

/// Maximum number of entries in one list of folds, toggled elements or breakpoints.
const MOST: usize = 1000;
/// Maximum length of the name of a program, of a command or of a toggled element, in characters.
const LONG: usize = 400;

impl Tab {
    /// All tabs, in their order on the page.
    pub const ALL: [Tab; 5] = [
        Tab::Steps,
        Tab::Diagram,
        Tab::Train,
        Tab::Types,
        Tab::Compare,
    ];

    /// Finds a tab by its name.
    pub fn named(name: &str) -> Option<Tab> {
        Tab::ALL.into_iter().find(|tab| tab.name() == name)
    }

    /// Name of the tab in links.
    pub fn name(self) -> &'static str {
        match self {
            Tab::Steps => "steps",
            Tab::Diagram => "diagram",
            Tab::Train => "train",
            Tab::Types => "types",
            Tab::Compare => "compare",
        }
    }

    /// Names of all tabs.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Tab::ALL.into_iter().map(Tab::name)
    }
}

/// Finds a level by its name in links.
pub fn level_named(name: &str) -> Option<Level> {
    of_name(&LEVELS, name)
}

impl Settings {
    /// Keys that differ from the default, with their values, in the fixed order of the keys.
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let usual = Settings::default();
        let mut pairs = Vec::new();
        if !self.name.is_empty() {
            pairs.push(("name", self.name.clone()));
        }
        if self.step != usual.step {
            pairs.push(("step", self.step.to_string()));
        }
        if self.level != usual.level {
            pairs.push(("level", name_of(&LEVELS, &self.level).to_owned()));
        }
        if self.view != usual.view {
            pairs.push(("view", self.view.name().to_owned()));
        }
        if !self.folds.is_empty() {
            let fold = |FoldKey(a, b, c): &FoldKey| format!("{a}.{b}.{c}");
            pairs.push(("fold", joined(self.folds.iter().map(fold))));
        }
        let (diagram, drawn) = (&self.diagram, usual.diagram);
        if !diagram.of.is_empty() {
            pairs.push(("of", diagram.of.clone()));
        }
        if diagram.part != drawn.part {
            pairs.push(("part", name_of(&PARTS, &diagram.part).to_owned()));
        }
        if diagram.style != drawn.style {
            pairs.push(("style", name_of(&STYLES, &diagram.style).to_owned()));
        }
        for (key, boxes) in [("open", &diagram.open), ("inner", &diagram.inner)] {
            if !boxes.is_empty() {
                pairs.push((key, boxes.join(";")));
            }
        }
        if !self.breakpoints.is_empty() {
            pairs.push(("stop", joined(self.breakpoints.iter().map(u32::to_string))));
        }
        let mode = match (self.mode.total, self.mode.shortcuts) {
            (false, false) => None,
            (true, false) => Some("total"),
            (false, true) => Some("shortcuts"),
            (true, true) => Some("total,shortcuts"),
        };
        pairs.extend(mode.map(|mode| ("mode", mode.to_owned())));
        pairs
    }

    /// Sets a key to a value; false if the key is unknown or the value cannot be read.
    pub(crate) fn take(&mut self, key: &str, value: &str) -> bool {
        let mut take = || -> Option<()> {
            match key {
                "name" => {
                    self.name = short(value).filter(|name| !name.contains(char::is_control))?
                }
                "step" => self.step = number(value)?,
                "level" => self.level = level_named(value)?,
                "view" => self.view = Tab::named(value)?,
                "fold" => {
                    self.folds = listed(value, ',', |fold| {
                        let mut parts = fold.split('.').map(number);
                        let key = FoldKey(parts.next()??, parts.next()??, parts.next()??);
                        parts.next().is_none().then_some(key)
                    })?;
                }
                "of" => self.diagram.of = short(value)?,
                "part" => self.diagram.part = of_name(&PARTS, value)?,
                "style" => self.diagram.style = of_name(&STYLES, value)?,
                "open" => self.diagram.open = listed(value, ';', short)?,
                "inner" => self.diagram.inner = listed(value, ';', short)?,
                "stop" => {
                    let mut lines = listed(value, ',', number)?;
                    lines.sort_unstable();
                    lines.dedup();
                    self.breakpoints = lines;
                }
                "mode" => {
                    let mut mode = Mode::default();
                    for word in value.split(',') {
                        match word {
                            "total" => mode.total = true,
                            "shortcuts" => mode.shortcuts = true,
                            _ => return None,
                        }
                    }
                    self.mode = mode;
                }
                _ => return None,
            }
            Some(())
        };
        take().is_some()
    }
}

/// Parses a natural number: decimal digits, without a sign.
fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

/// Accepts a name that is neither empty nor longer than [`LONG`].
fn short(name: &str) -> Option<String> {
    let fits = !name.is_empty() && name.chars().count() <= LONG;
    fits.then(|| name.to_owned())
}

fn listed<T>(text: &str, between: char, read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    let found: Option<Vec<T>> = text.split(between).take(MOST + 1).map(read).collect();
    found.filter(|found| found.len() <= MOST)
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(",")
}

fn name_of<T: PartialEq>(table: &[(T, &'static str)], value: &T) -> &'static str {
    let found = table.iter().find(|(other, _)| other == value);
    found.map_or("", |(_, name)| name)
}

fn of_name<T: Copy>(table: &[(T, &str)], name: &str) -> Option<T> {
    let found = table.iter().find(|(_, other)| *other == name);
    found.map(|(value, _)| *value)
}
