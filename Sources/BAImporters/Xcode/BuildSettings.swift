import BAPackCore

/// A build setting with the words of its value, in order.
struct BuildSetting {
  let key: String
  let words: [String]
  let location: SourceLocation

  /// The words of a value, separated by spaces; quotes and backslashes protect spaces.
  static func words(_ value: some Collection<UInt8>) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    var isInWord = false
    var quote: UInt8?
    var bytes = Array(value)[...]
    while let byte = bytes.popFirst() {
      if quote == nil, byte <= UInt8(ascii: " ") {
        if isInWord { words.append(String(decoding: word, as: UTF8.self)) }
        word = []
        isInWord = false
        continue
      }
      isInWord = true
      if byte == ASCII.backslash {
        if let next = bytes.popFirst() { word.append(next) }
      } else if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else {
        word.append(byte)
      }
    }
    if isInWord { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }
}

/// The build settings of a target in its default configuration. They override those of the project,
/// and both override those of the file that its configuration is based on.
struct BuildSettings {
  private var levels: [[BuildSetting]] = []
  /// Settings in the target's other configurations, with the names of these.
  private var others: [(name: String, settings: [BuildSetting])] = []
  private let name: String
  private(set) var fileFindings: [Finding] = []

  /// The settings of `target`; file paths are relative to `folder`.
  init(of target: JSONValue, in project: XcodeProject, folder: BytePath) {
    let list = project.object(target["buildConfigurationList"])
    name = list?["defaultConfigurationName"]?.string ?? "Release"
    for owner in [target, project.root] {
      let list = project.object(owner["buildConfigurationList"])
      let configurations = project.objects(list?["buildConfigurations"])
      let index = configurations.firstIndex { $0["name"]?.string == name }
      for (number, configuration) in configurations.enumerated() {
        let settings = Self.settings(configuration, project.source)
        guard number == index else {
          if owner.range == target.range {
            others.append((configuration["name"]?.string ?? "", settings))
          }
          continue
        }
        levels.append(settings)
        if let file = project.settingsFile(of: configuration) {
          var reader = SettingsFileReader()
          reader.read(
            folder.appending(pathOrAbsolute: file.path), SourceLocation(project.source, file.range))
          levels.append(reader.settings)
          fileFindings += reader.findings
        }
      }
    }
  }

  private static func settings(
    _ configuration: JSONValue, _ source: SourceText
  ) -> [BuildSetting] {
    (configuration["buildSettings"]?.object ?? []).map { member in
      BuildSetting(
        key: member.key,
        words: member.value.array?.compactMap(\.string)
          ?? BuildSetting.words(member.value.string?.utf8 ?? "".utf8),
        location: SourceLocation(source, member.keyRange))
    }
  }

  /// The words of a setting, in order, with `$(inherited)` replaced.
  func words(_ key: String) -> [String] { words(key, levels[...]) }

  private func words(_ key: String, _ levels: ArraySlice<[BuildSetting]>) -> [String] {
    guard let settings = levels.first else { return [] }
    guard let setting = settings.first(where: { $0.key == key }) else {
      return words(key, levels.dropFirst())
    }
    // Words that are inherited twice have no further effect.
    var isInherited = false
    return setting.words.flatMap { word in
      guard word == "$(inherited)" || word == "${inherited}" else { return [word] }
      defer { isInherited = true }
      return isInherited ? [] : words(key, levels.dropFirst())
    }
  }

  func location(_ key: String) -> SourceLocation? {
    levels.lazy.compactMap { $0.first { $0.key == key } }.first?.location
  }

  /// Findings about a setting that this program can't evaluate.
  func findings(_ key: String) -> [Finding] {
    var findings: [Finding] = []
    let words = words(key)
    for word in words where word.contains("$(") || word.contains("${") {
      findings.report(
        .onDemandSettings, "'\(printable(word.utf8))' in \(key) is another build setting",
        at: location(key))
    }
    for setting in levels.compactMap({ $0.first { $0.key.hasPrefix(key + "[") } }) {
      findings.report(
        .onDemandSettings, "the condition of '\(printable(setting.key.utf8))' is ignored",
        at: setting.location)
    }
    for other in others {
      guard let setting = other.settings.first(where: { $0.key == key }),
        setting.words != words, !setting.words.contains("$(inherited)")
      else { continue }
      findings.report(
        .onDemandSettings,
        "\(key) differs between the configurations '\(printable(name.utf8))', which is used, and "
          + "'\(printable(other.name.utf8))'", at: setting.location)
    }
    return findings
  }
}

extension XcodeProject {
  /// The settings file that a configuration is based on: a file in a group, or in a folder that
  /// Xcode synchronizes with the disk.
  fileprivate func settingsFile(of configuration: JSONValue) -> File? {
    if let base = configuration["baseConfigurationReference"] { return files(base).first }
    guard let anchor = configuration["baseConfigurationReferenceAnchor"],
      let below = configuration["baseConfigurationReferenceRelativePath"],
      let folder = path(anchor), let name = below.string
    else { return nil }
    return (joined(folder, name), below.range)
  }
}

extension BytePath {
  /// `path` relative to this folder, unless it is absolute, with `..` removed if possible.
  func appending(pathOrAbsolute path: String) -> BytePath {
    let path = joined("", path)
    var folder = self
    var rest = path.utf8[...]
    while rest.starts(with: "../".utf8), !folder.name.isEmpty, folder.name != [ASCII.dot],
      !folder.name.elementsEqual("..".utf8)
    {
      folder = folder.folder
      rest = rest.dropFirst(3)
    }
    return path.hasPrefix("/") ? BytePath(path.utf8) : folder.appending(rest)
  }
}
