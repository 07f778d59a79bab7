//! The heap has the same cells in every command of `fletch` and in the page: one for each location and each instance that occurs
//! anywhere in the program, whatever is run.

use fletch_elaborate::Files;
use fletch_runs::generated::Host;
use fletch_runs::live::Live;
use fletch_runs::training::{self, Course};
use fletch_runs::{Engine, Precision, export, weights};
use fletch_tests::{examples, programs};
use fletch_trace::Budget;

/// Returns the names of the cells that each command knows, in order.
fn known(source: &str) -> Vec<(&'static str, Vec<String>)> {
    let checked = fletch_ide::check(source);
    assert!(!checked.rejected(), "{:?}", checked.diagnostics);
    let (program, files) = (&checked.program, Files::default());
    let names = |heap: &[(String, fletch_smooth::Tensor)]| {
        heap.iter()
            .map(|(name, _)| name.clone())
            .collect::<Vec<_>>()
    };
    let mut known = vec![("load", names(&training::locations(program, &files)))];
    if let Some(main) = &checked.main {
        let locations = main.program.locations.iter();
        known.push((
            "run",
            locations
                .map(|location| location.name.to_string())
                .collect(),
        ));
    }
    if training::count(program, &files) > 0 {
        let course = Course {
            engine: Engine::Compiled(Precision::Double),
            epochs: Some(0),
            budget: Budget::steps(0),
            heap: &[],
            host: Some(fletch_native::host),
            halt: &|| false,
        };
        let (trained, stopped) = training::train(program, &files, course, |_, _| {});
        assert!(stopped.is_none(), "{stopped:?}");
        known.push(("train", names(&trained.heap)));
        let host = Some(fletch_native::host as Host);
        let live = Live::new(program, &files, None, &[], Precision::Double, host, || 0.0).unwrap();
        known.push(("page", names(live.heap())));
    }
    if let Ok(module) = export::python(program, &files, source) {
        let heap = module.split("def initial_heap():").nth(1).unwrap();
        let heap = heap.split("\n    }").next().unwrap();
        let lines = heap
            .lines()
            .filter_map(|line| line.trim().strip_prefix('"'));
        let names = lines.filter_map(|line| Some(line.split_once("\":")?.0.to_owned()));
        known.push(("export", names.filter(|name| !name.contains(' ')).collect()));
    }
    known
}

#[track_caller]
fn agree(source: &str) -> Vec<String> {
    let known = known(source);
    for (command, names) in &known {
        assert_eq!(names, &known[0].1, "{command}\n{source}");
    }
    known[0].1.clone()
}

#[test]
fn of_a_family_whoever_names_the_instance() {
    let source = "
loc w[i] ∷ (1)
loc alone ∷ (2)
command N[i](x : Real(1)) : Real(1) = let a ⇐ Get[w[i]]() in ⌊a + x⌋
data d = [1]
train d as v for 1 epochs = N[7](v)
measure m on d as v = N[8](v)
predict p(v : Real(1)) = N[5](v)
command Unused() : Real(1) = N[9](1)
main = N[2](1)
";
    let mut names = agree(source);
    names.sort();
    assert_eq!(names, ["alone", "w[2]", "w[5]", "w[7]", "w[8]", "w[9]"]);
}

#[test]
fn of_every_example() {
    for (name, source) in programs(&examples()) {
        assert!(
            !agree(&source).is_empty() || !source.contains("\nloc "),
            "{name}"
        );
    }
}

#[test]
fn a_heap_that_a_run_shows_can_be_loaded() {
    let source = "
loc w[i] ∷ (1) = 1
command N[i](x : Real(1)) : Real(1) = let a ⇐ Get[w[i]]() in ⌊a + x⌋
data d = [1]
train d as v for 1 epochs = N[7](v)
main = N[2](1)
";
    let program = fletch_ide::check(source).program;
    let locations = training::locations(&program, &Files::default());
    let bytes = weights::written(&locations).unwrap();
    let read = weights::read("heap", &bytes, &locations).unwrap();
    assert_eq!(read.cells, locations);
}
