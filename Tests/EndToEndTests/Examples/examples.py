#!/usr/bin/env python3
"""Runs every example of README and of the manual pages as it stands there, in a directory of its own.

    examples.py SOURCES PROGRAM [TEXT]     TEXT: only the examples that contain it; DRAY_SHOW=1 names each as it begins

An example is a line of a ```console block of README.md that begins with `$ `, and a line of a literal block of man/*.1 in which
dray is called. `HEX` in it is the digest of the file that it names. It must exit with 0, unless EXPECTED says otherwise. A line of
EXPECTED or UNRUN that is in no page is an error, so that the tables stay true.

The hosts of the examples are those of world.py. An example of the queue finds jobs 1 to 9 there, queued, or complete
where a row of BEFORE says so.
"""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import world

PATIENCE = float(os.environ.get("EXAMPLE_PATIENCE", "120"))

# Not run here, with the test that does what they say.
UNRUN = {
    "make build deb && sudo apt install ./.build/packages/dray_*.deb": "the gate builds; scripts/package-check.sh installs",
    "dray --host nas list": "RemoteHostTests: it needs an SSH server",
    "dray --host ann@nas.example.org add -d films https://example.org/big.iso": "the same",
    "dray --host nas add -d films https://example.org/big.iso": "the same",
    "dray --host nas add -i - < urls.txt": "the same",
    "dray --host nas watch": "the same",
    "dray --host http://nas:6800 --secret-file nas.secret list": "ServeHostTests: it needs a service there",
    "dray --host https://example.org/dray add -d films https://example.org/big.iso": "the same",
    "dray --host http://nas:6800 watch": "the same",
    "dray get sftp://nas.example.org/backups/2026.tar": "SFTPTests: it needs an SSH server",
    "dray get --aws-profile work s3://bucket/models/weights.bin": "S3Tests: it needs an S3 server",
    'aria2p -p 6800 -s "$(dray serve --show-secret)" add https://example.org/big.iso': "ClientTests: it needs aria2p",
    "dray run --store postgresql://db/dray --only site=north": "FleetTests: it needs PostgreSQL",
    "dray serve --install": "ServeInstallTests: it needs systemd",
    "dray serve --listen '*:6800' --secret-file ~/.config/dray/secret": "the port may be taken, and others could reach it",
}

JOBS = " ".join(f"https://example.org/job{number}.iso" for number in range(1, 7))
# Commands that run before an example, by a text in it, in this order.
BEFORE = [
    (
        r"--after 3|dray (list|run|watch|show|pause|resume|retry|remove|set|set-url|edit|move|wait|verify|path|open|export|limit --job|clean)\b",
        f"dray add -q {JOBS} && dray add -q -o seven.iso https://example.org/big.iso && "
        "dray add -q https://example.org/job8.iso https://example.org/job9.iso",
    ),
    (r"dray (path|open|wait|verify|list --sums)", "dray run -q"),
    (r"dray retry 7", "dray run -q && rm seven.iso"),
    (r"dray queue (pause|resume)", "dray queue set -q films"),
    (r"dray browser", "mkdir -p ~/.config/chromium && dray browser install -q"),
    (r"--repair", "printf X | dd of=seven.iso bs=1 seek=1000 conv=notrunc status=none"),
    (r"--locked", "dray sync -q assets.toml && dray sync -q data.toml"),
    (r"--adopt big.iso ", "head -c 200000 full.iso > big.iso"),
    (r"--seed old.iso", "head -c 200000 full.iso > old.iso"),
    (r"--adopt big.iso.crdownload", "head -c 200000 full.iso > big.iso.crdownload"),
    (r"verify --checksum", "cp full.iso big.iso"),
    (r"^dray import jobs.jsonl", "dray add -q https://example.org/a.iso && dray export --reveal > jobs.jsonl"),
    (r"--state failed", "dray get -q https://example.org/gone.sha1 || true"),
    (r"cookies (list|remove)", "dray cookies add --domain example.org a=b"),
    (r"import aria2", "printf 'https://example.org/a.iso\\n' > ~/.aria2/aria2.session"),
    (r'wait "\$id"', "dray serve --detach"),
    (r"serve --show-secret", "dray serve --detach && dray serve --stop"),
]

