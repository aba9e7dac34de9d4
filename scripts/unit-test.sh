#!/usr/bin/env bash
# Runs the systemd user unit, with its hardening, under a separate `systemd --user`. The unit fetches added jobs, runs commands, restarts
# and continues after a kill -9, stops with success, and stays down after a mistake in the configuration. Then `dray serve --install`
# and `--uninstall` make and remove another unit. Needs root, because mounts, processes and network are private; reports a machine that
# does not allow that.
# Usage: scripts/unit-test.sh [PROGRAM]     instead of .build/release/dray

set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "unit-test: $*" >&2
  exit 1
}
skip() {
  scripts/not-run.sh "$1" "unit-test: $2"
  exit 0
}

if [ "${1:-}" != --within ]; then
  [ "$(id -u)" = 0 ] || skip root "only root may do this"
  [ -x /lib/systemd/systemd ] || skip systemd "there is no systemd"
  program=$(readlink -f "${1:-.build/release/dray}")
  options=(--mount --mount-proc --pid --net --cgroup --fork --kill-child)
  unshare "${options[@]}" true 2>/dev/null || skip namespaces "this machine allows no namespaces"
  # Removes the empty control groups that the manager leaves behind.
  groups() { find /sys/fs/cgroup -type d \( -path '*/app.slice*' -o -path '*/init.scope*' \) 2>/dev/null | LC_ALL=C sort; }
  before=$(groups)
  status=0
  unshare "${options[@]}" "$0" --within "$program" || status=$?
  comm -13 <(echo "$before") <(groups) | LC_ALL=C sort -r | xargs -r rmdir 2>/dev/null || true
  exit "$status"
fi

# From here on mounts, processes and the network are private to the test. systemd runs only on a system that it seems to have booted,
# hence /run/systemd/system.
program=$2
mount -t tmpfs tmpfs /run
place=/run/dray-test
export HOME=$place/home XDG_CONFIG_HOME=$place/config XDG_RUNTIME_DIR=/run/user/0
unset XDG_STATE_HOME DRAY_HOME DBUS_SESSION_BUS_ADDRESS
mkdir -p /run/systemd/system "$HOME" "$place/site" "$XDG_CONFIG_HOME/systemd/user/dray.service.d" "$XDG_CONFIG_HOME/dray" "$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"
sed "s|/usr/bin/dray|$program|" systemd/dray.service >"$XDG_CONFIG_HOME/systemd/user/dray.service"
printf '[Service]\nRestartSec=1\nStandardError=append:%s\n' "$place/program.log" >"$XDG_CONFIG_HOME/systemd/user/dray.service.d/soon.conf"

scripts/package-server.py "$place/site" &
/lib/systemd/systemd --user --log-target=console >"$place/log" 2>&1 &

# Waits until a command succeeds, up to half a minute, because the machine may be busy.
await() {
  local _
  for _ in $(seq 300); do
    ! "$@" >/dev/null 2>&1 || return 0
    sleep 0.1
  done
  return 1
}
# What the unit, its manager and the program say: no journal runs here.
why() {
  systemctl --user status --no-pager dray || true
  tail -n 5 "$place/log" "$place/program.log"
}
unit() { systemctl --user show -p "$1" --value dray; }
is() { [ "$(unit "$1")" = "$2" ]; }
recorded() { [ "$(python3 -c 'import sqlite3, sys
print(sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True).execute("select max(received) from jobs").fetchone()[0])' \
  "$HOME/.local/state/dray/dray.sqlite" 2>/dev/null || echo 0)" -ge 1000000 ]; }

await test -e "$place/site/ready" || fail "the server does not start"
await systemctl --user show dray || skip systemd "systemd --user does not run here: $(tail -1 "$place/log")"
# A status from 200 on is systemd's own: it could not run the program at all (systemd.exec(5)), such as when its control group is gone.
for _ in 1 2 3; do
  ! systemctl --user start dray || break
  [ "$(unit ExecMainStatus)" -ge 200 ] || fail "it does not start: $(why)"
  echo "unit-test: systemd cannot run it: $(why)" >&2
  systemctl --user stop dray
done
await is SubState running || fail "it does not run: $(why)"
runner=$(unit MainPID)
grep -q '^NoNewPrivs:[[:space:]]*1' "/proc/$runner/status" || fail "it may gain privileges"
grep -q '^Seccomp:[[:space:]]*2' "/proc/$runner/status" || fail "its calls are not filtered"

page() { curl -sS --fail --compressed --unix-socket "$XDG_RUNTIME_DIR/dray.sock" http://localhost/ | grep '<title>dray' >/dev/null; }
page || fail "its socket does not answer: $(why)"

touch "$place/site/hold"
"$program" add -q -d "$place/new/directory" --on-complete "touch $place/ran" http://127.0.0.1:8080/one >/dev/null
await recorded || fail "nothing is fetched: $(why)"
kill -9 "$runner"
await is NRestarts 1 || fail "it is not restarted after a kill -9"
: >"$place/site/log"
rm "$place/site/hold"
timeout 60 "$program" wait -q 1 >/dev/null || fail "the job does not become complete: $(tail -5 "$place/log")"
! grep -q ' - 200' "$place/site/log" || fail "the job was started over: $(cat "$place/site/log")"
[ "$(stat -c %s "$place/new/directory/one")" = 6291456 ] || fail "the file is not complete"
await test -e "$place/ran" || fail "the command of --on-complete was not run"

systemctl --user stop dray
is Result success || fail "it was stopped, and that is no success: $(unit Result)"
echo 'nonsense = 1' >"$XDG_CONFIG_HOME/dray/config.toml"
systemctl --user start dray || true
await is ActiveState failed || fail "it runs with a mistake in the configuration"
is NRestarts 0 || fail "it is started again and again with a mistake in the configuration: $(why)"

rm "$XDG_CONFIG_HOME/dray/config.toml"
systemctl --user reset-failed dray
"$program" serve --install --root "$HOME/my files" --listen 127.0.0.1:6801 2>"$place/said" || fail "--install: $(cat "$place/said")"
is ActiveState active || fail "--install has not started it"
[ "$(stat -c %a "$XDG_CONFIG_HOME/dray/secret")" = 600 ] || fail "others can read the secret"
code() { curl -s -o /dev/null -w '%{http_code}' "$@" http://127.0.0.1:6801/absent; }
[ "$(code)" = 401 ] || fail "it answers without the secret"
[ "$(code -H "Authorization: Bearer $(cat "$XDG_CONFIG_HOME/dray/secret")")" = 404 ] || fail "it does not take its secret"
"$program" serve --uninstall 2>"$place/said" || fail "--uninstall: $(cat "$place/said")"
! is ActiveState active || fail "--uninstall has not ended it"
[ ! -e "$XDG_CONFIG_HOME/systemd/user/dray.service" ] || fail "--uninstall leaves the unit"
echo "unit-test: systemd --user runs it: fetched, restarted after kill -9, continued, stopped, installed and removed; $(systemctl --version | head -1)"
