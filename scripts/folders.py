#!/usr/bin/env python3
"""The order among the folders of each module, and figures about its code. No build: it reads the sources by name.

Usage: scripts/folders.py check           fails where a reference between folders runs up, a file lies beside its folders, the page names
                                          a file that is not there, more than 4 files refer to each other in a circle, a folder has more
                                          than 40 files, or a function more than 60 lines or 6 parameters
       scripts/folders.py arrows MODULE     each reference between two folders of a module, with the files and names behind it
       scripts/folders.py figures [DIR]   files a folder, largest circle a module, largest types, longest functions (of DIR)
       scripts/folders.py selftest        shows that `check` finds what it must find

ARCHITECTURE.md has the order, in the table below the marker `<!-- folders -->`: a row has a module, and its folders
from the lowest to the highest; a further row of the module continues it, and `.` is the module's own directory. A file may refer to
files of its own folder and of lower ones. The tables below `## Where do I look?` name files that exist: by a path from Sources or
from the root, or by a name alone, which is in the module of the path before it.

File A refers to file B of its module where A names a type, a global function or a global constant that B declares at its top
level; where A extends such a type; and where A uses a member, `.name`, that only B's extension of another folder's type
declares. Names that two files declare are left out.
"""

import collections
import os
import re
import sys
import tempfile

ARCHITECTURE = "ARCHITECTURE.md"
# Initializers do not count as functions: most of them are lists of assignments.
LARGEST_CIRCLE, LARGEST_FOLDER, LONGEST_FUNCTION, MOST_PARAMETERS = 4, 40, 60, 6
DECLARATION = re.compile(
    r"\b(struct|class|enum|actor|protocol|typealias|func|let|var|extension|case)\s+(`?[A-Za-z_][\w.]*`?)")
WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
FUNCTION = re.compile(r"\bfunc\s+(`?\w+`?|[-+*/%<>=!&|^~?.]+)\s*(?=[<(])")
# Brackets, and what is none: an arrow, an operator between spaces, any other letter.
BRACKET = re.compile(r"->|\s[<>]+\s|(?P<open>[(\[{<])|(?P<close>[)\]}>])|\S")
MEMBER = re.compile(r"(?<=\.)[a-z_]\w*")


class Source:
    """One file: its code without comments and texts, and its declarations."""

    def __init__(self, path, module):
        self.path = path
        self.name = os.path.relpath(path, module)
        self.folder = os.path.dirname(self.name).split(os.sep)[0] or "."
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.code = without_texts(self.text)
        self.declared = set()  # names at the top level
        self.members = collections.defaultdict(set)  # type -> names that an extension of it declares here
        self.types = []  # (name, keyword, lines, mutable stored properties)
        self.functions = []  # (name, lines)
        self.parameters = list(parameters(self.code))  # (name, number of parameters)
        self._read()
        self.words = set(WORD.findall(self.code))
        self.used_members = set(MEMBER.findall(self.code))

    def _read(self):
        """Walks the declarations, each with its depth of braces."""
        depth, line, scopes, place = 0, 1, [], 0
        pending = None
        tokens = re.finditer(r"[{}\n;]|" + DECLARATION.pattern, self.code)
        for token in tokens:
            text = token.group(0)
            if text == "\n":
                line += 1
            elif text == "{":
                depth += 1
                if pending and pending[0] not in ("let", "var", "case", "typealias"):
                    scopes.append((depth, *pending))
                pending = None
            elif text == "}":
                if scopes and scopes[-1][0] == depth:
                    _, kind, name, first, state = scopes.pop()
                    if kind == "func":
                        self.functions.append((name, line - first + 1))
                    else:
                        self.types.append((name, kind, line - first + 1, state[0]))
                depth -= 1
            elif text != ";":
                kind, name = token.group(1), token.group(2).strip("`")
                inside = scopes[-1] if scopes else None
                if depth == 0 and kind not in ("case", "extension"):
                    self.declared.add(name)
                if depth == 1 and inside and inside[1] == "extension" and kind in ("func", "let", "var"):
                    self.members[inside[2].split(".")[0]].add(name)
                if kind == "var" and inside and inside[1] != "func" and depth == inside[0]:
                    rest = self.code[token.end():self.code.find("\n", token.end())]
                    if "{" not in rest.split("=")[0] and "static" not in self.code[place:token.start()].split("\n")[-1]:
                        inside[4][0] += 1
                pending = (kind, name, line, [0]) if kind in (
                    "struct", "class", "enum", "actor", "protocol", "extension", "func") else None
            place = token.end() if text in "{};\n" else place


