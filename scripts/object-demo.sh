#!/usr/bin/env bash
# Shows dray at work on an object store: three files with digests go from nginx straight into a bucket of SeaweedFS, survive a
# kill -9 half-way, and are continued, listed, verified, cleaned and compared. dray writes no byte of these files to this machine's disk.
# All its files are in one temporary directory, removed at the end; DRAY_KEEP=yes keeps it. DRAY=PROGRAM uses an existing program.

set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/demo-common.sh
. scripts/demo-common.sh

rate=2000000 # bytes a second of each connection: long enough to watch

find_program demo
scripts/setup.sh s3
begin

names=(forty.bin seventy.bin hundred.bin) sizes=(40 70 100)
total=0
for index in 0 1 2; do
  head -c $((sizes[index] * 1000000)) /dev/urandom >"$site/${names[index]}"
  total=$((total + sizes[index] * 1000000))
done
list_files "$site" >"$work/expected"
start_seaweedfs 127.0.0.1
start_nginx 127.0.0.1 $rate

say "1. Queue three files, $((total / 1000000)) MB in all, with their digests, for s3://bucket/data/"
for name in "${names[@]}"; do
  digest=$(sed -n "s/  $name\$//p" "$work/expected")
  run dray add --checksum "sha-256=$digest" -d s3://bucket/data/ "$origin/$name"
done

say "2. Transfer them; half-way the runner gets a kill -9. The rates are nginx's limit, for each connection"
# About half of the bytes have arrived when the bucket has confirmed a quarter.
confirmed() { dray list --parts 2>/dev/null | awk '/ s3:/ { n += $3 } END { print n + 0 }'; }
run_until_killed $((total / 4)) confirmed

say "3. What is left: interrupted jobs, unfinished uploads in the bucket, and nothing on this disk"
run dray list
run s3client uploads data/
run dray list --parts
strays=$(find "$work/home" -type f -size +1000k ! -name '*.sqlite*')
[ -z "$strays" ] || fail "something is on this disk: $strays"

say "4. Continue: parts that the bucket has confirmed are not fetched again"
mark_served
kept=$(confirmed)
run dray run
sent=$(served | awk '{ n += $2 } END { print n + 0 }')
printf 'kept %d bytes of %d, fetched %d\n' "$kept" "$total" "$sent"
# Bytes that were in memory or on their way at the kill are fetched again.
[ "$sent" -lt "$total" ] || fail "everything was fetched again"

say "5. List and verify"
run dray list
ids=$(dray list --json | grep -oE '"id" ?: ?[0-9]+' | grep -oE '[0-9]+')
for id in $ids; do run dray verify "$id"; done
run s3client head data/hundred.bin

say "6. Clean: the jobs are forgotten, the objects stay, and no upload is left"
run dray clean
run s3client keys data/
run s3client uploads
check_no_uploads

say "7. The same bytes?"
list_objects >"$work/found"
compare "$work/expected" "$work/found"
show_same "$work/expected"

say "Done: ${#names[@]} objects are exact, and none of them was on this disk."
