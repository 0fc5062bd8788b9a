#!/bin/bash
# Prints what bash completes at the end of each command line on the standard input, by the script in
# $1: the line after '== ', then one candidate per line. Words are split at spaces and equals signs.
# shellcheck source=/dev/null
source "$1"
while IFS='' read -r line; do
  echo "== $line"
  read -r -a COMP_WORDS <<<"${line//=/ = }"
  case "$line" in *' ' | *=) COMP_WORDS+=('') ;; esac
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _ba_package
  printf '%s\n' "${COMPREPLY[@]}"
done
