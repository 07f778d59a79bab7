def fans(shape):
    """fan_in and fan_out of a tensor; both its size for a vector."""
    return math.prod(shape[1:] or shape), math.prod(shape[:1] + shape[2:])
