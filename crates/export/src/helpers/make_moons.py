def make_moons(n=200, noise=0.1, seed=1):
    """Two half circles, one inside the other's opening."""
    d, k = draws(seed, 5 * n).reshape(n, 5), np.arange(n) % 2
    angle = np.pi * uniforms(d[:, 0])
    x, y = np.cos(angle), np.sin(angle)
    points = np.stack([np.where(k == 0, x, 1.0 - x), np.where(k == 0, y, 0.5 - y)], 1)
    return points + noise * normals(d[:, 1:]), k[:, None].astype(float)
