#!/usr/bin/env python3
"""Checks docs/dependencies.md against the actual parts of dray, and writes the lists of parts for packages.

Usage: scripts/parts.py check [PROGRAM]       fails where the page is not true; without PROGRAM its contents are not looked at
       scripts/parts.py licences PROGRAM      prints the licences of dray and of all that is linked into it
       scripts/parts.py copyright PROGRAM     the same for a Debian package, which must refer to the Apache License instead
       scripts/parts.py sbom PROGRAM          prints the parts of that program in SPDX 2.3, as JSON
       scripts/parts.py selftest              shows that `check` finds what it must find

The tables of the page, each below a marker `<!-- parts: NAME -->`, are the only list. Versions in it are minima; those of a
build are in Package.resolved. A fresh clone has neither that nor .build/checkouts: what cannot be compared is named.
"""

import hashlib
import json
import os
import re
import subprocess
import sys

PAGE = "docs/dependencies.md"
# What follows in Package.swift is only for a trait that the program does not have.
OPTIONAL = "// The trait ServiceLifecycle needs a package"
VENDORED = "vendor/versions.json"  # in the tarball of `make source`, where Package.swift names paths
ROW = re.compile(r"\| \[(?P<name>[^]]+)\]\((?P<url>[^)]+)\) \| (?P<version>[^|]+) \| (?P<licence>[^|]+) \| (?P<text>[^|]+) \| (?P<why>[^|]+) \|")
TABLES = ("packages", "carried", "runtime", "system")

# Traces of a part in a program without symbols: type names that Swift keeps, and texts.
MARKS = {
    "swift-argument-parser": b"ArgumentParser",
    "swift-crypto": b"$s6Crypto",
    "swift-asn1": b"SwiftASN1",
    "swift-http-structured-headers": b"RawStructuredFieldValues",
    "swift-log": b"7Logging",
    "swift-nio": b"NIOCore",
    "swift-atomics": b"Atomics\0",
    "swift-collections": b"DequeModule",
    "TOMLKit": b"TOMLKit",
    "swift-system": b"SystemPackage",
    "BoringSSL": b"CryptoBoringSSL",
    "fiat-crypto": b"CryptoBoringSSL",
    "XKCP": b"XKCP",
    "llhttp": b"Expected HTTP/, RTSP/ or ICE/",
    "sha1.c": b"NIOWebSocket",
    "toml++": b"toml",
    "UTF-8 decoder": b"toml",
    "Swift standard library": b"Fatal error",
    "swift-corelibs-libdispatch": b"com.apple.root.default-qos",
    "swift-foundation": b"FoundationEssentials",
    "uuid.c": b"FoundationEssentials",
    "collections of swift-foundation": b"_FoundationCollections",
    "libstdc++ and libgcc": b"St11logic_error",
}
# Parts that must not come back: the older half of Foundation and its tables make the program three times as large.
UNWANTED = {"swift-corelibs-foundation": b"NSURLSession", "swift-foundation-icu": b"icudt"}
# Parts on the page that are not in the program.
ABSENT = {"swift-asn1", "swift-system"}


def read(path, mode="r"):
    """The contents of a file, or None where there is none."""
    if not os.path.exists(path):
        return None
    with open(path, mode, **({} if "b" in mode else {"encoding": "utf-8"})) as file:
        return file.read()


class Part:
    """A row of the page."""

    def __init__(self, table, row):
        self.table = table
        self.name, self.url, self.version, self.licence, self.text, self.why = (
            row[key].strip() for key in ("name", "url", "version", "licence", "text", "why"))
        self.texts = re.findall(r"\]\(\.\./(licenses/[^)]+)\)", self.text)


def parts(page):
    """The rows of all tables, and their errors."""
    found, faults = [], []
    for table in TABLES:
        pieces = page.split(f"<!-- parts: {table} -->")
        if len(pieces) != 2:
            faults.append(f"{PAGE} must have the marker of the table {table} once")
            continue
        lines = pieces[1].strip().splitlines()
        for line in lines[2:]:
            if not line.startswith("|"):
                break
            row = ROW.fullmatch(line)
            if row:
                found.append(Part(table, row))
            else:
                faults.append(f"{PAGE} has a row that is not one: {line[:60]}")
    return found, faults


