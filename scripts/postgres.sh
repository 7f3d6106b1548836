#!/bin/sh
# A real PostgreSQL 17 for tests, on loopback only, that trusts whoever is on this machine.
#
#   scripts/postgres.sh start [PORT] [SETTING=VALUE ...]   starts it and prints its URL, in minutes the first time
#   scripts/postgres.sh url [PORT]                         prints the URL only
#   scripts/postgres.sh stop [PORT]                        ends it
#   scripts/postgres.sh disk PORT SIZE                     gives its data a disk of that size in memory (none: no more)
#
#   WOOSTER_TEST_STORE_URL=$(scripts/postgres.sh start) npm test
#
# Needs root, or sudo, on Debian or what is made from it. Where the release has no PostgreSQL 17, Debian trixie's goes
# into a folder of its own and runs from there: no package of this machine changes but debootstrap. Each port has its
# own data. With WOOSTER_TEST_POSTGRES_URL set, that server is used and nothing is started.
set -eu

folder=${WOOSTER_TEST_POSTGRES_DIR:-/var/tmp/wooster-test-postgres}
port=${2:-54318}
bin=/usr/lib/postgresql/17/bin
packages="postgresql-17 postgresql-17-pgvector"
# Below the root of whichever system the server runs in.
data=/tmp/wooster-test-postgres-$port

install_packages() {
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

# Where the server's programs are: nothing for this system, else the folder with the other one.
system() {
  if [ -x "$bin/postgres" ]; then echo; elif [ -e "$folder/.ready" ]; then echo "$folder"; else return 1; fi
}

install_server() {
  command -v apt-get >/dev/null || { echo "Only Debian's packages are known: set WOOSTER_TEST_POSTGRES_URL." >&2; exit 1; }
  apt-get update -qq >&2
  if apt-cache show postgresql-17 postgresql-17-pgvector >/dev/null 2>&1; then
    # Debian would start a server of its own.
    mkdir -p /etc/postgresql-common && echo 'create_main_cluster = false' >>/etc/postgresql-common/createcluster.conf
    # shellcheck disable=SC2086
    install_packages $packages
    return
  fi
  command -v debootstrap >/dev/null || install_packages debootstrap
  mirror=$(apt-cache policy | sed -n 's|^ *[0-9-]* \(https\{0,1\}://[^ ]*/debian/\{0,1\}\) .*|\1|p' | head -n 1)
  rm -rf "$folder.new" "$folder"
  debootstrap --variant=minbase --include="$(echo "$packages" | tr ' ' ',')" \
    trixie "$folder.new" "${mirror:-http://deb.debian.org/debian}" >&2
  mv "$folder.new" "$folder"
  touch "$folder/.ready"
}

as_root() {
  root=$(system)
  if [ -n "$root" ]; then chroot "$root" sh -c "$1"; else sh -c "$1"; fi
}

# The server refuses to run as root.
as_postgres() {
  root=$(system)
  if [ -n "$root" ]; then chroot "$root" su postgres -s /bin/sh -c "$1"; else su postgres -s /bin/sh -c "$1"; fi
}

start() {
  shift "$(($# < 2 ? $# : 2))"
  system >/dev/null || install_server
  [ -e "$(system)$data/PG_VERSION" ] ||
    as_postgres "$bin/initdb -D $data -U postgres -A trust -E UTF8 --locale=C.UTF-8" >&2
  # Shared memory as files, since a folder with a system need not have /dev/shm.
  options="-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=/tmp -c dynamic_shared_memory_type=mmap"
  options="$options -c shared_buffers=32MB -c max_connections=200"
  for setting in "$@"; do options="$options -c $setting"; done
  as_postgres "$bin/pg_ctl -D $data status >/dev/null ||
    $bin/pg_ctl -D $data -w -l $data/server.log -o '$options' start" >&2
}

stop() {
  if system >/dev/null && [ -e "$(system)$data/postmaster.pid" ]; then
    as_postgres "$bin/pg_ctl -D $data -m fast stop" >&2
  fi
}

# A second size makes the same disk larger.
disk() {
  system >/dev/null || install_server
  at=$(system)$data
  if [ "${3:-none}" = none ]; then umount "$at" && rmdir "$at"
  elif mountpoint -q "$at"; then mount -o "remount,size=$3" "$at"
  else
    mkdir -p "$at" && mount -t tmpfs -o "size=$3,mode=0700" tmpfs "$at"
    as_root "chown postgres $data"
  fi
}

url() {
  echo "${WOOSTER_TEST_POSTGRES_URL:-postgres://postgres@127.0.0.1:$port/postgres}"
}

case ${1:-} in
start | stop | disk)
  if [ -n "${WOOSTER_TEST_POSTGRES_URL:-}" ]; then :
  elif [ "$(id -u)" = 0 ]; then "$1" "$@"
  else exec sudo ${WOOSTER_TEST_POSTGRES_DIR:+WOOSTER_TEST_POSTGRES_DIR="$folder"} sh "$0" "$@"
  fi
  [ "$1" != start ] || url
  ;;
url) url ;;
*)
  sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"
  exit 2
  ;;
esac
