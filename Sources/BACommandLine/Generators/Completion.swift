package enum Shell: String, CaseIterable {
  case bash, zsh, fish
}

/// What shells offer in place of the last of `words`, which follow the tool's name: a candidate on
/// each line, with its description after a tab. A line that begins with a colon stands for folders,
/// and for files that match one of the patterns in it.
///
/// The first word may be a command, or belong to the default one.
func completions(of words: ArraySlice<[UInt8]>, with tool: CommandRow) -> String {
  var rest = words
  let word = String(decoding: rest.popLast() ?? [], as: UTF8.self)
  while rest.first?.elementsEqual("-C".utf8) ?? false { rest = rest.dropFirst(2) }
  var row = tool
  while let next = rest.first.flatMap({ row.subcommand(named: $0) }) {
    row = next
    rest = rest.dropFirst()
  }
  let commands = rest.isEmpty ? row.offeredSubcommands : []
  let rows = [row] + row.subcommands.filter { $0.name == row.defaultSubcommand }
  let options = rows.flatMap(visibleOptions)
  func value(of name: some StringProtocol) -> Option.Value? {
    options.first { "--\($0.long)" == name || $0.short.map { "-\($0)" } ?? "" == name }?.value
  }

  let offers: [String]
  let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
  if word.hasPrefix("--"), parts.count == 2 {
    offers = (value(of: parts[0])?.kind.offers(for: parts[1]) ?? [])
      .map { $0.hasPrefix(":") ? $0 : "\(parts[0])=\($0)" }
  } else if word.hasPrefix("-") {
    offers = options.flatMap { option in
      (["--\(option.long)"] + (option.short.map { ["-\($0)"] } ?? [])).map {
        $0 + "\t" + option.help
      }
    }
  } else if let value = rest.last.flatMap({ value(of: String(decoding: $0, as: UTF8.self)) }),
    value.implied == nil
  {
    offers = value.kind.offers(for: word[...])
  } else {
    offers =
      commands.map { $0.name + "\t" + $0.overview }
      + rows.flatMap(\.arguments).flatMap { $0.kind.offers(for: word[...]) }
  }
  return offers.filter { $0.hasPrefix(word) || $0.hasPrefix(":") }
    .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    .map { $0 + "\n" }.joined()
}

extension ValueKind {
  /// What completes a value that begins with `start`.
  fileprivate func offers(for start: Substring) -> [String] {
    switch self {
    case .text, .integer, .size: return []
    case .choice(let words), .suggestion(let words): return words
    case .setting(let names, let values):
      guard let equals = start.firstIndex(of: "=") else { return names.map { $0 + "=" } }
      return values.map { start[...equals] + $0 }
    case .directory: return [":"]
    case .file(let extensions):
      return [":" + (extensions.isEmpty ? " *" : extensions.map { " *.\($0)" }.joined())]
    }
  }
}

/// A script that completes the tool's command lines in `shell`, by what the tool prints for
/// `--complete` and the words up to the cursor.
func completionScript(for shell: Shell, of tool: CommandRow) -> String {
  let name = tool.name
  let function = "_" + name.replacing("-", with: "_")
  return switch shell {
  // bash 3.2 and later, without the bash-completion package.
  case .bash:
    """
    # Completes command lines of \(name) in bash: source it, or put it into a folder that
    # bash-completion reads, such as ~/.local/share/bash-completion/completions.
    \(function)() {
      local current="${COMP_WORDS[COMP_CWORD]#=}" index line option pattern patterns
      local words=("${COMP_WORDS[0]/#\\~/$HOME}")
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
      while IFS=$'\\t' read -r line _; do
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

    complete -F \(function) \(name)

    """
  case .zsh:
    """
    #compdef \(name)
    # Completes command lines of \(name) in zsh: put it as _\(name) into a folder of fpath, or
    # source it after compinit.
    \(function)() {
      local line offer
      local -a offers
      for line in ${(f)"$("${(Q)words[1]/#\\~/$HOME}" --complete \\
        "${(Q@)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)"}; do
        offer=${${line%%$'\\t'*}//:/\\\\:}
        case $line in
          :) compset -P '--*='; _files -/ ;;
          :*) compset -P '--*='; _files -g "${line#: }" ;;
          *=) compadd -S '' -- $line ;;
          *$'\\t'*) offers+=("$offer:${line#*$'\\t'}") ;;
          *) offers+=("$offer") ;;
        esac
      done
      (( $#offers )) && _describe completion offers
    }

    if [[ $funcstack[1] == _\(name) ]]; then
      \(function) "$@"
    else
      compdef \(function) \(name)
    fi

    """
  // fish 3 and later.
  case .fish:
    """
    # Completes command lines of \(name) in fish: put it as \(name).fish into
    # ~/.config/fish/completions.
    function _\(function)
      set -l words (commandline -opc)
      set -l word (commandline -ct)
      set -l option (string match -r '^--[^=]*=' -- "$word")
      set -l start (string replace -r '^--[^=]*=' '' -- "$word")
      for line in ($words[1] --complete $words[2..-1] "$word" 2>/dev/null)
        if not string match -q ':*' -- $line
          printf '%s\\n' $line
          continue
        end
        printf "$option%s\\n" (__fish_complete_directories "$start" '')
        for pattern in (string split -n ' ' -- (string sub -s 2 -- $line))
          for file in $start*(string sub -s 2 -- $pattern)
            test -d $file; or printf '%s\\n' "$option$file"
          end
        end
      end
    end

    complete -c \(name) -f -a '(_\(function))'

    """
  }
}

/// `row` itself, with no words, and every command below it with the words that select it.
package func paths(from row: CommandRow, _ words: [String] = []) -> [(
  words: [String], row: CommandRow
)] {
  [(words, row)] + row.offeredSubcommands.flatMap { paths(from: $0, words + [$0.name]) }
}

extension CommandRow {
  fileprivate var offeredSubcommands: [CommandRow] {
    subcommands.filter { !$0.isHidden || $0.name == "help" }
  }
}
