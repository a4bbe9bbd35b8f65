#!/usr/bin/env bash
# The golden games, byte for byte, under every supported Python that is found. Each gets an environment of its own
# in a temporary folder; Pythons are taken from PATH, or given as arguments.
set -eu
cd "$(dirname "$0")/.."
pythons=("$@")
[ ${#pythons[@]} -gt 0 ] || pythons=(python3.11 python3.12 python3.13)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tried=0
for python in "${pythons[@]}"; do
  if ! "$python" -c '' 2>/dev/null; then
    echo "$python: not found"
    continue
  fi
  version=$("$python" -c 'import platform; print(platform.python_version())')
  "$python" -m venv "$folder/$version"
  "$folder/$version/bin/python" -m pip install --quiet --disable-pip-version-check . pytest hypothesis pytest-xdist
  for seed in 0 1 random; do
    PYTHONHASHSEED=$seed "$folder/$version/bin/python" -m pytest -q -n auto tests/games/test_goldens.py tests/rules/test_chance.py
  done
  echo "$python ($version): the same bytes"
  tried=$((tried + 1))
done
[ "$tried" -gt 0 ]
