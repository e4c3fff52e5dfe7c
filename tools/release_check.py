"""Compare a tag with the version and the changelog: all three must name the same release.

python tools/release_check.py v0.1.0
"""

from __future__ import annotations

import argparse
import datetime
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def faults(tag: str, version: str, changelog: str) -> list[str]:
    """Say what keeps a tag from being the release of this version."""
    found = []
    if tag != f"v{version}":
        found.append(f"the tag is {tag}, the version {version}: expected v{version}")
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", version):
        found.append(f"version {version} is not one of a release")
    heading = re.search(rf"^## \[{re.escape(version)}\] - (\d{{4}}-\d\d-\d\d)$", changelog, re.M)
    if heading is None:
        found.append(f"CHANGELOG.md has no heading '## [{version}] - YYYY-MM-DD'")
        return found
    try:
        datetime.date.fromisoformat(heading[1])
    except ValueError:
        found.append(f"CHANGELOG.md: {heading[1]} is no date")
    section = changelog[heading.end() :].partition("\n## ")[0]
    if not re.search(r"^- ", section, re.M):
        found.append(f"CHANGELOG.md says nothing of {version}")
    return found


def main() -> int:
    """Check this source tree against a tag."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tag", metavar="TAG")
    tag = parser.parse_args().tag
    text = (ROOT / "fanorona_core" / "_version.py").read_text("utf-8")
    version = re.search(r'= "(.+)"', text)
    assert version
    found = faults(tag, version[1], (ROOT / "CHANGELOG.md").read_text("utf-8"))
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
