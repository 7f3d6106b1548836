#!/bin/sh
# Installs from the lock when node_modules is missing or older than the lock. Says so; never reads standard input.
root=$(cd "$(dirname "$0")/.." && pwd)
stamp=$root/node_modules/.package-lock.json
if [ -f "$stamp" ] && ! [ "$root/package-lock.json" -nt "$stamp" ]; then exit 0; fi
echo "Installing packages from the lock (once, about half a minute) ..." >&2
cd "$root" && npm ci --no-audit --no-fund --loglevel=error </dev/null >&2 || {
  echo "The installation failed; see above. Node 20 or newer, npm, python3, make and g++ are needed." >&2
  exit 1
}
touch "$stamp"
