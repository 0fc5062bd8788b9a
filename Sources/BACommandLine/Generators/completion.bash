# Completes command lines of NAME in bash: source it, or put it into a folder that
# bash-completion reads, such as ~/.local/share/bash-completion/completions.
FUNCTION() {
  local current="${COMP_WORDS[COMP_CWORD]#=}" index line option pattern patterns
  local words=("${COMP_WORDS[0]/#\~/$HOME}")
  for ((index = 1; index <= COMP_CWORD; index++)); do
    # bash splits words at equals signs.
    if [ "${COMP_WORDS[index - 1]}" = '=' ] || [ "${COMP_WORDS[index]}" = '=' ]; then
      words[${#words[@]} - 1]+="${COMP_WORDS[index]}"
    else
      words+=("${COMP_WORDS[index]}")
    fi
  done
  option="${words[${#words[@]} - 1]%"$current"}"
  COMPREPLY=()
  while IFS=$'\t' read -r line _; do
    case "$line" in
      :*)
        compopt -o filenames 2>/dev/null
        read -r -a patterns <<<"${line#:}"
        while IFS='' read -r line; do
          COMPREPLY+=("$line")
        done < <(
          compgen -d -- "$current"
          for pattern in "${patterns[@]}"; do compgen -f -X "!$pattern" -- "$current"; done
        )
        ;;
      *)
        case "$line" in *=) compopt -o nospace 2>/dev/null ;; esac
        COMPREPLY+=("${line#"$option"}")
        ;;
    esac
  done < <("${words[0]}" --complete "${words[@]:1}" 2>/dev/null)
}

complete -F FUNCTION NAME
