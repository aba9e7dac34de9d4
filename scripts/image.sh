#!/usr/bin/env bash
# Makes an OCI image from Debian's packages and dray's, without a container engine, and prints the path of its archive. Needs root.
# Load it with `podman load -i FILE`, or `skopeo copy oci-archive:FILE docker-daemon:dray:VERSION`.
# Usage: scripts/image.sh [DIR]     DIR instead of .build/packages
# DRAY_DEB=PATH uses that package instead of a new one, DRAY_IMAGE_SUITE=SUITE that release instead of bookworm, DRAY_MIRROR=URL that
# mirror.
#
# The same packages give the same bytes. OCI has no field for a health check: set `dray list` where the image runs (exit status 10: the
# job store is unusable). The service listens only inside the container, unless DRAY_LISTEN='*:6800' and DRAY_SERVE_SECRET are in its
# environment.

set -euo pipefail
cd "$(dirname "$0")/.."

packages=${1:-.build/packages}
suite=${DRAY_IMAGE_SUITE:-bookworm}
mirror=${DRAY_MIRROR:-http://deb.debian.org/debian}
limit=120000000 # bytes of the archive
umask 022 # for the files in the image

fail() {
  echo "image: $*" >&2
  exit 1
}

[ "$(id -u)" = 0 ] || fail "this needs root: files in the image belong to others"
scripts/setup.sh image
deb=${DRAY_DEB:-$(scripts/deb.sh)}
version=$(scripts/version.sh)
SOURCE_DATE_EPOCH=$(scripts/version.sh epoch)
export SOURCE_DATE_EPOCH
created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)
mkdir -p "$packages"
work=$(mktemp -d "${TMPDIR:-/tmp}/dray-image.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/debian

# Unpacks all packages that dray depends on, without configuring them: the image has no package manager. Commands of --on-complete need
# dash and coreutils, timetables need tzdata, a fleet needs libpq5.
depends=$(dpkg-deb -f "$deb" Depends | sed 's/([^)]*)//g; s/|[^,]*//g; s/ //g')
# shellcheck disable=SC2016 # for the shell that mmdebstrap starts
if ! mmdebstrap --variant=extract --include="$depends,base-files,ca-certificates,coreutils,dash,libpq5,netbase,tzdata" \
  --extract-hook='for deb in "$1"/var/cache/apt/archives/*.deb; do
    dpkg-deb -f "$deb" | sed "1a Status: install ok installed"; echo; done >"$1/status"' \
  "$suite" "$root" "$mirror" >"$work/log" 2>&1; then
  tail -5 "$work/log" >&2
  fail "$suite could not be unpacked"
fi

# Does what the installation scripts of the packages would do. Security scanners read this list of packages.
mkdir -p "$root/var/lib/dpkg" "$root/etc/ssl/certs"
mv "$root/status" "$root/var/lib/dpkg/status"
find "$root/usr/share/ca-certificates" -name '*.crt' | LC_ALL=C sort | xargs cat >"$root/etc/ssl/certs/ca-certificates.crt"
[ "$(grep -c BEGIN "$root/etc/ssl/certs/ca-certificates.crt")" -gt 50 ] || fail "there are no certificates of authorities in it"
printf '%s\n' 'root:x:0:0:root:/root:/usr/sbin/nologin' 'dray:x:1000:1000:dray:/var/lib/dray:/usr/sbin/nologin' >"$root/etc/passwd"
printf '%s\n' 'root:x:0:' 'dray:x:1000:' >"$root/etc/group"
printf '%s\n' 'hosts: files dns' 'passwd: files' 'group: files' 'services: files' 'protocols: files' >"$root/etc/nsswitch.conf"
# Removes files of this machine, and files that an image does not need.
rm -rf "$root"/etc/{resolv.conf,hostname,apt,cron.daily,logrotate.d} "$root"/var/{cache,log,lib/apt} \
  "$root"/usr/share/{man,info,locale,lintian,bash-completion} "$root"/usr/lib/*/gconv "$root"/usr/share/zoneinfo/{right,posix}
find "$root/dev" -mindepth 1 -delete
find "$root/usr/share/doc" -type f ! -name copyright -delete
find "$root/usr/share/doc" -type l ! -name copyright -delete
find "$root/usr/share/doc" -type d -empty -delete
ldconfig -r "$root"
rm -rf "$root/var/cache"

ours=$work/dray
dpkg-deb -x "$deb" "$ours"
rm -rf "$ours"/usr/share/{man,bash-completion,fish,zsh,lintian} "$ours/usr/lib"
find "$ours/usr/share/doc" -type f ! -name copyright -delete
install -d -m 700 -o 1000 -g 1000 "$ours/var/lib/dray"
install -d -m 755 -o 1000 -g 1000 "$ours/downloads"
chmod 755 "$ours" "$ours/var" "$ours/var/lib"
find "$root" "$ours" -newermt "@$SOURCE_DATE_EPOCH" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

image=$work/image:$version
umoci init --layout "$work/image"
umoci new --image "$image"
umoci insert --image "$image" --history.created "$created" --history.created_by "packages of Debian $suite" "$root" /
umoci insert --image "$image" --history.created "$created" --history.created_by "dray $version" "$ours" /
umoci config --image "$image" --no-history --created "$created" --os linux --architecture "$(dpkg-deb -f "$deb" Architecture)" \
  --author "dray contributors" \
  --config.entrypoint /usr/bin/dray --config.cmd serve --config.cmd=--root --config.cmd=/downloads \
  --config.user 1000:1000 --config.workingdir /downloads --config.volume /var/lib/dray --config.volume /downloads \
  --config.env PATH=/usr/bin:/bin --config.env HOME=/var/lib/dray --config.env DRAY_HOME=/var/lib/dray \
  --config.env LANG=C.UTF-8 --config.stopsignal SIGTERM \
  --config.label org.opencontainers.image.title=dray --config.label "org.opencontainers.image.version=$version" \
  --config.label org.opencontainers.image.licenses=MIT \
  --config.label "org.opencontainers.image.description=A download manager that never silently gives you a wrong file"
umoci gc --layout "$work/image"

archive=$packages/dray-$version-$(scripts/version.sh arch).oci.tar
# Packed by tar itself, so that equal images are equal archives.
tar -c -C "$work/image" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -f "$archive" .
size=$(stat -c %s "$archive")
[ "$size" -lt "$limit" ] || fail "$archive has $size bytes, more than $limit"
scripts/sums.sh "$packages"
echo "image: $((size / 1000000)) MB compressed, $(du -sk --total --apparent-size "$root" "$ours" | awk 'END { print int($1 / 1000) }') MB unpacked" >&2
echo "$archive"
