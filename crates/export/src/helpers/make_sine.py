def make_sine(n=200, noise=0.1, seed=1):
    """Points of a period of the sine."""
    d = draws(seed, 3 * n).reshape(n, 3)
    x = 2.0 * uniforms(d[:, :1]) - 1.0
    return x, np.sin(np.pi * x) + noise * normals(d[:, 1:])
