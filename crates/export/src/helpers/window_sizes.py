def window_sizes(n, m):
    """Number of entries in each window of m, for a row of n entries."""
    return np.minimum(m, n - np.arange(0, n, m)).astype(float)
