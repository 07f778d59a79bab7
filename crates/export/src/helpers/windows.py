def windows(x, m, fill):
    """An image c x n as windows of m entries, the last one filled up: c x ceil(n/m) x m."""
    c, n = x.shape
    return jnp.pad(x, ((0, 0), (0, -n % m)), constant_values=fill).reshape(c, -1, m)
