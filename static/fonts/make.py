"""Makes the font files of this folder and fonts.css; README.md says from what, and how to run it.

Each family is one text font and one that fills in the mathematical signs that the text font lacks. A sign is in exactly one of
the two files, and the style sheet says in which, so that a page may simply ask for "Inter" or "JetBrains Mono".
"""

import io
import shutil
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

# What a text font is asked for: Latin, Greek, combining marks, punctuation, super- and subscripts, and every block of signs.
TEXT = [(0x20, 0x7E), (0xA0, 0x17F), (0x232, 0x233), (0x2B0, 0x2FF), (0x300, 0x338), (0x370, 0x3FF), (0x1D2C, 0x1D6A), (0x1DA0, 0x1DA0),
        (0x2010, 0x2027), (0x202F, 0x205F), (0x2070, 0x209C), (0x20AC, 0x20AC), (0x2100, 0x214F), (0x2150, 0x215E), (0x2C7C, 0x2C7C)]
SIGNS = [(0x2190, 0x21FF), (0x2200, 0x22FF), (0x2300, 0x2311), (0x2318, 0x2318), (0x231C, 0x231F), (0x2325, 0x2326),
         (0x232B, 0x232B), (0x239B, 0x23BD), (0x23CE, 0x23CF), (0x2500, 0x257F), (0x2580, 0x2595), (0x25A0, 0x25FF),
         (0x2605, 0x2606), (0x2610, 0x2612), (0x2713, 0x2718), (0x27C2, 0x27C2), (0x27DC, 0x27DC), (0x27E6, 0x27EB), (0x27F0, 0x27FF),
         (0x2A00, 0x2A02), (0x2A1D, 0x2A1D), (0x2A3E, 0x2A3E), (0x2A74, 0x2A75), (0x2AF6, 0x2AF6)]
# Look-alikes and capital letters of the paper: script R, H and E, blackboard bold.
LETTERS = [(0x2107, 0x2107), (0x1D4D7, 0x1D4D7), (0x1D4E1, 0x1D4E1), (0x1D53B, 0x1D53B)]

RAISED = [(0x2B0, 0x2B8), (0x1D2C, 0x1D6A), (0x1DA0, 0x1DBB), (0x2070, 0x209C), (0x2C7C, 0x2C7C)]


def points(ranges):
    return {point for first, last in ranges for point in range(first, last + 1)}


def ranges(numbers):
    """Code points as a CSS unicode-range."""
    parts, run = [], []
    for number in sorted(numbers) + [None]:
        if run and number != run[-1] + 1 if number is not None else run:
            parts.append(f"U+{run[0]:X}" if run[0] == run[-1] else f"U+{run[0]:X}-{run[-1]:X}")
            run = []
        run.append(number)
    return ", ".join(parts)


def write(font, wanted, target, features):
    """Writes the part of a font with the wanted characters; gives the characters that it has."""
    has = wanted & set(font.getBestCmap())
    options = subset.Options(flavor="woff2", layout_features=features, hinting=False, desubroutinize=True,
                             notdef_outline=True, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14], drop_tables=["DSIG", "MATH"])
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=has)
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(target)
    print(f"{target.name}: {len(has)} characters, {target.stat().st_size} bytes")
    return has


def main(packages, folder):
    wanted = points(TEXT) | points(SIGNS) | points(LETTERS)
    faces = []

    def face(family, file, weight, has, extra=""):
        faces.append(f"@font-face {{\n  font-family: \"{family}\";\n  src: url(\"{file}\") format(\"woff2\");\n"
                     f"  font-weight: {weight};\n  font-style: normal;\n  font-display: swap;\n{extra}"
                     f"  unicode-range: {ranges(has)};\n}}\n")

    # Inter, one file for all weights of the page; its optical size is fixed at that of running text.
    inter = TTFont(packages / "inter-ui/variable/InterVariable.woff2")
    inter = instancer.instantiateVariableFont(inter, {"opsz": 14, "wght": (400, 700)})
    # Saved and read again: the subsetter does not take a font that was instantiated in memory.
    saved = io.BytesIO()
    inter.save(saved)
    inter = TTFont(saved)
    has = write(inter, wanted, folder / "inter.woff2", ["kern", "mark", "mkmk", "ccmp", "locl", "tnum", "case", "calt"])
    face("Inter", "inter.woff2", "400 700", has)
    noto = TTFont(packages / "@fontsource/noto-sans-math/files/noto-sans-math-latin-400-normal.woff2")
    signs = write(noto, wanted - has, folder / "inter-signs.woff2", ["kern", "mark"])
    face("Inter", "inter-signs.woff2", "400 700", signs)
    # Noto Sans Math has no raised letters, and ᵀ is on every page.
    raised = TTFont(packages / "dejavu-fonts-ttf/ttf/DejaVuSans.ttf")
    letters = write(raised, points(RAISED) - has - signs, folder / "inter-raised.woff2", ["mark"])
    face("Inter", "inter-raised.woff2", "400 700", letters)

    # JetBrains Mono without its ligatures, which would hide what was typed; two weights.
    webfonts = packages / "jetbrains-mono/fonts/webfonts"
    for name, weight, file in [("Regular", "400 500", "jetbrains-mono.woff2"), ("SemiBold", "600 700", "jetbrains-mono-600.woff2")]:
        mono = TTFont(webfonts / f"JetBrainsMonoNL-{name}.woff2")
        has = write(mono, wanted, folder / file, ["mark", "mkmk", "ccmp", "zero"])
        face("JetBrains Mono", file, weight, has)
    dejavu = TTFont(packages / "dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf")
    # DejaVu is 1233/2048 em wide, JetBrains Mono 600/1000: this makes columns meet to the pixel.
    advance = dejavu["hmtx"]["a"][0] / dejavu["head"].unitsPerEm
    signs = write(dejavu, wanted - has, folder / "jetbrains-mono-signs.woff2", ["mark"])
    # Once for each weight of the family: a browser joins only those files that are declared for the same weights.
    for weight in ["400 500", "600 700"]:
        face("JetBrains Mono", "jetbrains-mono-signs.woff2", weight, signs, f"  size-adjust: {100 * 0.6 / advance:.3f}%;\n")

    head = "/* Made by make.py; README.md says how. */\n\n"
    (folder / "fonts.css").write_text(head + "\n".join(faces), encoding="utf-8")
    shutil.copy(packages / "inter-ui/LICENSE.txt", folder / "LICENCE-Inter.txt")
    shutil.copy(packages / "@fontsource/noto-sans-math/LICENSE", folder / "LICENCE-NotoSansMath.txt")
    shutil.copy(packages / "@fontsource-variable/jetbrains-mono/LICENSE", folder / "LICENCE-JetBrainsMono.txt")
    shutil.copy(packages / "dejavu-fonts-ttf/LICENSE", folder / "LICENCE-DejaVu.txt")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(__file__).parent)
