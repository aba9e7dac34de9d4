#!/bin/sh
# Installs dray from the tarball that has this file.
# Usage: ./install.sh [--prefix DIR]            below /usr/local as root, otherwise below ~/.local
#        ./install.sh [--prefix DIR] --uninstall
# Jobs, downloads and the configuration are never touched. A POSIX shell and the tools of BusyBox are enough.

set -eu
here=$(cd "$(dirname "$0")" && pwd)

fail() {
  echo "install: $*" >&2
  exit 1
}

if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=${HOME:+$HOME/.local}; fi
task=install
while [ $# -gt 0 ]; do
  case $1 in
    --prefix)
      [ $# -gt 1 ] || fail "--prefix needs a directory"
      prefix=$2
      shift
      ;;
    --prefix=*) prefix=${1#*=} ;;
    --uninstall) task=uninstall ;;
    -h | --help)
      sed -n '2,/^$/s/^# \{0,1\}//p' "$here/install.sh"
      exit 0
      ;;
    *) fail "no such option: $1 (--prefix DIR, --uninstall)" ;;
  esac
  shift
done
case $prefix in
  '') fail "HOME is not set: name a directory with --prefix" ;;
  *[\"\\%\&\|]* | *"'"* | *'
'*) fail "--prefix cannot contain quotes, backslashes, %, & or |" ;;
  /*) ;;
  *) prefix=$PWD/$prefix ;;
esac

# Prints where a file of the tarball is installed. systemd searches the units of a single user in another directory.
place() {
  case $1 in
    lib/systemd/user/*)
      if [ "$prefix" = "${HOME:-}/.local" ]; then echo "$prefix/share/systemd/user/${1##*/}"; else echo "$prefix/$1"; fi
      ;;
    *) echo "$prefix/$1" ;;
  esac
}
cd "$here"
files=$(find bin lib share '(' -type f -o -type l ')' | LC_ALL=C sort)

if [ $task = uninstall ]; then
  for file in $files; do rm -f "$(place "$file")"; done
  echo "dray is removed from $prefix; jobs and downloads are where they were"
  exit 0
fi

# sha256sum of BusyBox has no --quiet.
sha256sum -c SHA256SUMS >/dev/null || fail "this tarball is damaged: files are not those of SHA256SUMS"
if ! bin/dray --version >/dev/null 2>&1; then
  missing=$(ldd bin/dray 2>&1 | sed -n 's/^[[:space:]]*\([^ ]*\) => not found$/\1/p; s/.*version .\(GLIBC_[0-9.]*\).*/glibc: \1/p' | sort -u | paste -sd ' ' -)
  echo "install: bin/dray does not run here. Missing: ${missing:-see \`ldd bin/dray\`}" >&2
  echo "install: it needs glibc 2.35 or newer, libcurl 7.81 or newer, SQLite, Expat, libidn2 and zlib;" >&2
  packages=
  for pair in libcurl.so.4:libcurl4 libsqlite3.so.0:libsqlite3-0 libexpat.so.1:libexpat1 libidn2.so.0:libidn2-0 libz.so.1:zlib1g; do
    case " $missing " in *" ${pair%%:*} "*) packages="$packages ${pair#*:}" ;; esac
  done
  [ -z "$packages" ] || echo "install: on Debian and Ubuntu: apt install$packages" >&2
  exit 1
fi

for file in $files; do
  target=$(place "$file")
  mkdir -p "$(dirname "$target")"
  # Replaced by a rename, so that a running dray keeps its program.
  case $file in
    # Both need quotation marks around a path with blanks.
    *.service | *.desktop)
      case $prefix in
        *' '*) program="\"$prefix/bin/dray\"" ;;
        *) program=$prefix/bin/dray ;;
      esac
      sed "s|^\(Exec\(Start\)\{0,1\}\)=/[^ ]*|\1=$program|" "$file" >"$target.new"
      ;;
    *) cp -P "$file" "$target.new" ;;
  esac
  if [ -L "$file" ]; then :; elif [ -x "$file" ]; then chmod 755 "$target.new"; else chmod 644 "$target.new"; fi
  mv "$target.new" "$target"
done
# Desktops look up in a cache which program opens which files.
update-desktop-database -q "$prefix/share/applications" 2>/dev/null || true
echo "$("$prefix/bin/dray" --version | sed -n 1p) is installed below $prefix"
case :$PATH: in
  *":$prefix/bin:"*) ;;
  *) echo "$prefix/bin is not in PATH: add it, or call $prefix/bin/dray" ;;
esac
