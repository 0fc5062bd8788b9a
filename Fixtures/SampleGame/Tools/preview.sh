#!/bin/sh
# Prints a level as text: Tools/preview.sh Levels/01-harbour
set -eu
cat "$1/level.json" "$1/tiles.txt"
