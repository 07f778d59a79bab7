def sigmoid_slope(k, x):
    """The k-th derivative of s = sigmoid(x): a polynomial in s and t = sigmoid(-x), as s' = s t and t' = -s t."""
    s, t = sigmoid(x), sigmoid(-x)
    terms = {(1, 0): 1.0}
    for _ in range(k):
        slopes = {}
        for (a, b), c in terms.items():
            slopes[a, b + 1] = slopes.get((a, b + 1), 0.0) + a * c
            slopes[a + 1, b] = slopes.get((a + 1, b), 0.0) - b * c
        terms = slopes
    return sum(c * s**a * t**b for (a, b), c in terms.items() if c)
