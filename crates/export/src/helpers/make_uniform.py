def make_uniform(shape, lo, hi, seed):
    return lo + (hi - lo) * uniforms(draws(seed, math.prod(shape))).reshape(shape)
