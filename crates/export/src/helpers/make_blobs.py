def make_blobs(n=200, classes=3, noise=0.1, seed=1):
    """Clouds around points of the unit circle; one-hot targets."""
    k = np.arange(n) % classes
    angle = 2.0 * np.pi * k / classes
    points = np.stack([np.cos(angle), np.sin(angle)], 1)
    return points + noise * normals(draws(seed, 4 * n).reshape(n, 4)), np.eye(classes)[k]
