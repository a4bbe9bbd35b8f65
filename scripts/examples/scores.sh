#!/usr/bin/env sh
# A table of scores from many logs: games, victories, average and best score of each player, most victories first.
# Faulty logs and unfinished games are left out. Needs jq. Usage: scores.sh LOG...
[ $# -gt 0 ] || { echo "usage: scores.sh LOG..." >&2; exit 2; }
${SINTRA:-sintra} verify --json "$@" | jq -rs '
  [.[] | select(.ok and .over) as $game
       | range($game.players | length) as $at
       | {name: $game.players[$at], score: $game.scores[$at], won: ($game.winners | index($at + 1) != null)}]
  | group_by(.name)
  | map([.[0].name, length, (map(select(.won)) | length), (map(.score) | add / length * 10 | round / 10),
         (map(.score) | max)])
  | sort_by(-.[2], -.[3], .[0])
  | ["player", "games", "won", "average", "best"], .[]
  | @tsv'
