def below(scores):
    """How far scores are below the largest, as finite numbers: 0 for the largest, also where that is infinite."""
    largest = jnp.max(scores)
    finite = jnp.maximum(scores - largest, jnp.finfo(scores.dtype).min)
    return jnp.where(scores == largest, 0.0, finite)