def parameters(code):
    """The functions of some code without texts: (name, number of parameters)."""
    for function in FUNCTION.finditer(code):
        depth, count, is_list, is_open = 0, 0, False, False
        for token in BRACKET.finditer(code, function.end()):
            if depth == 1 and is_list and not token["close"]:
                # A comma may also stand after the last parameter.
                count += not is_open and token[0] != ","
                is_open = token[0] != ","
            if token["open"]:
                depth += 1
                # Type parameters come before the list.
                is_list = is_list or depth == 1 and token[0] == "("
            elif token["close"]:
                depth -= 1
                if depth == 0 and is_list:
                    break
        yield function[1].strip("`"), count


def without_texts(text):
    """The code, with comments and the letters of texts blank. Interpolations and line ends stay."""
    out, at, end = [], 0, len(text)
    while at < end:
        if text.startswith("//", at):
            stop = text.find("\n", at)
            at = end if stop < 0 else stop
        elif text.startswith("/*", at):
            stop = text.find("*/", at)
            stop = end if stop < 0 else stop + 2
            out.append("\n" * text.count("\n", at, stop))
            at = stop
        elif match := re.compile(r'(#*)("""|")').match(text, at):
            close, escape = match.group(2) + match.group(1), "\\" + match.group(1)
            at = match.end()
            while at < end and not text.startswith(close, at):
                if text.startswith(escape + "(", at):
                    start, depth, at = at + len(escape) + 1, 1, at + len(escape) + 1
                    while at < end and depth:
                        depth += {"(": 1, ")": -1}.get(text[at], 0)
                        at += 1
                    out.append(" " + without_texts(text[start:at - 1]) + " ")
                elif text.startswith(escape, at):
                    at += len(escape) + 1
                else:
                    if text[at] == "\n":
                        out.append("\n")
                    at += 1
            at += len(close)
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def sources(module):
    found = []
    for base, _, names in os.walk(module):
        found += [Source(os.path.join(base, name), module) for name in names if name.endswith(".swift")]
    return sorted(found, key=lambda source: source.name)


def references(files):
    """The references of each file: {(from, to): names}."""
    owner, doubled = {}, set()
    for file in files:
        for name in file.declared:
            if name in owner:
                doubled.add(name)
            owner[name] = file
    for name in doubled:
        del owner[name]
    member = {}
    spread = collections.Counter(name for file in files for names in file.members.values() for name in names)
    for file in files:
        for kind, names in file.members.items():
            if kind in owner and owner[kind].folder != file.folder:
                for name in names:
                    elsewhere = re.compile(r"\b(func|let|var|case)\s+`?" + name + r"\b")
                    if spread[name] == 1 and not any(elsewhere.search(o.code) for o in files if o is not file):
                        member[name] = file
    found = collections.defaultdict(set)
    for file in files:
        for name in file.words & owner.keys():
            if owner[name] is not file and name not in file.declared:
                found[file, owner[name]].add(name)
        for name in file.used_members & member.keys():
            if member[name] is not file:
                found[file, member[name]].add("." + name)
    return found


def circles(files, found):
    """Groups of files that refer to each other in a loop, largest first (Tarjan)."""
    after = collections.defaultdict(set)
    for first, second in found:
        after[first].add(second)
    index, low, stack, on, groups = {}, {}, [], set(), []

    def visit(file):
        index[file] = low[file] = len(index)
        stack.append(file)
        on.add(file)
        for other in after[file]:
            if other not in index:
                visit(other)
                low[file] = min(low[file], low[other])
            elif other in on:
                low[file] = min(low[file], index[other])
        if low[file] == index[file]:
            group = []
            while True:
                last = stack.pop()
                on.discard(last)
                group.append(last)
                if last is file:
                    break
            groups.append(group)

    sys.setrecursionlimit(10_000)
    for file in files:
        if file not in index:
            visit(file)
    return sorted((group for group in groups if len(group) > 1), key=len, reverse=True)


def orders(root):
    """The table in ARCHITECTURE.md: {module: [folders from the lowest]}."""
    with open(os.path.join(root, ARCHITECTURE), encoding="utf-8") as file:
        _, marker, rest = file.read().partition("<!-- folders -->")
    if not marker:
        sys.exit(f"folders.py: {ARCHITECTURE} has no marker <!-- folders -->")
    found = {}
    for row in rest.lstrip("\n").split("\n\n")[0].splitlines():
        names = re.findall(r"`([^`]+)`", row)
        if names:
            found.setdefault(names[0], []).extend(names[1:])
    if not found:
        sys.exit(f"folders.py: the table below <!-- folders --> in {ARCHITECTURE} is empty")
    return found


