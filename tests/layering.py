#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks every source file against the project's layers, sizes and licence lines.

Usage: layering.py ROOT QT_HEADERS

ROOT is the tree; QT_HEADERS the folder that holds QtCore/, QtWidgets/ and so on, by which a header's Qt
module is known. Prints one line an offence, `file:line: what (rule)`, and ends with status 1 if there is
any. Files and functions over the size people should keep to are named as notes, and are offences only
over the hard limit.
"""

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

FILE_LINES, FILE_LINES_HARD = 400, 500
MAIN_WINDOW_LINES = 250
FUNCTION_LINES, FUNCTION_LINES_HARD = 60, 120

SOURCE_SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}
POSIX = re.compile(r"^(sys|netinet|arpa|linux|net)/|^(unistd|fcntl|poll|signal|pwd|netdb|termios|dlfcn|spawn|"
                   r"sched|glob|time|errno|execinfo|getopt|dirent|pthread)\.h$")
STANDARD = re.compile(r"^[a-z_]+$")  # <vector>, <cstdint>


@dataclass
class Layer:
    """What the files of one folder may include."""

    own: tuple  # folders of the tree, own one included
    qt: tuple = ()  # Qt modules, anywhere
    qt_cpp: tuple = ()  # Qt modules, in .cpp files only
    libraries_cpp: tuple = ()  # first part of a library header's path, in .cpp files only
    posix: bool = False  # system headers, in .cpp files only
    exceptions: dict = field(default_factory=dict)  # file of the layer → library it alone may include


CHARTS_QT = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtPrintSupport")
BELOW_SESSION = ("app/core", "app/catalog", "app/remote", "app/store")

# Longest folder first: the first that matches a file is its layer.
LAYERS = {
    "app/main.cpp": Layer(own=("app", "ui"), qt=CHARTS_QT),
    "app/core": Layer(own=("app/core",), exceptions={"app/core/json.cpp": "nlohmann",
                                                            "app/core/distributions.cpp": "boost",
                                                            "app/core/least_squares.cpp": "Eigen"}),
    "app/catalog": Layer(own=("app/core", "app/catalog"), qt=("QtCore",), libraries_cpp=("nlohmann", "re2")),
    "app/remote": Layer(own=("app/core", "app/remote"), qt=("QtCore",), qt_cpp=("QtNetwork",),
                        libraries_cpp=("libssh", "qt6keychain"), posix=True),
    "app/store": Layer(own=("app/core", "app/store"), qt=("QtCore",), qt_cpp=("QtSql",),
                       libraries_cpp=("nlohmann", "archive.h", "archive_entry.h"), posix=True),
    "app/session": Layer(own=BELOW_SESSION + ("app/session",), qt=("QtCore",), qt_cpp=("QtNetwork",),
                         libraries_cpp=("nlohmann",), posix=True),
    "app/cli": Layer(own=BELOW_SESSION + ("app/session", "app/cli"), qt=("QtCore",),
                     libraries_cpp=("nlohmann",), posix=True),
    "ui/charts": Layer(own=("app/core", "ui/charts"), qt=CHARTS_QT, libraries_cpp=("qcustomplot.h",),
                       exceptions={"ui/charts/qcp.h": "qcustomplot.h"}),
    "ui/report": Layer(own=("app/core", "app/session", "app/store", "ui"), qt=CHARTS_QT,
                       libraries_cpp=("xlsxwriter.h",)),
    "ui": Layer(own=("app/core", "app/session", "ui"), qt=CHARTS_QT + ("QtDBus",)),
}
# What a stand-alone program must not know; anything else (oneDNN, Gloo, CUDA, POSIX) is its own affair.
BACKEND_FORBIDDEN = ("nlohmann", "libssh", "qcustomplot.h")


def qt_modules(headers: Path) -> dict:
    """Header name → the Qt module it belongs to, for every module of QT_HEADERS."""
    found = {}
    for folder in sorted(headers.glob("Qt*")):
        for header in folder.iterdir():
            if header.is_file():
                found.setdefault(header.name, folder.name)
    return found


def layer_of(path: str):
    for folder, layer in LAYERS.items():
        if path == folder or path.startswith(folder + "/"):
            return folder, layer
    return None, None


def tree_file(root: Path, path: str, header: str):
    """The file of the tree that `header` means in `path`, or None."""
    top = path.split("/")[0]
    roots = [Path(path).parent, Path(top)] + ([Path("app"), Path("ui")] if top != "backend" else [])
    for folder in roots:
        found = root / folder / header
        if found.is_file():
            return found.resolve().relative_to(root.resolve()).as_posix()
    return None


def include_offence(path: str, target, header: str, modules: dict):
    """Why `path` must not include `header` (the tree's file `target`, if it is one), or None."""
    if path.startswith("backend/"):
        if target and not target.startswith("backend/"):
            return "backend/ stands alone and includes nothing else of the tree"
        if header in modules or header.split("/")[0] in modules.values():
            return "backend/ has no Qt"
        if header.split("/")[0] in BACKEND_FORBIDDEN:
            return f"backend/ does not use {header.split('/')[0]}"
        return None
    folder, layer = layer_of(path)
    if layer is None:
        return None
    in_cpp = path.endswith(".cpp")
    if target:
        if any(target == own or target.startswith(own + "/") for own in layer.own):
            return None
        return f"{folder} must not know {'/'.join(target.split('/')[:2])}"
    module = modules.get(header) or (header.split("/")[0] if header.startswith("Qt") else None)
    if module:
        if module in layer.qt or (in_cpp and module in layer.qt_cpp):
            return None
        where = " in a header" if module in layer.qt_cpp else ""
        return f"{folder} must not use {module}{where}"
    library = header.split("/")[0]
    if STANDARD.match(header) or layer.exceptions.get(path) == library:
        return None
    if library in layer.libraries_cpp or (layer.posix and POSIX.match(header)):
        return None if in_cpp else f"<{header}> belongs in .cpp files only"
    return f"{folder} must not use <{header}>"


def check_includes(root: Path, path: str, lines: list, modules: dict) -> list:
    offences = []
    for number, line in enumerate(lines, 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if not match:
            continue
        header = match.group(2)
        if header.endswith(".moc"):
            continue
        target = tree_file(root, path, header) if match.group(1) == '"' else None
        if match.group(1) == '"' and target is None and header in modules:
            offences.append(f"{path}:{number}: write a Qt header as <{header}> (C5)")
            continue
        reason = include_offence(path, target, header, modules)
        if reason:
            offences.append(f"{path}:{number}: {reason} (C5)")
    return offences


def check_sizes(path: str, lines: list):
    """Offences and notes. A function's body is from a lone `{` to a lone `}`, as the format lays it out."""
    offences, notes = [], []
    limit = MAIN_WINDOW_LINES if Path(path).stem == "main_window" else FILE_LINES
    hard = MAIN_WINDOW_LINES if limit == MAIN_WINDOW_LINES else FILE_LINES_HARD
    if len(lines) > limit:
        text = f"{path}:1: {len(lines)} lines, at most {limit} (C7)"
        (offences if len(lines) > hard else notes).append(text)
    start = None
    for number, line in enumerate(lines, 1):
        if line == "{":
            start = number
        elif line == "}" and start is not None:
            length = number - start - 1
            if length > FUNCTION_LINES:
                text = f"{path}:{start}: a function of {length} lines, at most {FUNCTION_LINES} (C7)"
                (offences if length > FUNCTION_LINES_HARD else notes).append(text)
            start = None
    return offences, notes


def check_licence(path: str, lines: list) -> list:
    apache = path.startswith(("backend/", "tests/backend/", "tests/gpu/")) or re.match(r"plugins/[^/]+/node/", path)
    wanted = "Apache-2.0" if apache else "GPL-3.0-or-later"
    if any(f"SPDX-License-Identifier: {wanted}" in line for line in lines[:3]):
        return []
    return [f"{path}:1: the first lines do not say SPDX-License-Identifier: {wanted}"]


def main(arguments: list) -> int:
    if len(arguments) != 2:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    root = Path(arguments[0])
    modules = qt_modules(Path(arguments[1]))
    if "QWidget" not in modules or "QSqlQuery" not in modules:
        print(f"layering.py: {arguments[1]} does not hold Qt's headers (QtWidgets, QtSql).", file=sys.stderr)
        return 2
    offences, notes, count = [], [], 0
    for top in ("app", "ui", "backend", "plugins", "tests"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in SOURCE_SUFFIXES or not file.is_file():
                continue
            path = file.relative_to(root).as_posix()
            lines = file.read_text(encoding="utf-8").splitlines()
            count += 1
            offences += check_licence(path, lines)
            offences += check_includes(root, path, lines, modules)
            too_long, long = check_sizes(path, lines)
            offences += too_long
            notes += long
    for note in notes:
        print(f"note: {note}")
    for offence in offences:
        print(offence)
    print(f"{count} files, {len(offences)} offences, {len(notes)} notes")
    return 1 if offences or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
