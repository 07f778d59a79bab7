@partial(jax.jit, static_argnums=0)
def mean(measure, heap, samples):
    """The mean of a measure over samples, each from the same heap."""
    return jnp.mean(jax.vmap(measure, in_axes=(None, 0))(heap, samples))
