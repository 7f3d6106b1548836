#!/bin/sh
# Install from the lock when node_modules is missing or older than the lock. Say so; never read standard input.
# One install at a time per checkout: a second one waits, and then finds nothing left to do.
root=$(cd "$(dirname "$0")/.." && pwd)
stamp=$root/node_modules/.package-lock.json
busy=$root/.installing

# A linked node_modules belongs to another checkout, as in a git worktree, and `npm ci` would empty it for both. Never
# install there; only say when the packages are not those of this lock.
if [ -h "$root/node_modules" ]; then
  if ! [ -f "$stamp" ]; then
    echo "node_modules is a link to a folder without installed packages." >&2
    echo "Run npm ci in the checkout that it belongs to, or remove the link." >&2
    exit 1
  fi
  target=$(cd -P "$root/node_modules" && pwd)
  cmp -s "$root/package-lock.json" "$target/../package-lock.json" ||
    echo "node_modules is a link, so nothing is installed; its packages may not match package-lock.json." >&2
  exit 0
fi

installed() { [ -f "$stamp" ] && ! [ "$root/package-lock.json" -nt "$stamp" ]; }

take() { mkdir "$busy" && echo $$ >"$busy/owner"; } 2>/dev/null

# Is the process whose id is in file $1 still running? Ids are reused, so its command line counts as well. A dead one
# that its parent has not waited for shows as `[npm] <defunct>` or `(npm)`.
runs() {
  read -r id <"$1" || return 1
  case $(ps -o args= -p "$id" || tr '\0' ' ' <"/proc/$id/cmdline") in
    '['* | '('*) return 1 ;;
    *install.sh* | *npm*) return 0 ;;
  esac
  return 1
} 2>/dev/null

# npm outlives this script if the script is killed, and keeps writing.
held() { runs "$busy/owner" || runs "$busy/npm"; }

holders() { cat "$busy/owner" "$busy/npm" 2>/dev/null; }

# Remove what a killed install left behind, and only that: one process at a time, if the holders are still those of $1.
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
    echo "The installation failed: $root is not writable." >&2
    exit 1
  fi
  if held; then
    gone=none
    [ -n "$said" ] || echo "Another start is installing packages in this checkout; waiting for it ..." >&2
    said=1
  else
    # Only when seen twice: an install that has just started may not have written its id yet.
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
# A lock that has changed adds what is missing: `npm ci` would empty the folder under programs that are running.
how=ci
[ -f "$stamp" ] && how="install --no-save"
cd "$root" && sh -c 'echo $$ >"$0/npm"; exec npm $1 --no-audit --no-fund --loglevel=error' "$busy" "$how" </dev/null >&2 || {
  echo "The installation failed; see above. Node 20 or newer, npm, python3, make and g++ are needed." >&2
  exit 1
}
touch "$stamp"
# What `bin/wooster` starts instead of the sources. Without it everything works, only slower.
"$root/node_modules/node/bin/node" --disable-warning=ExperimentalWarning "$root/scripts/build-checkout.ts" \
  </dev/null >/dev/null 2>&1 || true
