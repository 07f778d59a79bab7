def window_sizes(n, m):
    """How many of n entries are in each window of m."""
    return np.minimum(m, n - np.arange(0, n, m)).astype(float)
