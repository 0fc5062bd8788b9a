import BAPackCore

/// The build settings of a target in its default configuration, over those of the project.
struct BuildSettings {
  private let source: SourceText
  private let levels: [[PropertyListValue.Member]]
  /// The files of settings that the configurations are based on, which are not read.
  let files: [XcodeProject.File]
  /// Settings in other configurations of the target, with their names.
  private let others: [(name: String, settings: [PropertyListValue.Member])]
  private let name: String

  init(of target: PropertyListValue, in project: XcodeProject) {
    source = project.source
    let list = project.object(target["buildConfigurationList"])
    let name = list?["defaultConfigurationName"]?.string ?? "Release"
    self.name = name
    var files: [XcodeProject.File] = []
    func configuration(
      _ owner: PropertyListValue
    ) -> (own: [PropertyListValue.Member], others: [(String, [PropertyListValue.Member])]) {
      let list = project.object(owner["buildConfigurationList"])
      var own: [PropertyListValue.Member]?
      var others: [(String, [PropertyListValue.Member])] = []
      for configuration in project.objects(list?["buildConfigurations"]) {
        let settings = configuration["buildSettings"]?.dictionary ?? []
        if own == nil, configuration["name"]?.string == name {
          own = settings
          if let base = configuration["baseConfigurationReference"] { files += project.files(base) }
        } else {
          others.append((configuration["name"]?.string ?? "", settings))
        }
      }
      return (own ?? [], others)
    }
    let own = configuration(target)
    levels = [own.own, configuration(project.root).own]
    others = own.others
    self.files = files
  }

  /// The words of a setting, in order, with what it inherits in place of `$(inherited)`.
  func words(_ key: String) -> [String] { words(key, levels[...]) }

  private func words(_ key: String, _ levels: ArraySlice<[PropertyListValue.Member]>) -> [String] {
    guard let settings = levels.first else { return [] }
    guard let value = settings.first(where: { $0.key == key })?.value else {
      return words(key, levels.dropFirst())
    }
    return Self.words(value).flatMap { word in
      word == "$(inherited)" || word == "${inherited}"
        ? words(key, levels.dropFirst()) : [word]
    }
  }

  /// Where the setting is; nil if no configuration has it.
  func range(_ key: String) -> Range<Int>? {
    levels.lazy.compactMap { $0.first { $0.key == key } }.first?.keyRange
  }

  /// Findings about a setting that this program can't follow.
  func findings(_ key: String) -> [Finding] {
    var findings: [Finding] = []
    let words = words(key)
    for word in words where word.contains("$(") || word.contains("${") {
      findings.append(
        finding("'\(printable(word.utf8))' in \(key) is another build setting", range(key)))
    }
    for level in levels {
      if let member = level.first(where: { $0.key.hasPrefix(key + "[") }) {
        findings.append(
          finding("the condition of '\(printable(member.key.utf8))' is ignored", member.keyRange))
      }
    }
    for other in others {
      guard let value = other.settings.first(where: { $0.key == key }) else { continue }
      if Self.words(value.value) != words, !Self.words(value.value).contains("$(inherited)") {
        findings.append(
          finding(
            "\(key) differs between the configurations '\(printable(name.utf8))', which is used, and "
              + "'\(printable(other.name.utf8))'", value.keyRange))
      }
    }
    return findings
  }

  private func finding(_ message: String, _ range: Range<Int>?) -> Finding {
    Finding(
      .onDemandSettings, message, at: range.map { SourceLocation(source, $0) })
  }

  /// An array, or words with spaces between them; quotes and backslashes keep spaces in words.
  private static func words(_ value: PropertyListValue) -> [String] {
    if let list = value.array { return list.compactMap(\.string) }
    var words: [String] = []
    var word: [UInt8]?
    var quote: UInt8?
    var bytes = Array(value.string?.utf8 ?? "".utf8)[...]
    while let byte = bytes.popFirst() {
      if byte == ASCII.backslash {
        word = (word ?? []) + (bytes.popFirst().map { [$0] } ?? [])
      } else if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        word = word ?? []
      } else if quote == nil, byte <= UInt8(ascii: " ") {
        if let complete = word { words.append(String(decoding: complete, as: UTF8.self)) }
        word = nil
      } else {
        word = (word ?? []) + [byte]
      }
    }
    if let last = word { words.append(String(decoding: last, as: UTF8.self)) }
    return words
  }
}
