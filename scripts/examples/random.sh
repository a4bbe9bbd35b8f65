#!/usr/bin/env sh
# A random player: play a log to its end, or for at most STEPS steps. Usage: random.sh LOG [STEPS]
log=$1
for _ in $(seq "${2:-1000}"); do
  step=$(${SINTRA:-sintra} legal "$log" | shuf -n 1)
  [ -n "$step" ] || break
  # A step is several words: no quotes.
  # shellcheck disable=SC2086
  ${SINTRA:-sintra} move -q --no-sync "$log" $step || exit
done
