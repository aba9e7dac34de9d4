#!/usr/bin/env bash
# Installs the Debian package with apt in minimal systems and uses it there: get, resume, man, completions, the systemd unit, upgrade
# with interrupted jobs (a store of an older version may be refused), a store of a newer version, downgrade, removal. Then the tarball:
# install.sh as a user and as root. Needs root. Servers use a separate loopback.
# Usage: scripts/package-test.sh [SUITE…]     bookworm, trixie and testing, if none is named
# DRAY_DEB=PATH and DRAY_TARBALL=PATH name a package and a tarball to test instead of new ones. DRAY_OLD_PROGRAM=PATH names the program
# of an older commit (scripts/older.sh) to upgrade from. Without it the upgraded package has the same program.

set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "package-test: ${suite:-}${suite:+: }$*" >&2
  exit 1
}

if [ "${1:-}" != --within ]; then
  [ "$(id -u)" = 0 ] || fail "this needs root: it makes systems and installs into them"
  scripts/setup.sh package-test
  [ $# -gt 0 ] || set -- bookworm trixie testing
  export DRAY_DEB_LEVEL=${DRAY_DEB_LEVEL:-0}
  work=$(mktemp -d "${TMPDIR:-/tmp}/dray-package-test.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  deb=${DRAY_DEB:-$(scripts/deb.sh)}
  if [ -z "${DRAY_OLD_PROGRAM:-}" ]; then
    scripts/not-run.sh older-program "package-test: the upgrade from an older program (the same program is upgraded; DRAY_OLD_PROGRAM names one)"
  else
    # The older program must be built from an earlier commit.
    commit=$("$DRAY_OLD_PROGRAM" --version | grep -oE '\b[0-9a-f]{12}\b' | head -1) || fail "$DRAY_OLD_PROGRAM names no commit"
    [ "$commit" != "$(git rev-parse --short=12 HEAD)" ] || fail "$DRAY_OLD_PROGRAM is of this commit"
    git merge-base --is-ancestor "$commit" HEAD || fail "$DRAY_OLD_PROGRAM is of $commit, which is no commit before this one"
  fi
  older=$(DRAY_PROGRAM=${DRAY_OLD_PROGRAM:-} DRAY_DEB_VERSION="$(scripts/version.sh debian)~older" scripts/deb.sh "$work")
  tarball=${DRAY_TARBALL:-}
  if [ -n "$tarball" ]; then
    true
  elif [ -e Package.resolved ]; then
    tarball=$(DRAY_ZSTD_LEVEL=3 scripts/dist.sh "$work")
  else
    scripts/not-run.sh tarball "package-test: the tarball (its list of parts needs Package.resolved, which a build makes)" >&2
  fi
  for suite in "$@"; do
    system=$(scripts/root.sh "$suite")
    mkdir "$work/$suite"
    tar -x -C "$work/$suite" --numeric-owner -f "$system"
    # The namespaces end with the test, and with them its mounts and processes.
    unshare --mount --mount-proc --pid --fork --kill-child "$0" --within "$suite" "$work/$suite" "$deb" "$older" "$tarball" || fail "failed"
    rm -rf --one-file-system "${work:?}/$suite"
  done
  exit 0
fi

# From here on inside the system root/, with private mounts and processes.
suite=$2 root=$3 deb=$4 older=$5 tarball=$6
site=$root/srv/test
url=http://127.0.0.1:8080
mount -t proc proc "$root/proc"
mkdir -p "$site" "$root/home/tester"
cp "$deb" "$root/tmp/dray.deb"
cp "$older" "$root/tmp/dray-older.deb"
cp /etc/resolv.conf "$root/etc/resolv.conf"
chown 1000:1000 "$root/home/tester"

say() { echo "$suite: $* (${SECONDS} s)"; }
as_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
apt() { as_root apt-get -qq -y -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@" >"$root/tmp/apt.log" 2>&1 || {
  cat "$root/tmp/apt.log" >&2
  fail "apt-get $*"
}; }
# shellcheck disable=SC2016 # a field of dpkg
installed() { as_root dpkg-query -W -f '${Version}' dray; }

# The server and the user's commands share a separate network with only a loopback.
unshare --net scripts/package-server.py "$site" &
server=$!
for _ in $(seq 100); do
  [ ! -e "$site/ready" ] || break
  sleep 0.1
done
[ -e "$site/ready" ] || fail "the server does not start"
# An array, not a function, so that in the background $! is the program itself.
in_net=(nsenter "--net=/proc/$server/ns/net")
as_user=("${in_net[@]}" chroot --userspec=1000:1000 "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/tester USER=tester LC_ALL=C.UTF-8 TERM=dumb)
user() { "${as_user[@]}" "$@"; }
in_home() { user sh -c 'cd && exec "$@"' - "$@"; }

# Compares a file in the user's home with the server's file at a path.
same() {
  local got want
  got=$(sha256sum <"$root/home/tester/$1")
  want=$(python3 -c 'import hashlib, sys; sys.stdout.buffer.write(hashlib.shake_128(sys.argv[1].encode()).digest(6 << 20))' "$2" | sha256sum)
  [ "$got" = "$want" ] || fail "$1 is not what the server has at $2"
}
# Prints the smallest number of bytes that the store has recorded for a job; 0 until it has so many unfinished jobs.
recorded() { python3 - "$root/home/tester/.local/state/dray/dray.sqlite" "$1" <<'PYTHON'
import sqlite3, sys
try:
    store = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
    jobs = store.execute("select received from jobs where state <> 'complete'").fetchall()
except sqlite3.Error:
    jobs = []
print(min(jobs)[0] if len(jobs) == int(sys.argv[2]) else 0)
PYTHON
}
states() { user dray list --json --all | python3 -c 'import json, sys; print(" ".join(job["state"] for job in json.load(sys.stdin)))'; }
# Prints the names and digests of the user's files of dray, without the shared memory of SQLite, which changes all the time.
state() { (cd "$root/home/tester/.local/state/dray" && find . -type f ! -name '*-shm' -size +0 -print0 | LC_ALL=C sort -z | xargs -0 sha256sum); }
# Fails unless only the rest of a path was requested since the interrupt.
continued() {
  if ! grep -qE "^$1 bytes=[1-9][0-9]*-[0-9]* 206" "$site/log" || grep -q "^$1 - 200" "$site/log"; then
    fail "$1 was not continued: $(grep "^$1 " "$site/log" || true)"
  fi
}

# Runs dray in the background, and kills it with -9 when so many jobs have recorded a megabyte. The server holds back the rest.
interrupt() {
  local jobs=$1 runner
  shift
  touch "$site/hold"
  "${as_user[@]}" sh -c 'cd && exec "$@"' - "$@" >"$root/tmp/run.log" 2>&1 &
  runner=$!
  for _ in $(seq 300); do
    [ "$(recorded "$jobs")" -lt 1000000 ] || break
    kill -0 "$runner" 2>/dev/null || fail "it ended by itself: $(cat "$root/tmp/run.log")"
    sleep 0.1
  done
  [ "$(recorded "$jobs")" -ge 1000000 ] || fail "not enough was recorded: $(cat "$root/tmp/run.log")"
  kill -9 "$runner"
  wait "$runner" 2>/dev/null || true
  rm "$site/hold"
  : >"$site/log"
}

apt update
apt install --no-install-recommends /tmp/dray.deb
new=$(installed)
[ -z "$(as_root dpkg -V dray)" ] || fail "installed files are not those of the package"
say "apt installed $new: $(as_root dray --version | sed -n 1,2p | paste -sd ' ')"
[ "$(as_root dray --version | sed -n 1p)" = "dray $(scripts/version.sh)" ] || fail "the program has another version than the package"
[ "$(user /usr/lib/dray/aria2c -v | sed -n 1p)" = "aria2 version 1.36.0" ] || fail "the link aria2c does not take aria2's command line"

for page in man/dray*; do
  page=$(basename "$page")
  as_root man -w "${page##*.}" "${page%.*}" >/dev/null || fail "man does not find $page"
done
user man dray-get | grep -q . || fail "man dray-get prints nothing"
# shellcheck disable=SC2016 # expanded by the shells in the system
{
  # The name of the loader depends on the version of bash-completion.
  user bash -c '. /usr/share/bash-completion/bash_completion
    for load in _comp_load __load_completion; do [ -z "$(type -t $load)" ] || $load dray; done
    COMP_WORDS=(dray ge) COMP_CWORD=1 COMP_LINE="dray ge" COMP_POINT=7 COMP_TYPE=9
    complete -p dray | grep -q -- "-F" && "$(complete -p dray | sed "s/.*-F \([^ ]*\).*/\1/")" dray ge dray && echo "${COMPREPLY[*]}"' |
    grep -qw get || fail "bash completes nothing"
  user zsh -fc 'autoload -U compinit && compinit -u -d ~/.zcompdump && print ${_comps[dray]}' | grep -qx _dray || fail "zsh has no completion"
  user fish -c 'complete -C "dray ge"' | grep -qw get || fail "fish completes nothing"
}
say "man pages and completions of bash, zsh and fish are there"

# Checked from outside, because these systems have no systemd.
sed "s|/usr/bin/dray|$root/usr/bin/dray|" "$root/usr/lib/systemd/user/dray.service" >"$root/tmp/dray.service"
mkdir -p "$root/tmp/runtime"
said=$(XDG_RUNTIME_DIR=$root/tmp/runtime systemd-analyze verify --user --man=no "$root/tmp/dray.service" 2>&1) || fail "the systemd unit: $said"
[ -z "$said" ] || fail "the systemd unit: $said"
say "systemd accepts the user unit"

in_home dray get -q "$url/one" >/dev/null
same one /one
interrupt 1 dray get "$url/two"
in_home dray get -q "$url/two" >/dev/null
same two /two
continued /two
say "get, kill -9 and get again: the file is continued and whole"

apt remove dray
# The older program may refuse the newer store, which is tested below.
rm -rf "$root/home/tester/.local/state/dray"
apt install --no-install-recommends /tmp/dray-older.deb
[ "$(installed)" != "$new" ] || fail "the older package is not older"
in_home dray add -q "$url/q1" "$url/q2" "$url/q3" >/dev/null
interrupt 3 dray run
before=$(states)
untouched=$(state)
apt install --no-install-recommends /tmp/dray.deb
[ "$(installed)" = "$new" ] || fail "apt did not upgrade"
status=0
said=$(in_home dray run -q 2>&1) || status=$?
case $status in
  0)
    for file in q1 q2 q3; do
      same $file /$file
      continued /$file
    done
    said="run continued them: $(states)"
    ;;
  # A store from before the first release may be refused; the jobs are added again.
  10)
    [[ $said == *"of an older dray"* ]] || fail "upgraded, dray run ends with $status: $said"
    [ "$(state)" = "$untouched" ] || fail "a refused store was changed"
    rm -rf "$root/home/tester/.local/state/dray"
    in_home dray get -q "$url/q1" "$url/q2" "$url/q3" >/dev/null
    ;;
  *) fail "upgraded, dray run ends with $status: $said" ;;
