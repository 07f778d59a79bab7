@partial(jax.jit, static_argnums=0)
def epoch(step, heap, samples):
    """The heap after `step` on each sample in turn."""
    return jax.lax.scan(lambda heap, sample: (step(heap, sample), None), heap, samples)[0]
