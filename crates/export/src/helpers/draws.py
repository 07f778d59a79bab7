def draws(seed, count):
    """The first `count` 64-bit numbers of SplitMix64, from the state `seed`."""
    with np.errstate(over="ignore"):
        z = np.uint64(int(seed)) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
