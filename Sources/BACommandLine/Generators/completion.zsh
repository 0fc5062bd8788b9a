#compdef NAME
# Completes command lines of NAME in zsh: put it as _NAME into a folder of fpath, or
# source it after compinit.
FUNCTION() {
  local line offer
  local -a offers
  for line in ${(f)"$("${(Q)words[1]/#\~/$HOME}" --complete \
    "${(Q@)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)"}; do
    offer=${${line%%$'\t'*}//:/\\:}
    case $line in
      :) compset -P '--*='; _files -/ ;;
      :*) compset -P '--*='; _files -g "${line#: }" ;;
      *=) compadd -S '' -- $line ;;
      *$'\t'*) offers+=("$offer:${line#*$'\t'}") ;;
      *) offers+=("$offer") ;;
    esac
  done
  (( $#offers )) && _describe completion offers
}

if [[ $funcstack[1] == _NAME ]]; then
  FUNCTION "$@"
else
  compdef FUNCTION NAME
fi
