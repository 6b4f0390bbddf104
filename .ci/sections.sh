# Runs commands as sections and counts what they say. Sourced by .ci/run; tools/sections.test.ts holds it to this:
#
#   suite NAME COMMAND…    its last line `N passed, N failed[, N skipped]` counts as it stands; a suite that fails without saying so
#                          counts as one failed
#   section NAME COMMAND…  what it says it passed counts; failing counts as one failed, however much of it failed
#   finish                 prints how each went, with its lines `failed: …` and, as the last line, the sum; exits with 1 when anything failed
#
# A command fails by its exit code, or by saying that something failed. The next one runs all the same.

passed=0
failed=0
skipped=0
report=''

suite() { _count own "$@"; }
section() { _count one "$@"; }

_count() {
  local how=$1 name=$2 log code line said_passed said_failed said_skipped add failures from=$SECONDS
  shift 2
  log=$(mktemp)
  printf '\n=== %s: %s\n' "$name" "$*"
  "$@" 2>&1 | tee "$log"
  code=${PIPESTATUS[0]}
  line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$log" | tail -n 1)
  failures=$(grep -a '^failed: ' "$log" | cut -c 1-400 | head -n 20)
  rm -f "$log"
  read -r said_passed said_failed said_skipped <<<"$(printf '%s' "$line" | tr -c '0-9' ' ')"
  said_failed=${said_failed:-0}
  add=0
  if [ "$code" -ne 0 ] || [ "$said_failed" -gt 0 ]; then add=1; fi
  if [ "$how" = own ] && [ "$said_failed" -gt 0 ]; then add=$said_failed; fi
  passed=$((passed + ${said_passed:-0}))
  skipped=$((skipped + ${said_skipped:-0}))
  failed=$((failed + add))
  report+=$(printf '%-6s %-10s %4d s  %s' "$([ "$add" -eq 0 ] && echo ok || echo FAILED)" "$name" $((SECONDS - from)) "$line")$'\n'
  if [ "$add" -gt 0 ] && [ -n "$failures" ]; then report+=$failures$'\n'; fi
  [ "$add" -eq 0 ]
}

finish() {
  printf '\n=== Sections\n%s' "$report"
  if [ "$skipped" -gt 0 ]; then
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  else
    printf '%d passed, %d failed\n' "$passed" "$failed"
  fi
  [ "$failed" -eq 0 ]
  exit
}
