def softplus(x):
    """log(1 + exp(x)), without overflow."""
    return jnp.maximum(x, 0.0) + jnp.log1p(jnp.exp(-jnp.abs(x)))
