#!/usr/bin/env sh
# Create, advance, show and replay a game. Usage: demo.sh [FOLDER OF THE PROGRAM]
set -eu
bin=$(cd "${1:-.venv/bin}" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
PATH=$bin:$PATH

say() { printf '\n$ %s\n' "$*"; }

say 'sintra new --seed 42 > game.log'
sintra new --seed 42 > game.log
say 'sintra move game.log pick 3 orange'
sintra move game.log pick 3 orange
say 'sintra move game.log place 2'
sintra move game.log place 2
say 'sintra show game.log'
sintra show game.log
say 'sintra legal game.log | head -n 3'
sintra legal game.log | head -n 3
say 'sintra move game.log pick center pink place 3'
sintra move game.log pick center pink place 3
say 'sintra replay game.log'
sintra replay game.log
say 'sintra verify game.log'
sintra verify game.log
