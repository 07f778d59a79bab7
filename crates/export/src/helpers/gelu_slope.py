def gelu_slope(k, x):
    """The k-th derivative of x * (1 + erf(x / sqrt(2))) / 2, k >= 1."""
    c = 1.0 / math.sqrt(2.0 * math.pi)
    if k == 1:
        return 0.5 * jax.scipy.special.erfc(-x * math.sqrt(0.5)) + x * bell([c], 0.5, 0, x)
    return bell([2.0 * c, 0.0, -c], 0.5, k - 2, x)
