def maxpool2d_unpool(x, y, m):
    """An image: in each window, the entry of y for the window at the first maximum of x, and 0 elsewhere."""
    first = windows2d(x, m, -jnp.inf).argmax(3)
    put = jnp.where(np.arange(m * m) == first[..., None], y[..., None], 0.0)
    c, rows, columns = y.shape
    put = put.reshape(c, rows, columns, m, m).transpose(0, 1, 3, 2, 4)
    return put.reshape(c, rows * m, columns * m)[:, : x.shape[1], : x.shape[2]]
