#!/bin/sh
# Do what a new user does: clone what is committed here, start it, ask. With "ci", run .ci/run in the clone instead.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
clone=$(mktemp -d)
trap 'rm -rf "$clone"' EXIT
git clone -q "$root" "$clone/wooster"
cd "$clone/wooster"
unset WOOSTER_HOME NODE_COMPILE_CACHE
if [ "${1:-}" = ci ]; then
  .ci/run
  exit
fi
answer=$(echo "what is 6 * 7?" | npm start --silent)
case $answer in
  *42*) echo "A fresh clone answered: $answer" ;;
  *) echo "A fresh clone did not answer: $answer" >&2; exit 1 ;;
esac
# The same through a link and from another folder, now that it is installed.
ln -s "$PWD/bin/wooster" "$clone/w"
(cd / && "$clone/w" ask "what is 6 * 7?") | grep -q 42
