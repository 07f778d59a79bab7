"""A preprocessor of mdBook: puts the diagram of a block marked `fletch,diagram` after it, as SVG.

`fletch,diagram` draws `main`, `fletch,diagram=R_MLP` a command; `fletch,diagram=R_MLP,only` leaves the program out. The program `fletch` is that of
the environment variable FLETCH, or found in PATH.
"""

import json
import os
import re
import subprocess
import sys

BLOCK = re.compile(r"^(`{3,})fletch,diagram(?:=([^,\n]+))?(,only)?[^\n]*\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)


def drawn(block, chapter):
    """The block with its picture."""
    _, of, only, program = block.groups()
    command = [os.environ.get("FLETCH", "fletch"), "diagram", "-", "--of", of or "main"]
    done = subprocess.run(command, input=program, capture_output=True, encoding="utf-8")
    if done.returncode != 0:
        sys.exit(f"{chapter}: a diagram cannot be drawn\n{done.stderr}")
    # An empty line would end the HTML block in Markdown.
    svg = re.sub(r"\n\s*\n", "\n", done.stdout.strip())
    picture = f'<figure class="fletch-diagram">{svg}</figure>'
    return picture if only else f"{block.group(0)}\n\n{picture}"


def visit(items):
    for item in items:
        if isinstance(item, dict) and "Chapter" in item:
            chapter = item["Chapter"]
            chapter["content"] = BLOCK.sub(lambda block: drawn(block, chapter["name"]), chapter["content"])
            visit(chapter["sub_items"])


if sys.argv[1:2] == ["supports"]:
    sys.exit(0 if sys.argv[2] == "html" else 1)
for stream in (sys.stdin, sys.stdout):
    stream.reconfigure(encoding="utf-8")
_, book = json.load(sys.stdin)
visit(book["items"] if "items" in book else book["sections"])
json.dump(book, sys.stdout, ensure_ascii=False)
