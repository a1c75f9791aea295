#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks whether the window can translate what the layers below it say.

Usage: sentences.py ROOT

They speak English. ui/sentences lists their sentences as templates ("%1 cannot be read: %2."), from which the
window recognises and translates them. This finds the sentences that app/ puts together out of literals and
values, and names those that no template of the lists matches; and templates that nobody says any more. Commands
of the command line are left out, since no window shows them. Status 1 if there is any.
"""

import itertools
import json
import re
import sys
from pathlib import Path

FOLDERS = ("app/core", "app/catalog", "app/remote", "app/session", "app/store")
# What these say is a document of its own with its own two languages, or is for the command line only.
LEFT_OUT = re.compile(r"core/(report_(text|findings|tables|environment|neutral|reference)|report|topology_"
                      r"(lines|words|rates|islands|rings|sets|meaning|findings|cards|json|compare|mxnet|row|matrix|pci|"
                      r"rocm)|smi_parser|scaling_fit|scaling_loss|reference|comm_model)\.cpp|"
                      r"session/(node_prober|plugin_check|rebuild)\.cpp")
LIST = re.compile(r'QT_TRANSLATE_NOOP\(\s*"Sentence",\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)')
TOKEN = re.compile(r'R"(\w*)\((?P<raw>.*?)\)\1"|"(?P<text>(?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\]|\\.)\'|//[^\n]*|/\*.*?\*/|'
                   r"[A-Za-z_]\w*|\d[\w.]*|->|::|\S", re.S)
PLACE = re.compile(r"%[1-9]")
OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {close: opening for opening, close in OPENING.items()}


def unescaped(text):
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), text)


def tokens(source):
    """(True, text of a literal) or (False, token), neighbouring literals joined."""
    found = []
    for match in TOKEN.finditer(source):
        if match[0].startswith(("//", "/*")):
            continue
        literal = match["text"] if match["text"] is not None else match["raw"]
        if literal is None:
            found.append((False, match[0]))
        elif found and found[-1][0]:
            found[-1] = (True, found[-1][1] + unescaped(literal))
        else:
            found.append((True, unescaped(literal)))
    return found


def partner(words, at, step):
    """Index of the bracket that belongs to the one at `at`; step 1 looks forward, -1 back."""
    deeper, back = (OPENING, CLOSING) if step > 0 else (CLOSING, OPENING)
    depth = 0
    while 0 <= at < len(words):
        literal, word = words[at]
        if not literal:
            depth += (word in deeper) - (word in back)
            if depth == 0:
                return at
        at += step
    return at


def is_name(token):
    return not token[0] and re.match(r"[\w']", token[1]) is not None


def after_value(words, at):
    """Index behind the value (name, call, member, cast) that begins at `at`; None if none begins there."""
    if words[at] == (False, "("):
        at = partner(words, at, 1) + 1
    elif is_name(words[at]):
        at += 1
    else:
        return None
    while at < len(words) and not words[at][0]:
        word = words[at][1]
        if word in ("::", "->", "."):
            at += 2
        elif word in ("(", "["):
            at = partner(words, at, 1) + 1
        elif word == "<" and (False, ">") in words[at:at + 6]:
            at = words.index((False, ">"), at) + 1
        else:
            return at
    return at


def before_value(words, at):
    """Index of the first token of the value that ends at `at`; None if none ends there."""
    while at > 0:
        if words[at][0]:
            return None
        if words[at][1] in (")", "]"):
            at = partner(words, at, -1)
            if is_name(words[at - 1]) and words[at - 1][1] != "return":
                at -= 1
                continue
            return at
        if not is_name(words[at]):
            return None
        if words[at - 1][1] in (".", "->", "::") and not words[at - 1][0]:
            at -= 2
            continue
        return at
    return 0


def sentences(source):
    """The texts of a C++ source, values in them replaced by places: "%1 has no \\"%2\\"."."""
    words = tokens(source)
    used = set()
    for at, (literal, text) in enumerate(words):
        if not literal or at in used:
            continue
        parts = [text]
        left = at - 1
        while left > 0 and words[left] == (False, "+"):
            begin = before_value(words, left - 1)
            if begin is None:
                break
            parts.insert(0, None)
            left = begin - 1
        right = at + 1
        while right + 1 < len(words) and words[right] == (False, "+"):
            if words[right + 1][0]:
                used.add(right + 1)
                parts.append(words[right + 1][1])
                right += 2
                continue
            end = after_value(words, right + 1)
            if end is None:
                break
            parts.append(None)
            right = end
        number = itertools.count(1)
        yield "".join(f"%{next(number)}" if part is None else part for part in parts)


def is_sentence(text):
    return (re.search(r"[.?]$|[.?]%\d$", text) is not None and len(re.findall(r"[A-Za-z]{2,}", text)) > 2
            and "\n" not in text and not re.match(r"[.,;)]| [a-z]|SELECT |DELETE |INSERT ", text))


def matches(template, text):
    literals = PLACE.split(template)
    if len(literals) == 1:
        return template == text
    if not text.startswith(literals[0]) or not text.endswith(literals[-1]):
        return False
    at, end = len(literals[0]), len(text) - len(literals[-1])
    for literal in literals[1:-1]:
        found = text.find(literal, at + 1, end)
        if found < 0:
            return False
        at = found + len(literal)
    return at < end


def fillings(text):
    """The text with a word in each place; a place with no blank before it may also be empty or a sentence's end."""
    text = "X" + text if text.startswith(" ") else text
    parts = PLACE.split(text)
    choices = [("X",) if before.endswith(" ") else ("X", "", " Known: X.") for before in parts[:-1]]
    for words in itertools.product(*choices):
        yield "".join(part + word for part, word in itertools.zip_longest(parts, words, fillvalue=""))


def is_said(text, said, pieces=4):
    """Whether the text stands in what is said, in one piece or a few."""
    size = len(text)
    while size > 0 and text[:size] not in said:
        size -= 1
    return size == len(text) or (size > 0 and pieces > 1 and is_said(text[size:], said, pieces - 1))


def main():
    root = Path(sys.argv[1])
    listed = {unescaped("".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match[1])))
              for path in sorted(root.glob("ui/sentences/*_sentences.cpp"))
              for match in LIST.finditer(path.read_text(encoding="utf-8"))}
    faults = []
    said = ""
    for folder in FOLDERS:
        for path in sorted((root / folder).glob("*.cpp")):
            name = path.relative_to(root).as_posix()
            source = path.read_text(encoding="utf-8")
            said += "\0".join(text for literal, text in tokens(source) if literal) + "\0"
            if LEFT_OUT.search(name):
                continue
            for text in sentences(source):
                if is_sentence(text) and not any(matches(template, filling)
                                                 for filling in fillings(text) for template in listed):
                    faults.append(f'{name}: no list of ui/sentences has "{text}"')
    advice = re.findall(r'"advice": *("(?:[^"\\]|\\.)*")', (root / "plugins/logs.json").read_text(encoding="utf-8"))
    for text in map(json.loads, advice):
        said += text + "\0"
        if text not in listed:
            faults.append(f'plugins/logs.json: no list of ui/sentences has "{text}"')
    for template in sorted(listed):
        if not is_said(max(PLACE.split(template), key=len), said):
            faults.append(f'ui/sentences: nobody says "{template}"')
    print("\n".join(faults) if faults else f"Each of {len(listed)} sentences is said, and what is said is listed.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