esac
say "upgraded from $(as_root dpkg-deb -f /tmp/dray-older.deb Version) with jobs ($before): $said"

# A runner that is active while the package is replaced continues with the old program.
touch "$site/hold"
in_home dray add -q "$url/busy" >/dev/null
"${as_user[@]}" sh -c 'cd && exec dray run -q' &
runner=$!
for _ in $(seq 100); do
  ! grep -q '^/busy ' "$site/log" || break
  sleep 0.1
done
apt install --reinstall --no-install-recommends /tmp/dray.deb
rm "$site/hold"
wait "$runner" || fail "the runner failed when its package was replaced"
same busy /busy
say "a runner survives the replacement of its package"

# A store of a later version is refused and stays unchanged.
saved=$root/tmp/saved
cp -a "$root/home/tester/.local/state/dray" "$saved"
python3 -c 'import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
store.execute("pragma user_version = 9999")
store.execute("pragma wal_checkpoint(truncate)")
store.commit()' "$root/home/tester/.local/state/dray/dray.sqlite"
chown -R 1000:1000 "$root/home/tester/.local/state/dray"
before=$(state)
for command in "list" "run -q" "add $url/never"; do
  status=0
  # shellcheck disable=SC2086 # a command of several words
  said=$(in_home dray $command 2>&1) || status=$?
  [ "$status" = 10 ] || fail "dray $command with a newer store: exit status $status: $said"
