def make_normal(shape, std, seed):
    return std * normals(draws(seed, 2 * math.prod(shape))).reshape(shape)
