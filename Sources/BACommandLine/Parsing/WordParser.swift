import BADiagnostics

/// Separates options from arguments, word by word.
///
/// Options are written `--opt value`, `--opt=value`, `-o value`, `-ovalue` or `-o=value`, and flags
/// can be combined: `-abc`. All words after `--` are arguments, and so is `-`. A word that begins
/// with a dash is never the value of the option before it; `-o=-odd` passes one.
package struct WordParser {
  package let row: CommandRow
  package var rest: ArraySlice<[UInt8]>
  private var typed = TypedArguments()
  private var given: [Option] = []

  package init(row: CommandRow, rest: ArraySlice<[UInt8]>) {
    self.row = row
    self.rest = rest
  }

  package mutating func parse() throws(UsageError) -> (TypedArguments, positional: [[UInt8]]) {
    var positional: [[UInt8]] = []
    while let word = rest.popFirst() {
      if word.elementsEqual("--".utf8) {
        positional += rest
        break
      }
      let typed = String(decoding: word, as: UTF8.self)
      if let dash = ["\u{2013}", "\u{2014}", "-\u{2013}"].first(where: typed.hasPrefix) {
        throw UsageError(
          "'\(printable(word))' has a dash of typography, as web pages make of '--'; type "
            + "'--\(typed.dropFirst(dash.count).drop { $0 == "-" || $0 == "\u{2013}" })'")
      }
      if word.starts(with: "--".utf8) {
        try long(word)
      } else if word.count > 1, word.first == dash {
        try shorts(word)
      } else {
        positional.append(word)
      }
    }
    for group in row.exclusive {
      let both = group.filter { given.contains($0) }
      if both.count > 1 { throw .exclusive(both[0], both[1]) }
    }
    for (option, users) in row.requires where !given.contains(option) {
      if let user = users.first(where: { given.contains($0) }) { throw .needs(user, option) }
    }
    return (typed, positional)
  }

  /// `--name`, `--name=value` or `--name value`.
  private mutating func long(_ word: [UInt8]) throws(UsageError) {
    let name = word.prefix { $0 != equals }
    let inline = name.count < word.count ? Array(word[(name.count + 1)...]) : nil
    // Apple's 'convert' has been shown with '--l' for '-l'.
    let option = row.options.first { option in
      name.dropFirst(2).elementsEqual(option.long.utf8)
        || option.synonym.map { name.dropFirst(2).elementsEqual($0.utf8) } ?? false
        || name.count == 3 && option.short?.asciiValue == name.last
    }
    guard let option else {
      if let inline, name.elementsEqual("--help".utf8) || name.elementsEqual("--version".utf8) {
        throw .unexpectedValue(printable(name), printable(inline))
      }
      if inline == nil, name.elementsEqual("--json".utf8),
        let format = row.options.first(where: \.acceptsJSON)
      {
        return try collect(format, typed: "--json", inline: Array("json".utf8))
      }
      throw unknown(name)
    }
    try collect(option, typed: printable(name), inline: inline)
  }

  /// `-abc`; the last letter may have a value, attached or as the next word.
  private mutating func shorts(_ word: [UInt8]) throws(UsageError) {
    // '-force' would be '-f -o rce', which is never intended.
    let isLong = row.options.contains {
      $0.long.count > 1 && word.dropFirst().elementsEqual($0.long.utf8)
    }
    if isLong { throw unknown(word[...]) }
    for index in 1..<word.count {
      let letter = word[index]
      guard let option = row.options.first(where: { $0.short?.asciiValue == letter }) else {
        throw unknown(word.count == 2 ? word[...] : word.prefix { $0 != equals }, letter: letter)
      }
      let name = "-\(Character(Unicode.Scalar(letter)))"
      var attached = word[(index + 1)...]
      if attached.first == equals {
        attached = attached.dropFirst()
        return try collect(option, typed: name, inline: Array(attached))
      }
      if let value = option.value, value.implied == nil, !attached.isEmpty {
        return try collect(option, typed: name, inline: Array(attached))
      }
      try collect(option, typed: name, inline: nil)
    }
  }

  /// Collects an option's values and checks the kind of each.
  private mutating func collect(
    _ option: Option, typed name: String, inline: [UInt8]?
  ) throws(UsageError) {
    given.append(option)
    guard let value = option.value else {
      if let inline { throw .unexpectedValue(name, printable(inline)) }
      return typed.add([], to: option)
    }
    var values: [[UInt8]] = []
    if let inline {
      values = [inline]
    } else if let implied = value.implied {
      values = [Array(implied.utf8)]
    } else {
      while let word = rest.first, !isOption(word),
        values.isEmpty || option.arity == .upToNextOption
      {
        values.append(word)
        rest = rest.dropFirst()
      }
    }
    if values.isEmpty { throw .missingValue(option, typed: name) }
    for word in values {
      if !fits(word, value.kind) { throw .invalid(word, for: option) }
      if case .file = value.kind, word == [dash], !option.takesStream {
        throw .invalid(
          word, for: option,
          reason:
            "a standard stream is /dev/stdin or /dev/stdout here, and a file of this name './-'")
      }
      typed.add(word, to: option)
    }
  }

  private func isOption(_ word: [UInt8]) -> Bool { word.count > 1 && word.first == dash }

  /// An unknown option, with the option that was probably meant.
  private func unknown(_ word: ArraySlice<UInt8>, letter: UInt8? = nil) -> UsageError {
    let bare = String(decoding: word.drop { $0 == dash }, as: UTF8.self)
    if let instead = row.gone.first(where: { $0.key == bare })?.value {
      return UsageError("there is no '\(printable(word))': \(instead)")
    }
    let names = visibleOptions(row).map(\.long)
    let synonyms = Dictionary(
      row.options.compactMap { option in option.synonym.map { ($0, option.long) } },
      uniquingKeysWith: { $1 })
    // '--github' for '--format github', '--no-color' for '--color never'.
    if bare == "no-color", names.contains("color") {
      return .unknownOption(printable(word), nearest: "--color never")
    }
    if bare == "C" {
      return UsageError("'-C' is for the whole command line, and comes before the command")
    }
    let valued = row.options.first { option in
      if case .choice(let words) = option.value?.kind { words.contains(bare) } else { false }
    }
    if let valued {
      return .unknownOption(printable(word), nearest: "--\(valued.long) \(bare)")
    }
    let near =
      names.contains(bare)
      ? bare : suggestion(for: bare, among: names + synonyms.keys).map { synonyms[$0] ?? $0 }
    if let letter, near == nil {
      return .unknownOption("-" + printable([letter]), nearest: nil)
    }
    return .unknownOption(printable(word), nearest: near.map { "--\($0)" })
  }
}

private let dash = UInt8(ascii: "-")
private let equals = UInt8(ascii: "=")
