extension ManifestDecoder {
  /// Examples of a download policy.
  var policyForms: [Note] {
    [
      Note("for a pack that the app asks for: \"downloadPolicy\": { \"onDemand\": {} }"),
      Note(
        "for a pack that comes with the app: \"downloadPolicy\": { \"essential\": { \(eventsForm) "
          + "} }; with \"prefetch\" instead, it is downloaded in the background"),
    ]
  }

  private var eventsForm: String {
    let events = InstallationEventType.allCases.map { "\"\($0.rawValue)\"" }
    return "\"installationEventTypes\": [\(events.joined(separator: ", "))]"
  }

  mutating func policy(_ value: JSONValue) -> DownloadPolicy? {
    let names = PolicyForm.all.map(\.name)
    if case .string(let name) = value.content, names.contains(name) {
      let decodeOnDemand = name == "onDemand"
      report(
        .wrongType,
        "'downloadPolicy' must be an object with the policy as its key, not a string: "
          + (decodeOnDemand
            ? "{ \"onDemand\": {} }" : "{ \"\(name)\": { \"installationEventTypes\": […] } }"),
        location(value.range),
        fix: decodeOnDemand ? Fix(location(value.range), "{ \"onDemand\": {} }") : nil)
      return nil
    }
    guard let members = object(value, "'downloadPolicy'") else { return nil }
    let fields = fields(members, of: value, known: names)
    let chosen = names.compactMap { fields[$0] }
      .sorted { $0.keyRange.lowerBound < $1.keyRange.lowerBound }
    if members.isEmpty {
      report(
        .missingPolicy, "'downloadPolicy' is empty; it needs one of \(alternatives(names))",
        location(value.range), notes: policyForms)
    }
    for further in chosen.dropFirst() {
      report(
        .severalPolicies, "a second download policy; a pack has only one",
        contents(further.keyRange),
        notes: chosen.first.map { [Note("the first is here", at: contents($0.keyRange))] } ?? [])
    }
    // All of them, for their findings.
    let essential = fields["essential"].flatMap { events($0.value, of: "essential") }
    let prefetch = fields["prefetch"].flatMap { events($0.value, of: "prefetch") }
    let isOnDemand = fields["onDemand"].map { decodeOnDemand($0.value) } ?? false
    return essential.map { .essential($0) } ?? prefetch.map { .prefetch($0) }
      ?? (isOnDemand ? .onDemand : nil)
  }

  private mutating func decodeOnDemand(_ value: JSONValue) -> Bool {
    guard case .object(let members) = value.content else {
      wrongType(value, "'onDemand'", "an empty object, {}")
      return false
    }
    for member in members where !member.keyRange.isEmpty {
      report(
        .unknownKey,
        "'onDemand' must be an empty object, {}, without '\(printable(member.key.utf8))'",
        contents(member.keyRange))
    }
    return true
  }

  private mutating func events(
    _ value: JSONValue, of policy: String
  ) -> [InstallationEventType]? {
    guard let members = object(value, "'\(policy)'") else { return nil }
    let key = "installationEventTypes"
    let fields = fields(members, of: value, known: [key])
    guard
      let value = required(
        key, fields, value, of: "'\(policy)'",
        notes: [Note("add \(eventsForm), or one of these events")]),
      let elements = list(value, "'\(key)'", of: "events")
    else { return nil }
    if elements.isEmpty {
      report(
        .emptyList,
        "'\(key)' is empty; it needs "
          + alternatives(InstallationEventType.allCases.map(\.rawValue)),
        location(value.range))
    }
    return names(elements, "an event", InstallationEventType.allCases)
  }

  /// The platforms in a fixed order.
  mutating func platforms(_ value: JSONValue) -> [Platform]? {
    guard let elements = list(value, "'platforms'", of: "platforms") else { return nil }
    let named = names(elements, "a platform", Platform.allCases)
    return Platform.allCases.filter { named.contains($0) }
  }

  /// The elements of a list of names, without duplicates, in the order written.
  private mutating func names<Name: RawRepresentable<String> & Equatable>(
    _ elements: [JSONValue], _ owner: String, _ known: [Name]
  ) -> [Name] {
    var names: [(name: Name, location: SourceLocation)] = []
    // The names that fixes would repeat.
    var taken = Set(elements.compactMap(\.string))
    for element in elements {
      guard let text = string(element, owner) else { continue }
      guard let name = known.first(where: { $0.rawValue == text.value }) else {
        unknownName(text, owner, known.map(\.rawValue), &taken)
        continue
      }
      if let first = names.first(where: { $0.name == name }) {
        report(
          .repeatedElement, "duplicate element '\(text.value)'", text.location,
          notes: [Note("first used here", at: first.location)])
      } else {
        names.append((name, text.location))
      }
    }
    return names.map(\.name)
  }

  private mutating func unknownName(
    _ text: Located<String>, _ owner: String, _ known: [String], _ taken: inout Set<String>
  ) {
    let formerNames = [
      "ipados": "iOS", "iphoneos": "iOS", "iphone": "iOS", "ipad": "iOS", "osx": "macOS",
      "macosx": "macOS", "xros": "visionOS",
    ]
    let former = formerNames[text.value.lowercased().filter { $0 != " " }]
      .flatMap { known.contains($0) ? $0 : nil }
    let meant =
      former ?? nearest(to: text.value, among: known)
      ?? known.first { name in
        text.value.count > 3 && name.lowercased().hasPrefix(text.value.lowercased())
      }
    let advice =
      if let former {
        former == "iOS" ? "'iOS' covers iPhone and iPad" : "its name is '\(former)'"
      } else {
        meant.map { "did you mean '\($0)'?" } ?? "there are \(alternatives(known, "and"))"
      }
    report(
      .unknownValue, "'\(printable(text.value.utf8))' is not \(owner); \(advice)", text.location,
      fix: meant.flatMap { taken.insert($0).inserted ? Fix(text.location, $0) : nil })
  }
}