done
[ "$(state)" = "$before" ] || fail "a refused store was changed"
say "a newer store is refused and stays as it is: $said"
rm -rf "$root/home/tester/.local/state/dray"
mv "$saved" "$root/home/tester/.local/state/dray"

# The older program works with the store, or refuses it and leaves it unchanged.
listed=$(states)
before=$(state)
apt install --no-install-recommends --allow-downgrades /tmp/dray-older.deb
status=0
said=$(in_home dray list 2>&1) || status=$?
case $status in
  0) said="works with the store" ;;
  10) [ "$(state)" = "$before" ] || fail "the older program changed a store that it refused: $(diff <(echo "$before") <(state))" ;;
  *) fail "downgraded, dray list ends with $status: $said" ;;
esac
apt install --no-install-recommends /tmp/dray.deb
[ "$(states)" = "$listed" ] || fail "after a downgrade and an upgrade the jobs are others: $(states), not $listed"
in_home dray verify -q --all || fail "after a downgrade and an upgrade the files are not what they were"
say "downgraded, the older program: $said"

before=$(state)
files=$(as_root dpkg -L dray)
apt purge dray
while read -r file; do
  [ -d "$root$file" ] || [ ! -e "$root$file" ] || fail "$file is left after the removal"
done <<<"$files"
[ "$(state)" = "$before" ] || fail "the removal changed the user's state"
same q1 /q1
say "purged: nothing of the package is left, the user's jobs and files are"

