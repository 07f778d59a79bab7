def conv1d_image(w, y):
    """The transpose of conv1d by its image: x[k, i + j] gets w[l, k, j] * y[l, i]."""
    m = w.shape[2]
    return conv1d(jnp.pad(y, ((0, 0), (m - 1, m - 1))), jnp.flip(w, 2).transpose(1, 0, 2))
