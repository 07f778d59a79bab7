def downsum(y, n):
    """The transpose of upscale: out[k, i * n // m] gets y[k, i]."""
    c, m = y.shape
    return jnp.zeros((c, n)).at[:, np.arange(m) * n // m].add(y)
