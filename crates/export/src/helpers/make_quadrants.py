def make_quadrants(n=200, noise=0.1, seed=1):
    """Points of a square; class 1 if the signs of the two coordinates differ, else 0."""
    d = draws(seed, 6 * n).reshape(n, 6)
    points = 2.0 * uniforms(d[:, :2]) - 1.0
    classes = (points[:, :1] * points[:, 1:] < 0.0).astype(float)
    return points + noise * normals(d[:, 2:]), classes
