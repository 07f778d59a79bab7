def upscale(x, m):
    """Each channel of n entries stretched to m: out[k, i] = x[k, i * n // m]."""
    return x[:, np.arange(m) * x.shape[1] // m]
