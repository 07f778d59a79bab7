def conv1d_filter(x, y):
    """The transpose of conv1d by its filter: w[l, k, j] gets x[k, i + j] * y[l, i]."""
    return jax.lax.conv_general_dilated(x[:, None], y[:, None], (1,), "VALID").transpose(1, 0, 2)
