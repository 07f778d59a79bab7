def stopped_at(parts, result):
    """The result; nan if an array of `parts`, which the result does not need, is not finite: there Fletch stops with F0601."""
    goes_on = jnp.array([jnp.isfinite(part).all() for part in parts]).all()
    return jax.tree.map(lambda entries: jnp.where(goes_on, entries, jnp.nan), result)
