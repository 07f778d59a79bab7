def make_blips(length=64, n=200, noise=0.1, seed=1):
    """Signals of two bumps: inputs with noise, targets without."""
    d = draws(seed, (6 + 2 * length) * n).reshape(n, -1)
    clean = np.zeros((n, length))
    for bump in range(2):
        u = uniforms(d[:, 3 * bump : 3 * bump + 3])
        centre, width, height = length * u[:, :1], length * (1.0 + 2.0 * u[:, 1:2]) / 32.0, 0.5 + 0.5 * u[:, 2:]
        clean += height * np.exp(-0.5 * ((np.arange(length) - centre) / width) ** 2)
    return clean + noise * normals(d[:, 6:]), clean
