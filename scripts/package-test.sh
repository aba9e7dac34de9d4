#!/usr/bin/env bash
# Installs the Debian package with apt in minimal systems and uses it there: get, resume, man, completions, the systemd unit, upgrade
# with interrupted jobs, a store of a newer version, downgrade, removal. As root. Servers are on a loopback of their own.
# Usage: scripts/package-test.sh [SUITE…]     bookworm, trixie and testing, if none is named
# DRAY_DEB=PATH is the package, instead of a new one; DRAY_OLD_PROGRAM=PATH an older program for the package that is upgraded.

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
  export DRAY_DEB_LEVEL=${DRAY_DEB_LEVEL:-1}
  work=$(mktemp -d "${TMPDIR:-/tmp}/dray-package-test.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  deb=${DRAY_DEB:-$(scripts/deb.sh)}
  older=$(DRAY_PROGRAM=${DRAY_OLD_PROGRAM:-} DRAY_DEB_VERSION="$(scripts/version.sh debian)~older" scripts/deb.sh "$work")
  for suite in "$@"; do
    tarball=$(scripts/root.sh "$suite")
    mkdir "$work/$suite"
    tar -x -C "$work/$suite" --numeric-owner -f "$tarball"
    # Mounts and processes of a test end with it, whatever happens.
    unshare --mount --mount-proc --pid --fork --kill-child "$0" --within "$suite" "$work/$suite" "$deb" "$older" || fail "failed"
    rm -rf --one-file-system "${work:?}/$suite"
  done
  exit 0
fi

# From here on in a system, root/, whose mounts and processes are its own.
suite=$2 root=$3 deb=$4 older=$5
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
apt() { as_root apt-get -qq -y -o Dpkg::Use-Pty=0 "$@" >"$root/tmp/apt.log" 2>&1 || {
  cat "$root/tmp/apt.log" >&2
  fail "apt-get $*"
}; }
# shellcheck disable=SC2016 # a field of dpkg's
installed() { as_root dpkg-query -W -f '${Version}' dray; }

# The server has a network of its own, with nothing but a loopback, and so has what is run by the user.
unshare --net scripts/package-server.py "$site" &
server=$!
for _ in $(seq 100); do
  [ ! -e "$site/ready" ] || break
  sleep 0.1
done
[ -e "$site/ready" ] || fail "the server does not start"
# To be run as it is, or in the background: then $! is the program itself.
in_net=(nsenter "--net=/proc/$server/ns/net")
as_user=("${in_net[@]}" chroot --userspec=1000:1000 "$root" env -i PATH=/usr/bin:/bin HOME=/home/tester LC_ALL=C.UTF-8 TERM=dumb)
user() { "${as_user[@]}" "$@"; }
in_home() { user sh -c 'cd && exec "$@"' - "$@"; }

# Compares a file in the user's home with what the server has under a path.
same() {
  local got want
  got=$(sha256sum <"$root/home/tester/$1")
  want=$(python3 -c 'import hashlib, sys; sys.stdout.buffer.write(hashlib.shake_128(sys.argv[1].encode()).digest(6 << 20))' "$2" | sha256sum)
  [ "$got" = "$want" ] || fail "$1 is not what the server has at $2"
}
# The bytes that jobs have that are not complete, together.
received() { user dray list --json --all | python3 -c 'import json, sys
print(sum(job["received"] or 0 for job in json.load(sys.stdin) if job["state"] != "complete"))'; }
states() { user dray list --json --all | python3 -c 'import json, sys; print(" ".join(job["state"] for job in json.load(sys.stdin)))'; }
# All that dray keeps of the user: names and contents. The files of SQLite's shared memory have no contents of their own.
state() { (cd "$root/home/tester/.local/state/dray" && find . -type f ! -name '*-shm' -size +0 -print0 | LC_ALL=C sort -z | xargs -0 sha256sum); }
continued() { grep -E "^$1 bytes=[1-9][0-9]*-[0-9]* 206" "$site/log" >/dev/null || fail "$1 was not continued: $(grep "^$1 " "$site/log" || true)"; }

# Runs dray in the background, and kills it -9 when its jobs have as many bytes as the server sends before it holds.
interrupt() {
  local wanted=$1 runner
  shift
  touch "$site/hold"
  "${as_user[@]}" sh -c 'cd && exec "$@"' - "$@" >"$root/tmp/run.log" 2>&1 &
  runner=$!
  for _ in $(seq 300); do
    [ "$(received)" -lt "$wanted" ] || break
    kill -0 "$runner" 2>/dev/null || fail "it ended by itself: $(cat "$root/tmp/run.log")"
    sleep 0.1
  done
  [ "$(received)" -ge "$wanted" ] || fail "only $(received) bytes were recorded"
  kill -9 "$runner"
  wait "$runner" 2>/dev/null || true
  rm "$site/hold"
}

apt update
apt install --no-install-recommends /tmp/dray.deb
new=$(installed)
[ -z "$(as_root dpkg -V dray)" ] || fail "installed files are not those of the package"
say "apt installed $new: $(as_root dray --version | sed -n 1,2p | paste -sd ' ')"
[ "$(as_root dray --version | sed -n 1p)" = "dray $(scripts/version.sh)" ] || fail "the program has another version than the package"

for page in man/dray*; do
  page=$(basename "$page")
  as_root man -w "${page##*.}" "${page%.*}" >/dev/null || fail "man does not find $page"
done
user man dray-get | grep -q . || fail "man dray-get prints nothing"
# shellcheck disable=SC2016 # for the shells in there
{
  # Its loader has another name from version to version.
  user bash -c '. /usr/share/bash-completion/bash_completion
    for load in _comp_load __load_completion; do [ -z "$(type -t $load)" ] || $load dray; done
    COMP_WORDS=(dray ge) COMP_CWORD=1 COMP_LINE="dray ge" COMP_POINT=7 COMP_TYPE=9
    complete -p dray | grep -q -- "-F" && "$(complete -p dray | sed "s/.*-F \([^ ]*\).*/\1/")" dray ge dray && echo "${COMPREPLY[*]}"' |
    grep -qw get || fail "bash completes nothing"
  user zsh -fc 'autoload -U compinit && compinit -u -d ~/.zcompdump && print ${_comps[dray]}' | grep -qx _dray || fail "zsh has no completion"
  user fish -c 'complete -C "dray ge"' | grep -qw get || fail "fish completes nothing"
}
say "man pages and completions of bash, zsh and fish are there"

# It is checked from outside: these systems have no systemd.
sed "s|/usr/bin/dray|$root/usr/bin/dray|" "$root/usr/lib/systemd/user/dray.service" >"$root/tmp/dray.service"
mkdir -p "$root/tmp/runtime"
said=$(XDG_RUNTIME_DIR=$root/tmp/runtime systemd-analyze verify --user --man=no "$root/tmp/dray.service" 2>&1) || fail "the systemd unit: $said"
[ -z "$said" ] || fail "the systemd unit: $said"
say "systemd accepts the user unit"

in_home dray get -q "$url/one" >/dev/null
same one /one
interrupt 1000000 dray get "$url/two"
in_home dray get -q "$url/two" >/dev/null
same two /two
continued /two
say "get, kill -9 and get again: the file is continued and whole"

apt remove dray
apt install --no-install-recommends /tmp/dray-older.deb
[ "$(installed)" != "$new" ] || fail "the older package is not older"
in_home dray add -q "$url/q1" "$url/q2" "$url/q3" >/dev/null
interrupt 5000000 dray run
before=$(states)
apt install --no-install-recommends /tmp/dray.deb
[ "$(installed)" = "$new" ] || fail "apt did not upgrade"
in_home dray run -q
for file in q1 q2 q3; do
  same $file /$file
  continued /$file
done
say "upgraded from $(as_root dpkg-deb -f /tmp/dray-older.deb Version) with jobs ($before): run continued them: $(states)"

# A runner that works while the package is replaced goes on with the program it has.
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

# What a later version has made of the store is refused, and stays as it is.
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

# The older program refuses the store, which then stays as it is, or works with it.
before=$(state) listed=$(states)
apt install --no-install-recommends --allow-downgrades /tmp/dray-older.deb
status=0
said=$(in_home dray list 2>&1) || status=$?
case $status in
  0) said="works with the store" ;;
  10) [ "$(state)" = "$before" ] || fail "the older program changed a store that it refused" ;;
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
kill "$server"
echo "package-test: $suite passed"
