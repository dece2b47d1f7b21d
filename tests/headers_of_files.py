#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every tracked source file has its licence line near the top, and no file names a path of one machine."""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
NO_COMMENTS = {".json", ".gitignore", "LICENSE"}  # formats without comments, and the licence itself
MACHINE_PATH = re.compile(r"(^|[\s\"'=(])/(?:home|root|work|tmp|Users)/\w")

listing = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True)
if listing.returncode != 0:
    sys.exit("FAIL: not a git work tree; this check asks git for the files")
problems, seen = [], 0
for name in listing.stdout.decode().split("\0"):
    path = root / name
    if not name or not path.is_file():
        continue
    seen += 1
    text = path.read_text(errors="replace")
    if not NO_COMMENTS & {path.suffix, path.name} and "SPDX-License-Identifier: Apache-2.0" not in text[:300]:
        problems.append(f"{name}: no SPDX line")
    if name != "tests/headers_of_files.py":
        problems += [f"{name}:{at}: names a machine path" for at, line in enumerate(text.splitlines(), 1) if MACHINE_PATH.search(line)]
if seen < 20:
    problems.append(f"only {seen} files were looked at")
if problems:
    sys.exit("FAIL\n" + "\n".join(problems))
