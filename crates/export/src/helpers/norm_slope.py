def norm_slope(k, x):
    """The k-th derivative of the norm of x, as a function of half the squared norm, k >= 1; 0 at 0."""
    square = jnp.vdot(x, x)
    there = jnp.where(square == 0, 1.0, square)
    factor = math.prod(1.0 - 2.0 * i for i in range(k))
    return jnp.where(square == 0, 0.0, factor / (jnp.sqrt(there) * there ** (k - 1)))
