#!/usr/bin/env bash
# The golden games, byte for byte, and the choices of `strong` in both builds, under every supported Python that is
# found. Each gets an environment of its own in a temporary folder; Pythons are taken from PATH, or given as arguments.
set -eu
cd "$(dirname "$0")/.."
pythons=("$@")
[ ${#pythons[@]} -gt 0 ] || pythons=(python3.11 python3.12 python3.13 python3.14 python3.14t)
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
  site=$("$folder/$version/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  for pure in "" 1; do
    found=$(SINTRA_PURE=$pure PYTHONSAFEPATH=1 PYTHONPATH=$site:$PWD \
      "$folder/$version/bin/python" -m scripts.fingerprint --games 1 --bot strong:nodes=100)
    [ "${choices:=$found}" = "$found" ] || { echo "$python ($version): strong chooses differently"; exit 1; }
  done
  echo "$python ($version): strong chooses the same, compiled and interpreted"
  tried=$((tried + 1))
done
[ "$tried" -gt 0 ]
