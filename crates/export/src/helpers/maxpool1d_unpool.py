def maxpool1d_unpool(x, y, m):
    """An image: in each window, the entry of y for the window at the first maximum of x, and 0 elsewhere."""
    first = windows(x, m, -jnp.inf).argmax(2)
    return jnp.where(np.arange(m) == first[..., None], y[..., None], 0.0).reshape(len(x), -1)[:, : x.shape[1]]
