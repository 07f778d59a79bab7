//! Running other programs: with their output shown line by line, or hidden with regular signs of life.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Failure, Outcome};

/// Interval between signs of life of a long program without output.
const PULSE: Duration = Duration::from_secs(30);

/// Number of lines shown of a failed program's output.
const TAIL_LINES: usize = 40;

/// A command in a folder of the project.
pub(crate) fn command(program: impl AsRef<OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    command
}

/// The first line that a program prints on standard output; `None` if it fails or cannot be run.
pub(crate) fn first_line(command: &mut Command) -> Option<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().next()?.trim().to_owned();
    (output.status.success() && !line.is_empty()).then_some(line)
}

/// Runs a program with its output hidden. True if it succeeds.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Runs a program whose output is shown unchanged and at once.
pub(crate) fn shown(command: &mut Command) -> Outcome<()> {
    let status = command
        .status()
        .map_err(|error| cannot_start(command, &error))?;
    if status.success() {
        Ok(())
    } else {
        Err(failed(command))
    }
}

/// Prints the recorded output of a program.
pub(crate) fn show(said: &[u8]) {
    let mut screen = std::io::stdout().lock();
    let _closed_pipe = screen.write_all(said).and_then(|()| screen.flush());
}

/// Runs a program whose standard output is shown at once and passed to `each_line` line by line.
pub(crate) fn watched(command: &mut Command, mut each_line: impl FnMut(&str)) -> Outcome<()> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| cannot_start(command, &error))?;
    if let Some(output) = child.stdout.take() {
        let mut reader = BufReader::new(output);
        let mut line = Vec::new();
        // Lines are read as bytes, since a test may print anything.
        while reader
            .read_until(b'\n', &mut line)
            .is_ok_and(|count| count > 0)
        {
            show(&line);
            each_line(&String::from_utf8_lossy(&line));
            line.clear();
        }
    }
    let status = child
        .wait()
        .map_err(|error| cannot_start(command, &error))?;
    if status.success() {
        Ok(())
    } else {
        Err(failed(command))
    }
}

/// Runs a program with its output hidden. Every half minute a line shows the elapsed time. If the program fails, the message has the end of
/// its output.
pub(crate) fn quiet(command: &mut Command) -> Outcome<()> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .map_err(|error| cannot_start(command, &error))?;
    let compiled = AtomicUsize::new(0);
    let (status, mut output, errors) = thread::scope(|scope| {
        let output = child
            .stdout
            .take()
            .map(|pipe| scope.spawn(|| read_lines(pipe, &compiled)));
        let errors = child
            .stderr
            .take()
            .map(|pipe| scope.spawn(|| read_lines(pipe, &compiled)));
        let status = wait_with_pulse(&mut child, &program(command), &compiled);
        let text = |reader: Option<thread::ScopedJoinHandle<'_, Vec<String>>>| {
            reader
                .and_then(|reader| reader.join().ok())
                .unwrap_or_default()
        };
        (status, text(output), text(errors))
    });
    if status
        .map_err(|error| cannot_start(command, &error))?
        .success()
    {
        return Ok(());
    }
    output.extend(errors);
    let hidden = output.len().saturating_sub(TAIL_LINES);
    let tail: Vec<_> = output
        .iter()
        .skip(hidden)
        .map(|line| without_hosts(line))
        .collect();
    Err(Failure::new(format!(
        "{}\n\n{}",
        failed(command),
        tail.join("\n")
    )))
}

fn wait_with_pulse(
    child: &mut std::process::Child,
    program: &str,
    compiled: &AtomicUsize,
) -> std::io::Result<std::process::ExitStatus> {
    let start = Instant::now();
    let mut next = PULSE;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        thread::sleep(Duration::from_millis(50));
        if start.elapsed() >= next {
            let crates = compiled.load(Ordering::Relaxed);
            let crates = if crates > 0 {
                format!(", {crates} crates compiled")
            } else {
                String::new()
            };
            println!("      {program}: {}{crates} …", duration(start.elapsed()));
            next += PULSE;
        }
    }
}

fn read_lines(pipe: impl Read, compiled: &AtomicUsize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut reader = BufReader::new(pipe);
    let mut line = Vec::new();
    while reader
        .read_until(b'\n', &mut line)
        .is_ok_and(|count| count > 0)
    {
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        if text.trim_start().starts_with("Compiling ") {
            compiled.fetch_add(1, Ordering::Relaxed);
        }
        lines.push(text);
        line.clear();
    }
    lines
}

/// A line without the hosts of its addresses: the origin of packages depends on the machine, and logs are shared.
fn without_hosts(line: &str) -> String {
    let mut parts = line.split("://");
    let mut cleaned = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part
            .find(|c: char| c == '/' || c == '`' || c == '"' || c == ')' || c.is_whitespace())
            .unwrap_or(part.len());
        cleaned.push_str("://…");
        cleaned.push_str(part.get(end..).unwrap_or_default());
    }
    cleaned
}

/// Formats a duration for a person: `4.2 s`, `2 min 05 s`.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

fn cannot_start(command: &Command, error: &std::io::Error) -> Failure {
    Failure::new(format!("could not run `{}`: {error}", spoken(command)))
}

fn failed(command: &Command) -> Failure {
    Failure::new(format!("`{}` failed", spoken(command)))
}

/// Name of the program of a command, without its folder.
fn program(command: &Command) -> String {
    let program = command.get_program();
    let name = Path::new(program).file_name().unwrap_or(program);
    name.to_string_lossy().into_owned()
}

/// The command as a user would type it, with the program without its folder.
fn spoken(command: &Command) -> String {
    let arguments = command.get_args().map(|word| word.to_string_lossy().into());
    std::iter::once(program(command))
        .chain(arguments)
        .collect::<Vec<String>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_left_out() {
        assert_eq!(
            without_hosts("GET https://a.example:8/x?y failed"),
            "GET https://…/x?y failed"
        );
        assert_eq!(
            without_hosts("from `https://a.example`, or http://b"),
            "from `https://…`, or http://…"
        );
        assert_eq!(without_hosts("no address"), "no address");
    }

    #[test]
    fn durations() {
        assert_eq!(duration(Duration::from_millis(4210)), "4.2 s");
        assert_eq!(duration(Duration::from_secs(125)), "2 min 05 s");
    }
}
