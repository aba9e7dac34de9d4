"""The pattern of an answer: a JSON value in which some texts are placeholders.

A text is itself, but for
  "<KIND>"       any value of that kind, see KINDS
  "<KIND:NAME>"  the same, and from then on it is $NAME
  "$NAME"        what is known by that name; within a longer text, too
A list has exactly these elements, in their order. ["<each>", P] is a list whose every element is a P, even an empty one;
["<some>", P] is one that has at least one P.
An object has at least these members; with "<only>": true it has no others. A member that is "<absent>" must be missing.
Numbers, true, false and null are themselves; "1" is not 1.
"""

import re

KINDS = {
    "gid": r"[0-9a-f]{16}", "digits": r"[0-9]+", "hex": r"[0-9a-f]+", "path": r"/.*", "text": r".+", "string": r".*",
    "version": r"[0-9]+\.[0-9]+\.[0-9]+", "any": None,
}
WORD = re.compile(r"<([a-z]+)(?::([a-z]+))?>")
NAME = re.compile(r"\$([a-z]+)")


def fill(value, names):
    """The value with its names replaced. {"<merge>": [A, B, …]} has the members of all; the last one wins."""
    if isinstance(value, str):
        whole = NAME.fullmatch(value)
        return names[whole[1]] if whole else NAME.sub(lambda found: str(names[found[1]]), value)
    if isinstance(value, list):
        return [fill(one, names) for one in value]
    if isinstance(value, dict) and "<merge>" in value:
        return {key: one for members in fill(value["<merge>"], names) for key, one in members.items()}
    return {key: fill(one, names) for key, one in value.items()} if isinstance(value, dict) else value


def differences(pattern, value, names, path=""):
    """The differences between a value and the pattern, as texts; named values are added to the names."""
    if isinstance(pattern, str):
        return _text(pattern, value, names, path)
    if isinstance(pattern, list):
        return _list(pattern, value, names, path)
    if isinstance(pattern, dict):
        return _object(pattern, value, names, path)
    return [] if type(pattern) is type(value) and pattern == value else [f"{path}: {value!r}, not {pattern!r}"]


def _text(pattern, value, names, path):
    word = WORD.fullmatch(pattern)
    if not word:
        wanted = fill(pattern, names)
        return [] if type(wanted) is type(value) and wanted == value else [f"{path}: {value!r}, not {wanted!r}"]
    form = KINDS[word[1]]
    if form and not (isinstance(value, str) and re.fullmatch(form, value, re.DOTALL)):
        return [f"{path}: {value!r} is no {word[1]}"]
    if word[2]:
        names[word[2]] = value
    return []


def _list(pattern, value, names, path):
    if not isinstance(value, list):
        return [f"{path}: {value!r} is no list"]
    if pattern[:1] == ["<each>"]:
        return [text for i, one in enumerate(value) for text in differences(pattern[1], one, names, f"{path}[{i}]")]
    if pattern[:1] == ["<some>"]:
        for one in value:
            tried = dict(names)
            if not differences(pattern[1], one, tried):
                names.update(tried)
                return []
        return [f"{path}: none of {value!r} is {fill_if_known(pattern[1], names)!r}"]
    if len(pattern) != len(value):
        return [f"{path}: {len(value)} elements, not {len(pattern)}: {value!r}"]
    return [text for i, both in enumerate(zip(pattern, value)) for text in differences(*both, names, f"{path}[{i}]")]


def _object(pattern, value, names, path):
    if not isinstance(value, dict):
        return [f"{path}: {value!r} is no object"]
    found = []
    for key, one in pattern.items():
        if key == "<only>":
            found += [f"{path}.{surplus}: surplus" for surplus in value if surplus not in pattern]
        elif one == "<absent>":
            found += [f"{path}.{key}: {value[key]!r}, not absent"] if key in value else []
        else:
            found += differences(one, value[key], names, f"{path}.{key}") if key in value else [f"{path}.{key}: missing"]
    return found


def fill_if_known(value, names):
    try:
        return fill(value, names)
    except KeyError:
        return value