def problems(root):
    """The violations of the order, a line each."""
    found = []
    for module, order in orders(root).items():
        path = os.path.join(root, "Sources", module)
        files = sources(path)
        # A folder in a folder may have a place of its own in the order.
        for file in files:
            inner = os.path.dirname(file.name)
            file.folder = inner if inner in order else file.folder
        there = {file.folder for file in files}
        found += [f"{module}: the folder {name} is not in {ARCHITECTURE}" for name in sorted(there - set(order) - {"."})]
        found += [f"{module}: {ARCHITECTURE} names the folder {name}, which has no file" for name in order if name not in there]
        found += [f"{module}: {file.name} lies beside the folders" for file in files if file.folder == "." and "." not in order]
        for (first, second), names in references(files).items():
            if first.folder in order and second.folder in order and order.index(first.folder) < order.index(second.folder):
                found.append(f"{module}: {first.name} refers up to {second.name} ({', '.join(sorted(names))})")
    return found


def lost(root):
    """Files that the page's table names and that are not there, a line each."""
    with open(os.path.join(root, ARCHITECTURE), encoding="utf-8") as file:
        rows = file.read().partition("## Where do I look?")[2].splitlines()
    found = []
    for row in filter(lambda row: row.startswith("|"), rows):
        below = root
        for name in re.findall(r"`([\w.+-]+(?:/[\w.+-]+)+|[\w+-]+\.swift)`", row):
            if "/" in name:
                top = "Sources" if os.path.isdir(os.path.join(root, "Sources", name.split("/")[0])) else ""
                below = os.path.join(root, top, name.split("/")[0])
                is_there = os.path.exists(os.path.join(root, top, name))
            else:
                is_there = any(name in names for _, _, names in os.walk(below))
            if not is_there:
                found.append(f"{ARCHITECTURE} names {name}, which is not there")
    return found


def sizes(root):
    """Circles, folders and functions that are larger than a reader can hold, a line each."""
    found = []
    for module in sorted(os.listdir(os.path.join(root, "Sources"))):
        files = sources(os.path.join(root, "Sources", module))
        found += [f"{module}: {', '.join(file.name for file in group)} refer to each other in a circle of more than {LARGEST_CIRCLE}"
                  for group in circles(files, references(files)) if len(group) > LARGEST_CIRCLE]
        folders = collections.Counter(os.path.dirname(file.name) for file in files)
        found += [f"{module}: {name} has {count} files, more than {LARGEST_FOLDER}"
                  for name, count in folders.items() if count > LARGEST_FOLDER]
        found += [f"{module}: {name} in {file.name} has {lines} lines, more than {LONGEST_FUNCTION}"
                  for file in files for name, lines in file.functions if lines > LONGEST_FUNCTION]
        found += [f"{module}: {name} in {file.name} has {count} parameters, more than {MOST_PARAMETERS}"
                  for file in files for name, count in file.parameters if count > MOST_PARAMETERS]
    return found


def check(root):
    found = problems(root) + lost(root) + sizes(root)
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


def arrows(root, module):
    between = collections.defaultdict(list)
    for (first, second), names in references(sources(os.path.join(root, "Sources", module))).items():
        if first.folder != second.folder:
            between[first.folder, second.folder].append(f"{first.name} -> {second.name}: {', '.join(sorted(names))}")
    for (first, second), lines in sorted(between.items()):
        print(f"{first} -> {second} ({len(lines)})")
        for line in lines:
            print("  " + line)
    return 0


def figures(root):
    print("| module | files | largest folder | files in no folder | largest circle of files |")
    print("|---|---|---|---|---|")
    types, functions = collections.Counter(), []
    state = collections.Counter()
    for module in sorted(os.listdir(os.path.join(root, "Sources"))):
        files = sources(os.path.join(root, "Sources", module))
        if not files:
            continue
        folders = collections.Counter(file.folder for file in files)
        flat = folders.pop(".", 0)
        largest = max(folders.items(), key=lambda item: item[1], default=("none", 0))
        groups = circles(files, references(files))
        print(f"| {module} | {len(files)} | {largest[0]} {largest[1]} | {flat} | {len(groups[0]) if groups else 0} |")
        for file in files:
            for name, _, lines, count in file.types:
                types[module, name.split(".")[0]] += lines
                state[module, name.split(".")[0]] += count
            functions += [(lines, module, file.name, name) for name, lines in file.functions]
    print("\n| type, with its extensions | lines | mutable stored properties |\n|---|---|---|")
    for (module, name), lines in types.most_common(8):
        print(f"| {module}.{name} | {lines} | {state[module, name]} |")
    print("\n| function | lines |\n|---|---|")
    for lines, module, file, name in sorted(functions, reverse=True)[:5]:
        print(f"| {module}/{file} `{name}` | {lines} |")
    return 0