def identity(url):
    """The name by which Swift's package manager knows a package."""
    return re.sub(r"\.git$", "", url.rstrip("/").split("/")[-1]).lower()


def numbers(version):
    return [int(number) for number in re.findall(r"\d+", version)]


def resolved():
    """Version and revision of each package by its identity, or None before anything was resolved."""
    text = read(VENDORED) or read("Package.resolved")
    if text is None:
        return None
    return {pin["identity"]: pin["state"] for pin in json.loads(text)["pins"]}


def check_packages(found, manifest, pins):
    """Compares the rows of packages with Package.swift and the resolved versions."""
    faults = []
    rows = {identity(part.url): part for part in found if part.table == "packages"}
    named = {identity(url): version for url, version in
             re.findall(r'\.package\(url: "([^"]+)", from: "([^"]+)"\)', manifest)}
    for name in re.findall(r'\.package\(path: "vendor/([^"]+)"\)', manifest):
        if name.lower() not in rows:
            faults.append(f"{PAGE} has no row for {name}, which Package.swift names")
    if len(named) != manifest.count(".package(url:"):
        faults.append("Package.swift names a package in a form that scripts/parts.py does not read")
    for name, version in named.items():
        if name not in rows:
            faults.append(f"{PAGE} has no row for {name}, which Package.swift names")
        elif rows[name].version != version:
            faults.append(f"{PAGE} says {rows[name].version} of {name}, Package.swift {version}")
    if pins is None:
        # The packages' own dependencies are known only afterwards.
        return faults
    for name in sorted(rows.keys() - pins.keys()):
        faults.append(f"{PAGE} has a row for {name}, which nothing names")
    for name, state in pins.items():
        if name not in rows:
            faults.append(f"{PAGE} has no row for {name}, which one of our packages needs")
        elif "version" not in state or numbers(state["version"]) < numbers(rows[name].version):
            faults.append(f"{name} was resolved to {state.get('version')}, {PAGE} says {rows[name].version} or newer")
    return faults


def words(text):
    """A licence by its words: layouts differ."""
    return re.findall(r"\w+", text)


def check_texts(found):
    """Checks that each part has its licence text here, each text has a part, and fetched packages still have the same text."""
    faults = []
    named = {text for part in found for text in part.texts}
    for part in found:
        if part.table != "system" and not part.texts:
            faults.append(f"{PAGE} links no licence text for {part.name}")
    for text in sorted(named):
        if not read(text):
            faults.append(f"{text} is missing or empty")
    for name in sorted(os.listdir("licenses") if os.path.isdir("licenses") else []):
        if f"licenses/{name}" not in named:
            faults.append(f"licenses/{name} belongs to no row of {PAGE}")
    if os.path.isdir(".build/checkouts"):
        for part in found:
            place = os.path.join(".build/checkouts", os.path.basename(part.url))
            if part.table != "packages" or not os.path.isdir(place) or not part.texts:
                continue
            theirs = next((read(os.path.join(place, name)) for name in ("LICENSE", "LICENSE.txt", "LICENSE.md")
                           if os.path.exists(os.path.join(place, name))), "")
            if words(theirs) != words(read(part.texts[0]) or ""):
                faults.append(f"the licence of {part.name} is not {part.texts[0]} any more")
    return faults


def needed(program):
    """The libraries that a program names."""
    listed = subprocess.run(["readelf", "-d", program], check=True, capture_output=True, text=True).stdout
    return re.findall(r"\(NEEDED\).*\[([^]]+)\]", listed)


def is_in(part, contents):
    return MARKS[part.name] in contents


def check_program(found, program):
    """Compares the parts of a program with the rows."""
    faults = []
    contents = read(program, "rb")
    if contents is None:
        return [f"{program} is missing"]
    for part in found:
        if part.table == "system":
            continue
        if part.name not in MARKS:
            faults.append(f"scripts/parts.py has no mark for {part.name}")
        elif part.name in ABSENT and is_in(part, contents):
            faults.append(f"{PAGE} says that nothing of {part.name} is in the program, but it is")
        elif part.name not in ABSENT and not is_in(part, contents):
            faults.append(f"{part.name} is not in {program}: remove its row, or mend its mark in scripts/parts.py")
    for name, mark in UNWANTED.items():
        if mark in contents:
            faults.append(f"{name} is in {program}, which needs no more of Foundation than FoundationEssentials")
    listed = [name for part in found if part.table == "system" for name in part.text.split(", ")]
    libraries = needed(program)
    for library in libraries:
        if not any(library.startswith(name) for name in listed):
            faults.append(f"{PAGE} has no row for {library}, which {program} needs")
    for name in listed:
        if not any(library.startswith(name) for library in libraries):
            faults.append(f"{PAGE} has a row for {name}, which {program} does not need")
    return faults


