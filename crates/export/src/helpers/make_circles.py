def make_circles(n=200, noise=0.1, seed=1):
    """Two circles, of radius 1 and 1/2."""
    d, k = draws(seed, 5 * n).reshape(n, 5), np.arange(n) % 2
    angle = 2.0 * np.pi * uniforms(d[:, 0])
    radius = 1.0 - 0.5 * k
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
    return points + noise * normals(d[:, 1:]), k[:, None].astype(float)