def selftest():
    """Checks a module with each kind of problem: each is found, and nothing else."""
    with tempfile.TemporaryDirectory() as root:
        def write(path, text):
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)

        write(ARCHITECTURE, "<!-- folders -->\n| module | folders |\n|---|---|\n| `Room` | `High/Floor`, `Low`, `High`, `Gone` |\n\nend\n")
        write("Sources/Room/Low/Value.swift", 'struct Value { var a = "Upper" } // Upper\nextension Value { var own: Int { 1 } }')
        write("Sources/Room/High/Upper.swift", "struct Upper { let value: Value }\nfunc raise() {}")
        write("Sources/Room/High/Value+More.swift", "extension Value { var more: Int { own } }")
        write("Sources/Room/High/Floor/Base.swift", "struct Base {}")
        write("Sources/Room/Low/OnBase.swift", "let base = Base()")
        write("Sources/Room/Low/Good.swift", 'let good = Value().a + "\\(1) Upper"')
        if problems(root) != ["Room: ARCHITECTURE.md names the folder Gone, which has no file"]:
            sys.exit(f"folders.py: selftest: {problems(root)}")
        if sizes(root):
            sys.exit(f"folders.py: selftest: {sizes(root)}")
        for number in range(5):
            write(f"Sources/Ring/Round/T{number}.swift", f"struct T{number} {{ func next() {{ _ = T{(number + 1) % 5}() }} }}")
        for number in range(41):
            write(f"Sources/Full/Many/U{number}.swift", f"struct U{number} {{}}")
        write("Sources/Long/Far/Far.swift", "func far() {\n" + "  print()\n" * 60 + "}\n")
        six = "a: [Int: Int], b: (Int, Int) -> Void, c: Map<Int, Int>, d: Int = 1 << 2, e: Int = f(1, 2), f: Int"
        write("Sources/Many/Few/Few.swift", f"func few<A, B>({six},) {{}}\nfunc none() {{}}\nstruct S {{ init({six}, g: Int) {{}} }}")
        write("Sources/Many/Few/Many.swift", f"func many<A: Box<Int>>(\n  {six},\n  g: Int\n) {{}}\nfunc < ({six}, g: Int) {{}}")
        told = sizes(root)
        if [line.partition(" in ")[0] for line in told if line.startswith("Many")] != ["Many: many", "Many: <"]:
            sys.exit(f"folders.py: selftest: {told}")
        told = [line for line in told if not line.startswith("Many")]
        if [line.partition(":")[0] for line in told] != ["Full", "Long", "Ring"]:
            sys.exit(f"folders.py: selftest: {told}")
        write("Sources/Room/Low/ByType.swift", "let bad: Upper? = nil")
        write("Sources/Room/Low/ByText.swift", 'let text = "a \\(Upper.self) b"')
        write("Sources/Room/Low/ByFunction.swift", "func lower() { raise() }")
        write("Sources/Room/Low/ByMember.swift", "func read(_ value: Value) -> Int { value.more }")
        write("Sources/Room/Low/ByExtension.swift", "extension Upper { func x() {} }")
        write("Sources/Room/High/Floor/ByFloor.swift", "let low: Value? = nil")
        write("Sources/Room/Other/New.swift", "struct New {}")
        write("Sources/Room/Flat.swift", "struct Flat {}")
        told = "\n".join(problems(root))
        for name in ("ByType", "ByText", "ByFunction", "ByMember", "ByExtension", "ByFloor", "Other", "Flat", "Gone"):
            if name not in told:
                sys.exit(f"folders.py: selftest: {name} was not found in:\n{told}")
        if len(told.splitlines()) != 9:
            sys.exit(f"folders.py: selftest: more was found than is there:\n{told}")
        with open(os.path.join(root, ARCHITECTURE), "a", encoding="utf-8") as file:
            file.write("## Where do I look?\n| x | `Room/Low/Value.swift`, `Upper.swift`, `Lost.swift`, `Room/High/Value.swift` |\n")
        if lost(root) != [f"{ARCHITECTURE} names {name}, which is not there" for name in ("Lost.swift", "Room/High/Value.swift")]:
            sys.exit(f"folders.py: selftest: {lost(root)}")
    return 0


def main(arguments):
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    match arguments:
        case ["check"]:
            return check(root)
        case ["arrows", module]:
            return arrows(root, module)
        case ["figures"]:
            return figures(root)
        case ["figures", directory]:
            return figures(directory)
        case ["selftest"]:
            return selftest()
        case _:
            print(__doc__, file=sys.stderr)
            return 2


sys.exit(main(sys.argv[1:]))
