# Prints what zsh completes at the end of each command line on the standard input, by the script in
# $1: the line after '== ', then one candidate per line. The shell that completes is an interactive one
# on a terminal of its own, where compadd is replaced by a function that prints what would be
# offered, between two control characters.
if [[ $2 == inner ]]; then
  PROMPT=
  unsetopt prompt_cr prompt_sp
  autoload -Uz compinit && compinit -D -u
  source $1
  bindkey '^I' complete-word
  compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
      builtin compadd "$@"
      return
    fi
    local -a found
    builtin compadd -A found "$@"
    print -rl -- $found
  }
  # zsh forgets both lists each time it has called what they name.
  prepare() { compprefuncs=(before) comppostfuncs=(after) }
  before() { print -n '\1' }
  after() { prepare; print -n '\2' }
  prepare
  print ready
else
  zmodload zsh/zpty
  zpty shell zsh -f -i
  zpty -w shell "source ${(q)0} ${(q)1} inner"
  zpty -r -m shell answer '*ready*' || exit 2
  while IFS= read -r line; do
    print -r -- "== $line"
    zpty -w -n shell $'\x15'"$line"$'\t'
    zpty -r -m shell answer $'*\1*\2*' || exit 2
    print -r -- "${${${answer#*$'\1'}%%$'\2'*}//$'\r'/}"
  done
fi
