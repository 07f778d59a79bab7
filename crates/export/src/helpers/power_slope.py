def power_slope(k, j, x, p):
    """The derivative of x**p, k times by x and j times by p. For x <= 0, log(x) counts as 0, and a factor 0 gives 0."""
    taylor = [1.0] + [0.0] * j  # of p (p - 1) ... (p - k + 1), around p
    for i in range(k):
        taylor = [c * (p - i) + before for c, before in zip(taylor, [0.0] + taylor)]
    log = jnp.where(x > 0, jnp.log(jnp.where(x > 0, x, 1.0)), 0.0)
    factor = sum(math.factorial(j) / math.factorial(i) * taylor[j - i] * log**i for i in range(j + 1))
    return jnp.where(factor == 0, 0.0, factor * jnp.power(x, p - k))
