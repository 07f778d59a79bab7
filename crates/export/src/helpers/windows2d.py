def windows2d(x, m, fill):
    """An image c x h x w as windows of m x m entries, those at the ends filled up: c x ceil(h/m) x ceil(w/m) x m*m."""
    c, h, w = x.shape
    x = jnp.pad(x, ((0, 0), (0, -h % m), (0, -w % m)), constant_values=fill)
    x = x.reshape(c, -(-h // m), m, -(-w // m), m)
    return x.transpose(0, 1, 3, 2, 4).reshape(c, -(-h // m), -(-w // m), m * m)