def check(program):
    found, faults = parts(read(PAGE) or "")
    pins = resolved()
    faults += check_packages(found, read("Package.swift").partition(OPTIONAL)[0], pins)
    faults += check_texts(found)
    if program:
        faults += check_program(found, program)
    skipped = [what for what, absent in (
        ("what was resolved (no Package.resolved)", pins is None),
        ("the texts of fetched packages (no .build/checkouts)", not os.path.isdir(".build/checkouts")),
        ("the program (none was named)", not program)) if absent]
    for what in skipped:
        print(f"parts: not compared: {what}")
    for fault in faults:
        print(f"parts: {fault}", file=sys.stderr)
    if not faults:
        print(f"parts: {len(found)} rows of {PAGE} are true")
    return 1 if faults else 0


def linked(found, program):
    """The parts in a program; all of the page where there is none."""
    contents = read(program, "rb") if program else None
    return [part for part in found if part.table != "system" and part.name not in ABSENT
            and (contents is None or is_in(part, contents))]


def licences(program, debian):
    """The text that goes with every copy of the program. Debian has some licences in one place for all packages."""
    found, faults = parts(read(PAGE))
    if faults:
        sys.exit(f"parts: {faults[0]}")
    chosen = linked(found, program)
    bar = "-" * 78
    lines = [
        "dray is under the MIT License:", "", read("LICENSE").strip(), "", bar, "",
        "The program contains code of these projects:", ""]
    for part in chosen:
        lines += [f"  {part.name}, {part.url}", f"    {part.licence}: {', '.join(os.path.basename(t) for t in part.texts)}"]
    lines += [
        "", "XKCP without brg_endian.h is in the public domain (CC0 1.0); fiat-crypto is used under the Apache License.",
        ""]
    for text in dict.fromkeys(text for part in chosen for text in part.texts):
        lines += [bar, f"{os.path.basename(text)}, for " + ", ".join(p.name for p in chosen if text in p.texts), bar, "",
                  in_debian(read(text)) if debian else read(text).strip("\n"), ""]
    return "\n".join(lines)


def in_debian(text):
    """A licence text by Debian's policy: texts in /usr/share/common-licenses are not repeated."""
    general = text.find("GNU GENERAL PUBLIC LICENSE\n")
    if general >= 0:
        return text[:general].strip() + "\n\nThe text is in /usr/share/common-licenses/GPL-3 on Debian systems."
    if "TERMS AND CONDITIONS FOR USE" not in text:
        return text.strip("\n")
    exception = text.find("## Runtime Library Exception")
    return "The text is in /usr/share/common-licenses/Apache-2.0 on Debian systems." + (
        "\n\n" + text[exception:].strip("\n") if exception >= 0 else "")


