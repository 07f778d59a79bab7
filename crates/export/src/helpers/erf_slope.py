def erf_slope(k, x):
    """The k-th derivative of erf(x), k >= 1."""
    return bell([2.0 / math.sqrt(math.pi)], 1.0, k - 1, x)
