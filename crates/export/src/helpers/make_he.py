def make_he(shape, seed):
    """Normal, by He et al. (2015)."""
    return make_normal(shape, math.sqrt(2.0 / fans(shape)[0]), seed)
