def avgpool1d_spread(y, n, m):
    """The transpose of avgpool1d: distributes each entry of y evenly over its window."""
    return jnp.repeat(y / window_sizes(n, m), m, axis=1)[:, :n]
