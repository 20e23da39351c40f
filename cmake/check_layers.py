#!/usr/bin/env python3
"""Includes point right, never left: bindings -> host -> engine -> kernels. Fails with file and line where one does not.

tests, samples and bench may include any folder, and no other folder may include them. Usage: check_layers.py [ROOT].
"""
import pathlib
import re
import sys

ORDER = ["bindings", "host", "engine", "kernels"]  # a folder may include itself and what is to its right
USERS = ["tests", "samples", "bench"]              # may include all; nobody includes them
FORBIDDEN_NAMES = {"utils", "common", "core"}      # every upward include we know of came from such a folder
SOURCES = {".h", ".hpp", ".cpp", ".cu", ".cuh", ".inl"}


def violations(root):
    for folder in ORDER:
        for path in sorted((root / folder).rglob("*")):
            if path.is_dir() and path.name in FORBIDDEN_NAMES:
                yield f"{path.relative_to(root)}: no folder is called {path.name}; name what it is for"
            if path.suffix not in SOURCES:
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                match = re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line)
                if not match:
                    continue
                place = f"{path.relative_to(root)}:{number}"
                included = pathlib.PurePosixPath(match.group(1))
                if ".." in included.parts:
                    yield f'{place}: "{included}" climbs with ..; write the path from the root'
                    continue
                top = included.parts[0]
                if top in USERS and len(included.parts) > 1:
                    yield f'{place}: {folder} includes "{included}" of {top}'
                elif top in ORDER and len(included.parts) > 1 and ORDER.index(top) < ORDER.index(folder):
                    yield f'{place}: {folder} includes "{included}", which is above it'


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    if not (root / "kernels").is_dir():
        sys.exit(f"check_layers: {root} has no folder kernels")
    found = list(violations(root))
    for violation in found:
        print(violation)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
