def normals(draws):
    """Pairs of draws, along the last axis, as standard normal numbers (Box and Muller)."""
    u1 = ((draws[..., 0::2] >> np.uint64(11)) + np.uint64(1)).astype(float) * 2.0**-53
    return np.sqrt(-2.0 * np.log(u1)) * np.cos(2.0 * np.pi * uniforms(draws[..., 1::2]))
