#!/bin/sh
# Installs from the lock when node_modules is missing or older than the lock. Says so; never reads standard input.
# One at a time in a checkout: who comes second waits, and then finds nothing left to do.
root=$(cd "$(dirname "$0")/.." && pwd)
stamp=$root/node_modules/.package-lock.json
busy=$root/.installing

installed() { [ -f "$stamp" ] && ! [ "$root/package-lock.json" -nt "$stamp" ]; }

take() { mkdir "$busy" && echo $$ >"$busy/owner"; } 2>/dev/null

# Does the process whose id is in file $1 still run? Ids are used again, so its words count as well. One that is dead
# and that nobody has asked about shows as `[npm] <defunct>` or `(npm)`.
runs() {
  read -r id <"$1" || return 1
  case $(ps -o args= -p "$id" || tr '\0' ' ' <"/proc/$id/cmdline") in
    '['* | '('*) return 1 ;;
    *install.sh* | *npm*) return 0 ;;
  esac
  return 1
} 2>/dev/null

# npm outlives a script that was killed, and goes on writing.
held() { runs "$busy/owner" || runs "$busy/npm"; }

holders() { cat "$busy/owner" "$busy/npm" 2>/dev/null; }

# Remove what a killed one left behind, and only that: one process at a time, if the holders are still those of $1.
clear_away() {
  find "$busy.clearing" -prune -mmin +1 -exec rmdir {} \;
  mkdir "$busy.clearing" || return
  [ "$(holders)" = "$1" ] && rm -rf "$busy"
  rmdir "$busy.clearing"
} 2>/dev/null

installed && exit 0
gone=none
said=
failures=0
until take; do
  [ -d "$busy" ] || failures=$((failures + 1))
  if [ "$failures" -gt 5 ]; then
    echo "The installation failed: nothing can be written in $root." >&2
    exit 1
  fi
  if held; then
    gone=none
    [ -n "$said" ] || echo "Another start is installing packages in this checkout; waiting for it ..." >&2
    said=1
  else
    # Seen twice, since one that has just begun may not have written its id yet.
    [ "$gone" = "$(holders)" ] && clear_away "$gone"
    gone=$(holders)
  fi
  sleep 1
done
trap 'rm -rf "$busy"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
installed && exit 0
echo "Installing packages from the lock (once, about half a minute) ..." >&2
cd "$root" && sh -c 'echo $$ >"$0/npm"; exec npm ci --no-audit --no-fund --loglevel=error' "$busy" </dev/null >&2 || {
  echo "The installation failed; see above. Node 20 or newer, npm, python3, make and g++ are needed." >&2
  exit 1
}
touch "$stamp"
