def sigmoid(x):
    """1 / (1 + exp(-x)), without overflow, precise for x of either sign."""
    e = jnp.exp(-jnp.abs(x))
    return jnp.where(x >= 0, 1.0, e) / (1.0 + e)
