//! The browser of the tests: Chromium or Chrome, found at its usual paths or installed if possible. The headless shell of Chromium lacks
//! the code for windows: tests of the page take two thirds of the time in it.

use std::env;
use std::path::PathBuf;

use crate::debian;
use crate::failure::{Failure, Outcome};

/// A browser and the program that drives it.
#[derive(Clone, Debug)]
pub(crate) struct Browser {
    pub(crate) chrome: PathBuf,
    pub(crate) driver: PathBuf,
}

/// Programs that are Chromium without the code for windows.
const SHELLS: [&str; 2] = ["chromium-headless-shell", "chrome-headless-shell"];

const CHROME_NAMES: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
];

const CHROME_PLACES: [&str; 5] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    "/opt/google/chrome/chrome",
];

const DRIVER_PLACES: [&str; 3] = [
    "/usr/lib/chromium/chromedriver",
    "/usr/lib/chromium-browser/chromedriver",
    "/opt/homebrew/bin/chromedriver",
];

const ADVICE: &str = "The tests need Chromium (or Chrome) and the chromedriver of the same version:
  Debian: apt-get install chromium-headless-shell chromium-driver
  macOS:  brew install --cask google-chrome chromedriver
Other places: set CHROME and CHROMEDRIVER to the two programs. Without a browser: cargo xtask test --only format,lint,native";

/// Additional argument for tests without measurements: the page of a test is closed before optimised code saves the time that V8 takes to
/// compile it.
pub(crate) const SHORT_LIVED: &str = "--js-flags=--wasm-tiering-budget=100000000";

/// Arguments of every browser that a test starts: no window, and no network access of the browser's own.
pub(crate) const ARGUMENTS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // The first two features are pages of the address bar. Every new profile loads them, which takes two fifths of the time that opening
    // the playground in a new profile takes. The other features are those that Playwright disables, since this list replaces Playwright's.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,AimEnabled,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,MediaRouter,NetworkTimeServiceQuerying,OptimizationHints,PaintHolding,PreconnectToSearch,ThirdPartyStoragePartitioning",
];

/// The browser and its driver, if both are found. `CHROME` and `CHROMEDRIVER` take precedence over the usual paths.
pub(crate) fn find() -> Option<Browser> {
    let chrome = from_variable("CHROME")
        .or_else(|| on_path(&SHELLS))
        .or_else(|| on_path(&CHROME_NAMES))
        .or_else(|| at(&CHROME_PLACES))?;
    let driver = from_variable("CHROMEDRIVER")
        .or_else(|| on_path(&["chromedriver"]))
        // GitHub Actions sets this variable to the folder of the driver.
        .or_else(|| {
            env::var_os("CHROMEWEBDRIVER")
                .map(|folder| PathBuf::from(folder).join(executable("chromedriver")))
        })
        .or_else(|| at(&DRIVER_PLACES))?;
    Some(Browser { chrome, driver })
}

/// True if nothing is to be installed: a browser is found, and it is the headless shell if that can be installed.
pub(crate) fn is_ready() -> bool {
    let can_be_had = debian::is_possible() && env::var_os("CHROME").is_none();
    find().is_some() && (on_path(&SHELLS).is_some() || !can_be_had)
}

/// The browser and its driver, or a failure with advice.
pub(crate) fn required() -> Outcome<Browser> {
    find().ok_or_else(|| Failure::new(ADVICE))
}

/// Installs the packages of Debian as root, otherwise fails with advice. A browser that is already installed suffices.
pub(crate) fn install() -> Outcome<()> {
    match debian::install(&["chromium-headless-shell", "chromium-driver"], ADVICE) {
        Err(failure) if find().is_none() => Err(failure),
        _ => required().map(drop),
    }
}

/// Capabilities for chromedriver, as JSON: this browser, with [`ARGUMENTS`].
pub(crate) fn capabilities(browser: &Browser) -> String {
    let arguments: Vec<_> = ARGUMENTS
        .iter()
        .map(|argument| json_string(argument))
        .collect();
    let chrome = json_string(&browser.chrome.to_string_lossy());
    format!(
        "{{ \"goog:chromeOptions\": {{ \"binary\": {chrome}, \"args\": [{}] }} }}\n",
        arguments.join(", ")
    )
}

fn json_string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted.push('"');
    quoted
}

fn from_variable(name: &str) -> Option<PathBuf> {
    env::var_os(name)
        .map(PathBuf::from)
        .filter(|path| path.is_file())
}

pub(crate) fn on_path(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<_> = env::split_paths(&env::var_os("PATH")?).collect();
    // The order of the names takes precedence over the order of the folders.
    names.iter().find_map(|name| {
        folders
            .iter()
            .map(|folder| folder.join(executable(name)))
            .find(|path| path.is_file())
    })
}

fn at(places: &[&str]) -> Option<PathBuf> {
    places.iter().map(PathBuf::from).find(|path| path.is_file())
}

fn executable(name: &str) -> String {
    format!("{name}{}", env::consts::EXE_SUFFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capabilities_are_json() {
        let browser = Browser {
            chrome: PathBuf::from(r#"C:\a "b""#),
            driver: PathBuf::new(),
        };
        let text = capabilities(&browser);
        assert!(
            text.contains(r#""binary": "C:\\a \"b\"""#)
                && text.contains(r#""--headless", "--no-sandbox""#),
            "{text}"
        );
    }
}
