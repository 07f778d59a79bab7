def batches(samples, b):
    """Batches of b samples, as matrices whose columns they are; an incomplete last one is skipped."""
    count = len(samples[0]) // b
    return tuple(x[: count * b].reshape(count, b, math.prod(x.shape[1:])).transpose(0, 2, 1) for x in samples)
