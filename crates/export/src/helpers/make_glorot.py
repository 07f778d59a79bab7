def make_glorot(shape, seed):
    """Uniform, by Glorot and Bengio (2010)."""
    limit = math.sqrt(6.0 / sum(fans(shape)))
    return make_uniform(shape, -limit, limit, seed)
