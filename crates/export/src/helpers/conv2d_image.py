def conv2d_image(w, y):
    """The transpose of conv2d by its image: x[k, i + a, j + b] gets w[l, k, a, b] * y[l, i, j]."""
    kh, kw = w.shape[2:]
    around = jnp.pad(y, ((0, 0), (kh - 1, kh - 1), (kw - 1, kw - 1)))
    return conv2d(around, jnp.flip(w, (2, 3)).transpose(1, 0, 2, 3))
