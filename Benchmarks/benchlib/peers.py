"""The command lines of the peers. Each fetches `url` to `out/file`, unless it says otherwise."""

import shlex

OUT = "out/file"


def curl(url, *options):
    return ["curl", "-q", "-sS", *options, "-o", OUT, url]


def wget2(url, *options):
    return ["wget2", "--no-config", "-q", *options, "-O", OUT, url]


def wget(url, *options):
    return ["wget", "--no-config", "-q", *options, "-O", OUT, url]


def aria2(url, *options):
    return ["aria2c", "--no-conf", "-q", *options, "-d", "out", "-o", "file", url]


def axel(url, *options):
    return ["axel", "-q", *options, "-o", OUT, url]


def dray(program, url, *options):
    return [program, "get", "-q", *options, "-o", OUT, url]


def synced(command):
    """The same, with the file synced to disk."""
    return ["sh", "-c", f"{shlex.join(map(str, command))} && sync {OUT}"]


def version(name):
    """The command that prints the version."""
    return [name, "--version"]