if [ -n "$tarball" ]; then
  mkdir "$root/opt/tarball"
  tar --zstd -x -C "$root/opt/tarball" --strip-components=1 --no-same-owner -f "$tarball"
  apt autoremove --purge
  # By force, because other packages depend on these: fish through Python, and util-linux of trixie on SQLite. Repaired below.
  as_root dpkg --force-depends --purge libsqlite3-0 libexpat1 >"$root/tmp/dpkg.log" 2>&1 || fail "dpkg --purge: $(cat "$root/tmp/dpkg.log")"
  if said=$(user /opt/tarball/install.sh 2>&1); then fail "install.sh installs what cannot run: $said"; fi
  [[ $said == *libcurl.so.4*libsqlite3.so.0* ]] || fail "install.sh does not say what is missing: $said"
  say "without libraries: $(sed -n 1p <<<"$said")"
  # apt installs nothing else while dependencies are broken.
  apt install --no-install-recommends libsqlite3-0 libexpat1
  # Installs the packages that install.sh named.
  # shellcheck disable=SC2046 # several names
  apt install --no-install-recommends $(sed -n 's/.*apt install //p' <<<"$said")
  user /opt/tarball/install.sh >"$root/tmp/install.log" || fail "install.sh as a user"
  in_home .local/bin/dray get -q "$url/three" >/dev/null
  in_home .local/lib/dray/aria2c -v | grep -q '^aria2 version' || fail "install.sh leaves the link aria2c out"
  same three /three
  grep -q '^ExecStart=/home/tester/.local/bin/dray ' "$root/home/tester/.local/share/systemd/user/dray.service" || fail "the unit names another program"
  before=$(state)
  user /opt/tarball/install.sh --uninstall >/dev/null
  [ -z "$(find "$root/home/tester/.local" -type f ! -path '*/state/*')" ] || fail "--uninstall leaves files"
  [ "$(state)" = "$before" ] || fail "--uninstall changed the user's state"
  as_root /opt/tarball/install.sh >/dev/null || fail "install.sh as root"
  as_root man -w dray-get >/dev/null || fail "man does not find the pages below /usr/local"
  interrupt 1 dray get "$url/four"
  in_home dray get -q "$url/four" >/dev/null
  same four /four
  continued /four
  as_root /opt/tarball/install.sh --uninstall >/dev/null
  [ -z "$(find "$root/usr/local" -type f)" ] || fail "--uninstall as root leaves files"
  say "the tarball: installed by a user and by root, get, resume, removed: $(sed -n 1p "$root/tmp/install.log")"
fi
kill "$server"
echo "package-test: $suite passed"