def sbom(program):
    """The parts of a program as SPDX: linked parts with their versions, and libraries that it needs from the system."""
    found, faults = parts(read(PAGE))
    pins = resolved()
    if faults or pins is None:
        sys.exit(f"parts: {faults[0] if faults else 'no Package.resolved: build, or fetch with `swift package resolve`, first'}")
    contents = read(program, "rb")
    version = output("scripts/version.sh")
    compiler = swift_version()
    packages, relations = [], []

    def spdx(name):
        return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)

    def add(part, number, how, extra):
        packages.append({
            "name": part.name, "SPDXID": spdx(part.name), "versionInfo": number, "downloadLocation": part.url,
            "filesAnalyzed": False, "licenseConcluded": part.licence, "licenseDeclared": part.licence,
            "copyrightText": "NOASSERTION", "comment": part.why, **extra})
        relations.append({"spdxElementId": "SPDXRef-dray", "relationshipType": how, "relatedSpdxElement": spdx(part.name)})

    packages.append({
        "name": "dray", "SPDXID": "SPDXRef-dray", "versionInfo": version, "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": "MIT", "licenseDeclared": "MIT", "copyrightText": "2026 dray contributors",
        "primaryPackagePurpose": "APPLICATION",
        "checksums": [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(contents).hexdigest()}]})
    for part in linked(found, program):
        pin = pins.get(identity(part.url)) if part.table == "packages" else None
        if pin:
            add(part, pin["version"], "STATIC_LINK", {
                "sourceInfo": f"git revision {pin['revision']}",
                "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator":
                                  "pkg:swift/" + re.sub(r"^https?://|\.git$", "", part.url) + "@" + pin["version"]}]})
        elif part.table == "carried":
            carrier = next(p for p in found if p.name == part.version.removeprefix("of "))
            add(part, f"{part.version} {pins[identity(carrier.url)]['version']}", "STATIC_LINK", {})
        else:
            number = compiler if "gcc.gnu.org" not in part.url else None
            add(part, number or f"{part.version} or newer", "STATIC_LINK", {})
    for part in found:
        if part.table == "system":
            add(part, f"{part.version} or newer", "DYNAMIC_LINK", {"sourceInfo": f"of the system: {part.text}"})
    created = output("date", "-u", "-d", "@" + output("scripts/version.sh", "epoch"), "+%Y-%m-%dT%H:%M:%SZ")
    digest = hashlib.sha256(contents).hexdigest()
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"dray-{version}", "documentNamespace": f"urn:dray:{version}:{digest}",
        "creationInfo": {"created": created, "creators": ["Tool: dray-scripts-parts.py"]},
        "documentDescribes": ["SPDXRef-dray"], "packages": packages,
        "hasExtractedLicensingInfos": [
            {"licenseId": name, "extractedText": read(f"licenses/{file}")} for name, file in EXTRACTED.items()
            if any(name in package["licenseConcluded"] for package in packages)],
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                           "relatedSpdxElement": "SPDXRef-dray"}] + relations,
    }, indent=2) + "\n"


# Licences that SPDX has no name for.
EXTRACTED = {
    "LicenseRef-Gladman": "gladman.txt",
}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def swift_version():
    """The version of the compiler here, whose runtime is in the program; None without one."""
    try:
        said = output(os.environ.get("SWIFT") or "swift", "--version")
    except (OSError, subprocess.CalledProcessError):
        return None
    number = re.search(r"Swift version (\d[\d.]*)", said)
    return number and number.group(1)


def selftest():
    """Checks that every kind of outdated page is found."""
    page = read(PAGE)
    found, faults = parts(page)
    assert not faults, faults
    packages = [part for part in found if part.table == "packages"]
    pins = {identity(part.url): {"version": part.version} for part in packages}
    lines = [f'.package(url: "{part.url}", from: "{part.version}"),' for part in packages]
    manifest, one, name = "\n".join(lines), lines[0], identity(packages[0].url)
    assert check_packages(found, manifest, pins) == []
    assert check_packages(found, manifest.replace(packages[0].version, "99.0.0", 1), pins)
    assert check_packages(found, manifest.replace(one, one + '\n.package(url: "https://example.org/new", from: "1.0.0"),'), pins)
    assert check_packages(found, manifest.replace(one, '.package(url: "https://example.org/new", branch: "main"),'), pins)
    assert check_packages(found, manifest, {**pins, "swift-nio": {"version": "2.0.0"}})
    assert check_packages(found, manifest, {**pins, name: {"version": "0.0.1"}})
    assert check_packages(found, manifest, {other: state for other, state in pins.items() if other != name})
    assert parts(page.replace("<!-- parts: carried -->", ""))[1]
    assert parts(page.replace(f"| {packages[0].why} |", ""))[1]
    without = [part for part in found if part.name != "toml++"]
    assert any("tomlplusplus.txt" in fault for fault in check_texts(without))
    assert all(part.name in MARKS for part in found if part.table != "system")
    print("parts: the checks find what they must find")
    return 0


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    task, program = (sys.argv[1:] + [None, None])[:2]
    if task == "check":
        return check(program)
    if task in ("licences", "copyright") and program:
        print(licences(program, task == "copyright"))
        return 0
    if task == "sbom" and program:
        sys.stdout.write(sbom(program))
        return 0
    if task == "selftest":
        return selftest()
    print(__doc__, file=sys.stderr)
    return 2


sys.exit(main())
