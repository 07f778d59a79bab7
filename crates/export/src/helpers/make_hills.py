def make_hills(n=200, noise=0.1, seed=1):
    """Points of a square, and the height there: sin(pi x) sin(pi y)."""
    d = draws(seed, 4 * n).reshape(n, 4)
    points = 2.0 * uniforms(d[:, :2]) - 1.0
    return points, np.sin(np.pi * points[:, :1]) * np.sin(np.pi * points[:, 1:]) + noise * normals(d[:, 2:])
