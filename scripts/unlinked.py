#!/usr/bin/env python3
"""Writes scripts/unlinked.txt: the files of packages that dray never links, so that scripts/build.sh does not compile them.

Usage: scripts/unlinked.py     after `swift build --build-tests`, which compiles all of them

Files of Swift, and the parts of BoringSSL's largest file, are chosen by name, below; scripts/build.sh fails where a kept one needs
another. Files of C and C++ are those that the undefined names in the objects of that build lead to, beginning with the kept files of
Crypto. A later version of a package may need more files: then compiling or linking fails, and the list must be written again.
"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT = os.path.join(HERE, "..", ".build/debug")
PACKAGES = os.path.abspath(os.path.join(HERE, "..", ".build/checkouts"))
LIST = os.path.join(HERE, "unlinked.txt")
CRYPTO = "swift-crypto/Sources"
# The Swift files that are left out, by the beginnings of their paths in their modules. Of Crypto dray uses the digests and HMAC.
# SwiftNIO's modules depend on the module NIO for the sake of old importers, and through it on the one for tests.
SWIFT = {
    f"{CRYPTO}/Crypto": re.compile(
        r"(?!(Digests|Insecure|Message Authentication Codes|Keys/Symmetric|Util)/|Crypto\w*Error)"),
    f"{CRYPTO}/CryptoBoringWrapper": re.compile(""),
    "swift-nio/Sources/NIO": re.compile(""),
    "swift-nio/Sources/NIOConcurrencyHelpers": re.compile("NIOAtomic|NIOThreadPoolWorkAvailable|atomics"),
    "swift-nio/Sources/NIOCore": re.compile(
        "ByteBuffer-(binary|length|quic)|EventLoopFuture[+](Deprecated|WithEventLoop)|NIODecodedAsyncSequence|NIOSplitLines|SingleStep"),
    "swift-nio/Sources/NIOEmbedded": re.compile(""),
    "swift-nio/Sources/NIOHTTP1": re.compile("HTTPPipelineSetup|NIOHTTPObjectAggregator"),
    "swift-nio/Sources/NIOPosix": re.compile("NIORandomized|NIOThreadPool|NonBlocking|PosixSingletons|RawSocketBootstrap"),
    "swift-nio/Sources/NIOWebSocket": re.compile("NIOWebSocketFrameAggregator"),
    "TOMLKit/Sources/TOMLKit": re.compile(".*Decod(er|ing)"),
}
# BoringSSL compiles most of its algorithms as one file, of which the digests are kept.
WHOLE = f"{CRYPTO}/CCryptoBoringSSL/crypto/fipsmodule"
PARTS = re.compile(r"sha/")
# What these files contain depends on the processor.
ANY_PROCESSOR = re.compile(r"/crypto/cpu_")
LIBRARIES = ("CCryptoBoringSSL", "CCryptoBoringSSLShims", "CXKCP", "CXKCPShims")
SYMBOL = re.compile(r"(.+?\.o):\s*[0-9a-f]*\s+([A-Z]) (\S+)$")


def below(folder, endings):
    """The files of a folder with these endings, by their paths in it."""
    return sorted(os.path.relpath(os.path.join(base, name), folder)
                  for base, _, names in os.walk(folder) for name in names if name.endswith(endings))


def symbols(objects):
    """The undefined and the defined names of each object."""
    lacks, has = collections.defaultdict(set), collections.defaultdict(set)
    listed = subprocess.run(["nm", "-A", *objects], check=True, capture_output=True, text=True).stdout
    for line in listed.splitlines():
        if found := SYMBOL.match(line):
            (lacks if found[2] == "U" else has)[found[1]].add(found[3])
    return lacks, has


def swift_files():
    """The Swift files that are left out, and the objects of the kept ones of Crypto."""
    out, users = [], []
    for module, left in SWIFT.items():
        for name in below(os.path.join(PACKAGES, module), ".swift"):
            if left.match(name):
                out.append(f"{module}/{name}")
            elif module.startswith(CRYPTO):
                users.append(os.path.join(BUILT, os.path.basename(module) + ".build", os.path.basename(name) + ".o"))
    return out, users


def lacks_of_parts(parts):
    """The undefined names of BoringSSL's largest file if its parts are empty."""
    place = os.path.join(PACKAGES, WHOLE)
    with tempfile.TemporaryDirectory() as folder:
        overlay, empty, built = (os.path.join(folder, name) for name in ("overlay.yaml", "empty", "bcm.o"))
        roots = [{"type": "file", "name": os.path.join(PACKAGES, name), "external-contents": empty} for name in parts]
        with open(empty, "w", encoding="utf-8"), open(overlay, "w", encoding="utf-8") as file:
            json.dump({"version": 0, "roots": roots}, file)
        subprocess.run(["clang++", "-ivfsoverlay", overlay, "-I", os.path.join(place, "../../include"), "-c",
                        os.path.join(place, "bcm.cc"), "-o", built], check=True)
        return symbols([built])[0][built]


def main():
    if sys.argv[1:]:
        sys.exit(__doc__)
    out, users = swift_files()
    files = {os.path.join(BUILT, library + ".build", name): f"{CRYPTO}/{library}/{name.removesuffix('.o')}"
             for library in LIBRARIES for name in below(os.path.join(BUILT, library + ".build"), ".o")}
    if not users or not files:
        sys.exit("unlinked: there is no debug build of all files: swift build --build-tests")
    lacks, has = symbols(files)
    parts = [f"{WHOLE}/{name}" for name in below(os.path.join(PACKAGES, WHOLE), ".cc.inc") if not PARTS.match(name)]
    lacks[os.path.join(BUILT, "CCryptoBoringSSL.build/crypto/fipsmodule/bcm.cc.o")] = lacks_of_parts(parts)
    owners = collections.defaultdict(list)
    for path, names in has.items():
        for name in names:
            owners[name].append(path)
    waiting = [name for names in symbols(users)[0].values() for name in names]
    needed = set()
    while waiting:
        for path in owners[waiting.pop()]:
            if path not in needed:
                needed.add(path)
                waiting += lacks[path]
    # Files of assembler are kept: an empty one would not say that it needs no executable stack.
    rest = [name for path, name in files.items()
            if path not in needed and name.endswith((".c", ".cc")) and not ANY_PROCESSOR.search(name)]
    with open(LIST, "w", encoding="utf-8") as file:
        file.write("# Files of packages that are never linked. scripts/unlinked.py writes this, scripts/build.sh says why.\n")
        file.write("".join(name + "\n" for name in sorted(out + parts + rest)))
    print(f"unlinked: {len(files) - len(rest)} of {len(files)} files of C, C++ and assembler are needed")


if __name__ == "__main__":
    main()
