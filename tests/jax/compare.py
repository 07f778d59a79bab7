"""Holds modules that `fletch export --to jax` wrote against what Fletch computes.

In each folder that is named there is `expected.json`: for each module what it must give. One line is printed for each
module, and the exit code says whether all are as expected.
"""

import importlib.util
import json
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def numbers(entries):
    """Numbers of JSON, where those that are not finite are strings."""
    return np.array([float(str(x).replace("Infinity", "inf")) for x in entries])


def wrong(place, expected, found, tolerance):
    """What differs by more than so much of the largest entry."""
    expected, found = numbers(expected), np.asarray(found, float).reshape(-1)
    if expected.shape != found.shape:
        return [f"{place}: {found.shape} entries, not {expected.shape}"]
    if not expected.size:
        return []
    finite = np.isfinite(expected)
    if not np.array_equal(finite, np.isfinite(found)):
        return [f"{place}: {found}, not {expected}"]
    largest = max(np.abs(expected[finite]).max(initial=0.0), 1e-300)
    error = np.abs(expected - found)[finite].max(initial=0.0) / largest
    return [f"{place}: off by {error:.1e} of the largest entry"] if error > tolerance else []


def value(place, expected, found, tolerance):
    if "real" in expected:
        return wrong(place, expected["real"], found, tolerance)
    parts = zip(expected["tuple"], found, strict=True)
    return [w for k, (e, f) in enumerate(parts) for w in value(f"{place}.{k + 1}", e, f, tolerance)]


def heap(place, expected, found, tolerance):
    missing = [f"{place}: {name} is missing" for name in expected if name not in found]
    wrongs = [wrong(f"{place} {name}", cell["data"], found[name], tolerance) for name, cell in expected.items() if name in found]
    shapes = [f"{place} {name}: shape" for name, cell in expected.items() if name in found and list(np.shape(found[name])) != cell["shape"]]
    return missing + shapes + [w for these in wrongs for w in these]


def steps(module, count):
    """The heap after so many steps of training."""
    current = module.initial_heap()
    for step, samples, epochs in module.trainings():
        for _ in range(epochs):
            for number in range(len(samples[0])):
                if count == 0:
                    return current
                current = step(current, tuple(x[number] for x in samples))
                count -= 1
    return current


def tensors(value):
    return [np.array(value["real"])] if "real" in value else [t for part in value["tuple"] for t in tensors(part)]


def check(module, expected, tolerance):
    wrongs = []
    if "initial" in expected:
        wrongs += heap("at first,", expected["initial"], module.initial_heap(), 4e-15)
    if "steps" in expected:
        after = steps(module, expected["steps"]["count"])
        wrongs += heap("after steps,", expected["steps"]["heap"], after, tolerance)
        for name, number in expected["steps"]["measures"].items():
            measured = module.MEASURES[name](module.initial_heap())
            wrongs += wrong(f"measure {name}", [number], measured, tolerance)
    if "epoch" in expected:
        heaps = []
        after = module.train(epochs=1, watch=heaps.append)
        wrongs += heap("after an epoch,", expected["epoch"], after, 100 * tolerance)
        if len(heaps) != len(module.trainings()):
            wrongs.append("watch was not called after each epoch")
    for name, predicted in expected.get("predictions", {}).items():
        for one in predicted:
            found = module.PREDICTIONS[name](module.initial_heap(), *tensors(one["input"]))
            wrongs += value(f"predict {name}", one["value"], found, tolerance)
    if "main" in expected:
        found, after = module.main(module.initial_heap())
        wrongs += value("main", expected["main"]["value"], found, tolerance)
        wrongs += heap("after main,", expected["main"]["heap"], after, tolerance)
    if "leaves" in expected:
        after = module.train()
        if all(np.isfinite(x).all() for x in jax.tree.leaves(after)):
            wrongs.append(f"{after} is finite where the training stops in Fletch")
    if "stops" in expected:
        found, _ = module.main(module.initial_heap())
        if all(np.isfinite(x).all() for x in jax.tree.leaves(found)) and expected["stops"] == "not finite":
            wrongs.append(f"{found} is finite where Fletch stops")
    if expected.get("devices"):
        step, samples, _ = module.trainings()[0]
        sample = tuple(np.asarray(x[0]) for x in samples)
        text = step.lower(module.initial_heap(), sample).compile().as_text()
        if "all-reduce" not in text and "all-gather" not in text:
            wrongs.append("the step is not spread over the devices")
        if len(samples[0].sharding.device_set) != expected["devices"]:
            wrongs.append("the batches are not spread over the devices")
    return wrongs


def main():
    failed = 0
    for folder in map(Path, sys.argv[1:]):
        for name, expected in json.loads((folder / "expected.json").read_text()).items():
            try:
                wrongs = check(load(folder / f"{name}.py"), expected, expected["tolerance"])
            except Exception as error:  # one module must not hide the others
                wrongs = [f"{type(error).__name__}: {error}"]
            print(f"{name}: {'; '.join(wrongs) or 'equal'}", flush=True)
            failed += bool(wrongs)
    print(f"{failed} differ")
    sys.exit(failed > 0)


main()
