//! Running other programs: found or explained, quiet with a pulse when long, or shown line by line.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Failure, Outcome};

/// How often a long quiet program shows that it lives.
const PULSE: Duration = Duration::from_secs(30);

/// How much of a failed program's output is shown.
const TAIL_LINES: usize = 40;

/// A command in a folder of the project.
pub(crate) fn command(program: impl AsRef<OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    command
}

/// The first line of what a program prints on standard output; `None` when it cannot be run.
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

/// Tells if a program succeeds, run without showing its output.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Runs a program whose output is shown as it comes, unchanged.
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

/// Shows what a program has said.
pub(crate) fn show(said: &[u8]) {
    let mut screen = std::io::stdout().lock();
    let _closed_pipe = screen.write_all(said).and_then(|()| screen.flush());
}

/// Runs a program whose standard output is shown as it comes and handed over line by line.
pub(crate) fn watched(command: &mut Command, mut each_line: impl FnMut(&str)) -> Outcome<()> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| cannot_start(command, &error))?;
    if let Some(output) = child.stdout.take() {
        let mut reader = BufReader::new(output);
        let mut line = Vec::new();
        // Read as bytes: a test may print anything.
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

/// Runs a program without showing its output; every half minute a line says how long it has run. When it fails, the end of its
/// output is in the message.
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

/// A line with the hosts of its addresses left out: where packages come from is a matter of the machine, and logs are passed on.
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

/// A duration as people say it: `4.2 s`, `2 min 05 s`.
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

/// The program of a command, without its folder.
fn program(command: &Command) -> String {
    let program = command.get_program();
    let name = Path::new(program).file_name().unwrap_or(program);
    name.to_string_lossy().into_owned()
}

/// The command as one would type it, programs without their folders.
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
