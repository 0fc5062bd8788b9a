# Prints what fish completes at the end of each command line on the standard input, by the script
# in the first argument: the line after '== ', then one candidate per line.
source $argv[1]
while read -l line
    echo "== $line"
    complete -C "$line" | string replace -r '\t.*' ''
end
