#!/usr/bin/env python3
"""Lists every message of the program once, and checks how they are worded.

    scripts/messages.py          prints a message a line, after its file and line
    scripts/messages.py check    fails for messages that break a rule; a step of the gate

A message is a text literal in a call that creates a message (CALLS), or after a label of a message (LABELS). Interpolations are shown
as `…`, commands and options in advice by their names. The rules: a message is one line of at most 160 characters, does
not end in a full stop (messages of DrayServer and WebServer may, as sentences of the page, or aria2's), and has none of WORDS.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CALLS = {
    "Failure", "bad", "refusal", "refused", "refuse", "refuted", "unreadable", "failure", "network", "brokenAnswer",
    "corrupt", "Finding", "SettingProblem", "QuantityParseError", "DocumentError", "APIFailure", "AccessRefusal",
    "no", "print", "say", "Notice", "note", "UsageProblem", "URLParseError", "words", "remark",
}
LABELS = {"advice", "reason", "message"}
LONGEST = 160
WORDS = [
    "anew", "meanwhile", "of its own", "by itself", "that are wanted", "which is another", "is another one",
    "all that is known", "aria2's kind", "please", "sorry", "oops", "unfortunately", "successfully",
]


def literals(text):
    """Yields (position, call, label, words) for every text literal, with the call and the label that it follows."""
    calls, label, index, size = [""], "", 0, len(text)
    while index < size:
        character = text[index]
        if text.startswith("//", index):
            index = text.find("\n", index)
            if index < 0:
                return
        elif text.startswith("/*", index):
            index = text.find("*/", index) + 2
        elif character == "#" and text[index : index + 2] == '#"':
            index = text.find('"#', index) + 2
        elif character == '"':
            start = index
            words, index = literal(text, index)
            yield start, calls[-1], label, words
        elif character in "([{":
            name = re.search(r"([A-Za-z_][A-Za-z_0-9]*)\s*$", before(text, index))
            calls.append(name.group(1) if name and character == "(" else calls[-1] if character == "[" else "")
            label, index = "", index + 1
        elif character in ")]}":
            if len(calls) > 1:
                calls.pop()
            label, index = "", index + 1
        elif character == ",":
            label, index = "", index + 1
        elif character == ":" and (name := re.search(r"([a-z][A-Za-z]*)$", before(text, index))):
            label, index = name.group(1), index + 1
        elif character == "=" and (name := re.search(r"\b(advice|reason|message)(: [A-Za-z?]+)? \+?$", before(text, index))):
            label, index = name.group(1), index + 1
        elif character == "\n":
            if calls[-1] == "":
                label = ""
            index += 1
        else:
            index += 1


def before(text, index):
    return text[max(0, index - 40) : index]


def literal(text, index):
    """Returns the words of the literal at a position, with `…` for interpolations, and the position after it."""
    mark = '"""' if text.startswith('"""', index) else '"'
    index += len(mark)
    words = []
    while not text.startswith(mark, index):
        if text.startswith("\\(", index):
            depth, start, index = 1, index + 2, index + 2
            while depth:
                if text[index] == '"':
                    _, index = literal(text, index)
                    continue
                depth += {"(": 1, ")": -1}.get(text[index], 0)
                index += 1
            name = re.match(r"\.([a-zA-Z]+)", text[start:index])
            words.append(f"<{name.group(1)}>" if name else "…")
        elif text[index] == "\\":
            words.append("" if text[index + 1] == "\n" else {"n": "\n", "t": "\t"}.get(text[index + 1], text[index + 1]))
            index += 2
        else:
            words.append(text[index])
            index += 1
    return re.sub(r"\s+", " ", "".join(words)) if mark == '"""' else "".join(words), index + len(mark)


def messages():
    """Returns [(file:line, words)] with every message once."""
    found, seen = [], set()
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        text = path.read_text()
        for start, call, label, words in literals(text):
            if call not in CALLS and label not in LABELS:
                continue
            # Names of options, files and calls have no blank.
            if " " not in words.strip() or words.startswith("--") and words.count(" ") == words.count(" --"):
                continue
            if words not in seen:
                seen.add(words)
                found.append((f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, start) + 1}", words))
    return found


def faults(place, words):
    """Yields the rules that a message breaks."""
    if len(words) > LONGEST:
        yield f"it has {len(words)} characters, more than {LONGEST}"
    if words.endswith(".") and not words.endswith(" .") and not place.startswith(("Sources/DrayServer/", "Sources/WebServer/")):
        yield "it ends in a full stop"
    for word in WORDS:
        if re.search(rf"\b{re.escape(word)}\b", words, re.IGNORECASE):
            yield f'it says "{word}"'


def main():
    if sys.argv[1:] not in ([], ["check"]):
        sys.exit(__doc__.split("\n\n")[1])
    bad = 0
    for place, words in messages():
        if not sys.argv[1:]:
            print(f"{place}: {words}")
            continue
        for fault in faults(place, words):
            bad += 1
            print(f"{place}: {fault}: {words}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
