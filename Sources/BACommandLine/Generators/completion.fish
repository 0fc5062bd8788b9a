# Completes command lines of NAME in fish: put it as NAME.fish into
# ~/.config/fish/completions.
function _FUNCTION
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  set -l option (string match -r '^--[^=]*=' -- "$word")
  set -l start (string replace -r '^--[^=]*=' '' -- "$word")
  for line in ($words[1] --complete $words[2..-1] "$word" 2>/dev/null)
    if not string match -q ':*' -- $line
      printf '%s\n' $line
      continue
    end
    printf "$option%s\n" (__fish_complete_directories "$start" '')
    for pattern in (string split -n ' ' -- (string sub -s 2 -- $line))
      for file in $start*(string sub -s 2 -- $pattern)
        test -d $file; or printf '%s\n' "$option$file"
      end
    end
  end
end

complete -c NAME -f -a '(_FUNCTION)'