# exit: the status, if not 0. says: a text that is printed. file: a file that is there then. until: a command that is tried until it
# exits with 0; then the example gets SIGINT, and ends with 130.
EXPECTED = {
    "dray get https://example.org/latest.zip": {"exit": 9, "file": "latest.zip.html-instead"},
    "dray run --wait": {"until": "dray list --json | jq -e 'all(.[]; .state == \"complete\")'"},
    "dray run --wait --max-overall-rate 2M": {"until": "dray list --json | jq -e 'all(.[]; .state == \"complete\")'"},
    "dray run --wait --between 01:00-07:00": {"until": "dray list"},
    "dray run --wait --max-per-host 2 --max-overall-rate '08:00,512k 19:00,10M 23:00,off'": {
        "until": "dray list --json | jq -e 'all(.[]; .state == \"complete\")'"
    },
    "dray serve --root ~/Downloads": {"until": "dray serve --status"},
    """dray watch --json | jq -r 'select(.event == "complete") | .target'""": {"until": "true"},
    # The server still does not have the file.
    "dray list --json --reveal --state failed | jq -c '.[] | {url}' | dray get -i -": {"exit": 8},
}


def examples(sources):
    """Yields (page, command) for every example."""
    shown = False
    for line in (sources / "README.md").read_text().split("\n"):
        if line.startswith("```"):
            shown = line == "```console"
        elif shown and line.startswith("$ "):
            yield "README.md", re.split(r"\s+# ", line[2:])[0].strip()
    for page in sorted((sources / "man").glob("*.[157]")):
        shown = False
        for line in page.read_text().split("\n"):
            if line.startswith((".Bd -literal", ".Ed")):
                shown = line.startswith(".Bd")
            elif shown and re.search(r"(^|[ (])dray (\\-\\-host |[a-z])", line):
                yield page.name, plain(line)


MDOC = {
    "\\&": "", "\\-": "-", "\\(aq": "'", "\\(ti": "~", "\\(dq": '"', "\\(ga": "`", "\\(ha": "^", "\\e": "\\",
}  # fmt: skip


def plain(line):
    """Returns a line of mdoc as it is shown."""
    for mark, text in MDOC.items():
        line = line.replace(mark, text)
    return line.strip()


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Place:
    """A home, a download directory and a state directory for one example."""

    def __init__(self, root, program, hosts):
        self.root = pathlib.Path(root)
        self.home, self.work = self.root / "home", self.root / "home/work"
        shutil.rmtree(self.home, ignore_errors=True)
        for name in ("work", "bin", ".aria2", ".config/dray", ".aws", "Downloads", "isos"):
            (self.home / name).mkdir(parents=True)
        (self.home / "bin/dray").symlink_to(program)
        for name in ("notify-me", "xdg-open"):
            self.write("bin/" + name, "#!/bin/sh\nexit 0\n").chmod(0o700)
        self.write(".config/dray/secret", "0123456789abcdef0123456789abcdef\n").chmod(0o600)
        self.write(".aria2/aria2.conf", "max-concurrent-downloads=4\n")
        urls = "https://example.org/u1.iso\n  out=first.iso\nhttps://example.org/u2.iso\n"
        for name in ("links.txt", "urls.txt", "list.txt", "millions.txt"):
            self.write("work/" + name, urls)
        self.write("work/catalog.json", world.catalog().decode())
        self.write("work/token.txt", "secret\n")
        self.write("work/cat.jpg", "JPEG")
        self.write("work/backup.tar", "TAR" * 1000)
        (self.work / "full.iso").write_bytes(world.content("/big.iso")[0])
        for name in ("data.toml", "assets.toml"):
            self.write(
                "work/" + name,
                '[[file]]\nurl = "https://example.org/logo.svg"\ndigest = "sha-256=%s"\n' % world.digest("/logo.svg"))  # fmt: skip
        self.environment = {
            "PATH": f"{self.home}/bin:{os.environ['PATH']}", "HOME": str(self.home), "DRAY_HOME": str(self.home / "state"),
            "TMPDIR": str(self.root), "LANG": "C.UTF-8", "TERM": "dumb", "EDITOR": "true", "DRAY_PASSWORD": "secret",
            "AWS_ACCESS_KEY_ID": "AKIDANN", "AWS_SECRET_ACCESS_KEY": "secret", "BROWSER": "xdg-open", "https_proxy": hosts.address, "DRAY_CACERT": hosts.certificate, "DRAY_RETRIES": "0",
            # The usual port may be taken.
            "DRAY_LISTEN": f"127.0.0.1:{free_port()}",
        }  # fmt: skip

    def write(self, name, text):
        path = self.home / name
        path.write_text(text)
        return path

    def start(self, command):
        return subprocess.Popen(
            ["bash", "-c", "set -o pipefail; " + command], cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)  # fmt: skip

    def run(self, command):
        running = self.start(command)
        try:
            text, _ = running.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            return -1, "it does not end\n" + running.communicate()[0]
        return running.returncode, text

    def end(self):
        """Ends what an example left running."""
        if (self.home / "state/serve.log").exists():
            self.run("dray serve --stop")


