def make_adding(length=4, n=200, seed=1):
    """The adding problem: numbers, two of them marked; their sum (Hochreiter and Schmidhuber 1997)."""
    u, row = uniforms(draws(seed, (length + 2) * n)).reshape(n, -1), np.arange(n)
    first, second = (length * u[:, -2]).astype(int), ((length - 1) * u[:, -1]).astype(int)
    second += second >= first
    numbers, marks = u[:, :length], np.zeros((n, length))
    marks[row, first] = marks[row, second] = 1.0
    return np.stack([numbers, marks], 2).reshape(n, -1), (numbers[row, first] + numbers[row, second])[:, None]
