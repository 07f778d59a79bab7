def below(scores):
    """Differences of the scores from the largest score, as finite numbers: 0 for the largest, even if it is infinite."""
    largest = jnp.max(scores)
    finite = jnp.maximum(scores - largest, jnp.finfo(scores.dtype).min)
    return jnp.where(scores == largest, 0.0, finite)
