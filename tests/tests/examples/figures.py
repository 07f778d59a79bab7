"""What `main` of some examples comes to, in JAX and from the definitions alone: prints figures.json.

A loss is written down and differentiated by jax.grad; the weights are drawn as the language page says.
"""

import json
import math

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


class Draws:
    """SplitMix64."""

    def __init__(self, seed):
        self.state = seed

    def bits(self):
        mask = (1 << 64) - 1
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & mask
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return (z ^ (z >> 31)) >> 11

    def uniform(self):
        return self.bits() * 2.0**-53

    def normal(self):
        u = (self.bits() + 1) * 2.0**-53
        return math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * self.uniform())


def filled(sizes, draw):
    shape = tuple(reversed(sizes))
    return jnp.array([draw() for _ in range(math.prod(shape))]).reshape(shape)


def glorot(n, m, seed):
    draws, limit = Draws(seed), math.sqrt(6.0 / (n + m))
    return filled((n, m), lambda: -limit + 2.0 * limit * draws.uniform())


def normal(sizes, std, seed):
    draws = Draws(seed)
    return filled(sizes, lambda: std * draws.normal())


def half_sq(e):
    return 0.5 * jnp.sum(e * e)


def gelu(x):
    return 0.5 * x * (1.0 + jax.scipy.special.erf(x / math.sqrt(2.0)))


def descended(loss, w, x):
    """One step of gradient descent, and the gradient of the input."""
    of_weights, of_input = jax.grad(loss, (0, 1))(w, x)
    return {name: w[name] - of_weights[name] for name in w}, of_input


def gelu_network():
    w = {
        "w0": normal((1, 8), math.sqrt(2.0), 1),
        "b0": normal((8,), 0.5, 2),
        "w1": glorot(8, 1, 3),
    }
    loss = lambda w, x: 0.05 * half_sq(w["w1"] @ gelu(w["w0"] @ x + w["b0"]) - 1.0)
    return descended(loss, w, jnp.array([0.5]))


def lora():
    fixed = glorot(4, 3, 1)
    w = {"A": normal((4, 1), 0.5, 2), "B": jnp.zeros((3, 1))}
    for x, t in [([1, 0, 0.5, -0.5], [0.5, -0.5, 0]), ([0, 1, -0.5, 0.2], [-0.3, 0.6, 0.1])]:
        output = lambda w, x: jnp.tanh(fixed @ x + w["B"] @ (w["A"] @ x))
        w, value = descended(lambda w, x: 0.1 * half_sq(output(w, x) - jnp.array(t)), w, jnp.array(x))
    return {"W": fixed, **w}, value


def vae():
    w = {
        "encode": glorot(2, 6, 1),
        "centre": glorot(6, 1, 2),
        "spread": glorot(6, 1, 3),
        "widen": glorot(1, 6, 4),
        "decode": glorot(6, 2, 5),
    }
    target = jnp.array([1.0, 0.5])

    def loss(w, inputs):
        x, noise = inputs
        h = jnp.tanh(w["encode"] @ x)
        mean, log_variance = w["centre"] @ h, w["spread"] @ h
        code = mean + jnp.sqrt(jnp.exp(log_variance)) * noise
        output = w["decode"] @ jnp.tanh(w["widen"] @ code)
        divergence = -0.5 * jnp.sum(1.0 + log_variance - mean**2 - jnp.exp(log_variance))
        return 0.1 * (half_sq(output - target) + 0.05 * divergence)

    return descended(loss, w, (target, jnp.array([0.3])))


def maml():
    def error(v, x, y):
        return half_sq(jnp.tanh(x[:, None] * v[None, :4] + v[None, 4:8]) @ v[8:] - y)

    def loss(w, task):
        x, y, later_x, later_y = task
        adapted = w["w"] - 0.1 * jax.grad(error)(w["w"], x, y)
        return 0.1 * error(adapted, later_x, later_y)

    task = [[-1, 0, 1], [0, 0.8, 0.9], [-0.5, 0.5, 1.5], [0.4, 1, 0.6]]
    return descended(loss, {"w": normal((12,), 0.8, 1)}, tuple(jnp.array(part, float) for part in task))


def transformer():
    sizes = {"embed": (2, 4), "query": (4, 4), "key": (4, 4), "value": (4, 4), "up": (4, 8), "down": (8, 4), "head": (4, 1)}
    w = {name: glorot(*size, seed) for seed, (name, size) in enumerate(sizes.items(), 1)}

    def standard(x):
        c = x - jnp.mean(x, axis=1, keepdims=True)
        return c / jnp.sqrt(jnp.mean(c * c, axis=1, keepdims=True) + 0.001)

    def network(w, sequence):
        e = sequence.reshape(4, 2) @ w["embed"].T
        q, k, v = (e @ w[name].T for name in ("query", "key", "value"))
        h = standard(e + jax.nn.softmax(q @ k.T / 2.0, axis=1) @ v)
        h = standard(h + gelu(h @ w["up"].T) @ w["down"].T)
        return jnp.sum(h @ w["head"].T)

    def loss(w, x):
        return 0.1 * (half_sq(network(w, x[:, 0]) - 1.4) + half_sq(network(w, x[:, 1]) - 1.0)) / 2.0

    x = [[0.5, 0.1], [1, 0], [0.2, 0.7], [0, 1], [0.9, 0.3], [1, 1], [0.4, 0.6], [0, 0]]
    return descended(loss, w, jnp.array(x))


def flat(tree):
    return [float(entry) for leaf in jax.tree_util.tree_leaves(tree) for entry in jnp.ravel(leaf)]


examples = {"gelu": gelu_network, "lora": lora, "vae": vae, "maml": maml, "transformer": transformer}
figures = {}
for name, run in examples.items():
    heap, value = run()
    figures[name] = {"value": flat(value), "heap": {location: flat(heap[location]) for location in heap}}
lines = [f" {json.dumps(name)}: {json.dumps(one)}" for name, one in figures.items()]
print("{\n" + ",\n".join(lines) + "\n}")
