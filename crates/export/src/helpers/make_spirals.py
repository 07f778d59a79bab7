def make_spirals(n=200, noise=0.1, seed=1):
    """Two spirals."""
    d, k = draws(seed, 5 * n).reshape(n, 5), np.arange(n) % 2
    radius = 2.0 * uniforms(d[:, 0])
    angle = 1.5 * np.pi * radius + k * np.pi
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
    return points + noise * normals(d[:, 1:]), k[:, None].astype(float)
