def make_xor():
    """The truth table of exclusive or."""
    return np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([[0.0], [1.0], [1.0], [0.0]])
