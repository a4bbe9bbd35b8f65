#!/usr/bin/env sh
# For continuous integration: check all logs below a folder, and print the faulty ones with their first faulty line.
# Exit code 0: all logs are good; 1: at least one is not; 2: no logs. Usage: ci-check.sh [FOLDER]
folder=${1:-.}
count=$(find "$folder" -type f -name '*.log' | wc -l)
[ "$count" -gt 0 ] || { echo "ci-check: no logs in $folder" >&2; exit 2; }
find "$folder" -type f -name '*.log' -exec "${SINTRA:-sintra}" verify -q {} + || exit 1
echo "ci-check: $((count)) logs are good"