def attempt(place, command):
    """Runs an example. Returns what is wrong; None if it does what it says."""
    for pattern, line in BEFORE:
        if re.search(pattern, command):
            status, text = place.run(line)
            if status:
                return f"`{line}` failed: {text}"
    rule = EXPECTED.get(command, {})
    if "until" in rule:
        running = place.start(command if "|" in command else "exec " + command)
        deadline = time.monotonic() + PATIENCE
        while place.run(rule["until"])[0] and time.monotonic() < deadline and running.poll() is None:
            time.sleep(0.2)
        os.killpg(running.pid, signal.SIGINT)
        text, status = running.communicate(timeout=PATIENCE)[0], running.returncode
        if status == -signal.SIGINT:
            status = 130
    else:
        status, text = place.run(command.replace("HEX", world.digest("/big.iso")))
    # `| head` ends before the program that writes into it.
    if status == 141 and command.endswith("| head"):
        status = 0
    if status != rule.get("exit", 130 if "until" in rule else 0):
        return f"exit {status}: {text}"
    if rule.get("says", "") not in text:
        return f"it does not say {rule['says']!r}: {text}"
    if "file" in rule and not (place.work / rule["file"]).exists():
        return f"there is no {rule['file']}: {text}"
    return None


def main():
    sources, program, only = pathlib.Path(sys.argv[1]), os.path.abspath(sys.argv[2]), (sys.argv[3:] or [""])[0]
    found = [one for one in examples(sources) if only in one[1]]
    faults = []
    known = {command for _, command in examples(sources)}
    for command in [*EXPECTED, *UNRUN]:
        if command not in known:
            faults.append(f"no page has this example: {command}")
            print(faults[-1])
    run = 0
    with tempfile.TemporaryDirectory() as root:
        hosts = world.World(root)
        seen = set(UNRUN)
        for page, command in found:
            if command in seen:
                continue
            seen.add(command)
            if "DRAY_SHOW" in os.environ:
                print(f"== {command}", flush=True)
            if "…" in command or "..." in command:
                faults.append(f"{page}: {command}\n  it cannot be typed as it stands")
                print(faults[-1])
                continue
            place = Place(root, program, hosts)
            fault = attempt(place, command)
            place.end()
            run += 1
            if fault:
                faults.append(f"{page}: {command}\n  {fault}")
                print(faults[-1], flush=True)
    print(f"{run} examples were run, {len(faults)} are wrong")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
