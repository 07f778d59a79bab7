def uniforms(draws):
    """Draws as numbers of [0, 1)."""
    return (draws >> np.uint64(11)).astype(float) * 2.0**-53
