DIGITS = [
    ".###. #...# #..## #.#.# ##..# #...# .###.",
    "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.",
    ".###. #...# ....# ...#. ..#.. .#... #####",
    ".###. #...# ....# ..##. ....# #...# .###.",
    "...#. ..##. .#.#. #..#. ##### ...#. ...#.",
    "##### #.... ####. ....# ....# #...# .###.",
    "..##. .#... #.... ####. #...# #...# .###.",
    "##### ....# ...#. ..#.. ..#.. .#... .#...",
    ".###. #...# #...# .###. #...# #...# .###.",
    ".###. #...# #...# .#### ....# ...#. .##..",
]


def make_glyphs(n=200, noise=0.1, seed=1):
    """Digits of 7 x 5 points somewhere in images of 8 x 8; one-hot targets."""
    d, digit = draws(seed, 130 * n).reshape(n, 130), np.arange(n) % 10
    top, left = (2.0 * uniforms(d[:, :2])).astype(int).T
    shapes = np.array([[[c == "#" for c in row] for row in rows.split()] for rows in DIGITS], float)
    images = np.zeros((n, 8, 8))
    for i in range(n):
        images[i, top[i] : top[i] + 7, left[i] + 1 : left[i] + 6] = shapes[digit[i]]
    return images.reshape(n, 64) + noise * normals(d[:, 2:]), np.eye(10)[digit]
