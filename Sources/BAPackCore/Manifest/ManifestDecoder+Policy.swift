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
    let events = InstallationEventType.known.map { "\"\($0.rawValue)\"" }
    return "\"installationEventTypes\": [\(events.joined(separator: ", "))]"
  }

  mutating func policy(_ value: JSONValue) -> DownloadPolicy? {
    let names = DownloadPolicy.Kind.known.rawValues
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
    let policies = PolicyForm.all.compactMap { form -> DownloadPolicy? in
      guard let value = fields[form.kind.rawValue]?.value else { return nil }
      return form.hasEvents
        ? events(value, of: form.kind.rawValue).map { DownloadPolicy(form.kind, $0) }
        : decodeOnDemand(value) ? DownloadPolicy(form.kind, []) : nil
    }
    return policies.first ?? members.first { !names.contains($0.key) }.map(Self.otherPolicy)
  }

  /// A policy that isn't known, with its events if it has the form of others.
  private static func otherPolicy(_ member: JSONMember) -> DownloadPolicy {
    let events = member.value["installationEventTypes"]?.array ?? []
    return DownloadPolicy(
      DownloadPolicy.Kind(rawValue: member.key),
      events.prefix(InstallationEventType.maximumUnknown)
        .compactMap { $0.string.map(InstallationEventType.init) },
      contents: JSONWriter.bytes(member.value))
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
        "'\(key)' is empty; it needs " + alternatives(InstallationEventType.known.rawValues),
        location(value.range))
    }
    return names(elements)
  }

  /// The platforms in a fixed order.
  mutating func platforms(_ value: JSONValue) -> [Platform]? {
    list(value, "'platforms'", of: "platforms").map { names($0).inOrder }
  }

  /// The elements of a list of names, without duplicates, in the order written.
  private mutating func names<Name: OpenName>(_ elements: [JSONValue]) -> [Name] {
    var names: [Name] = []
    var locations: [Name: SourceLocation] = [:]
    // The names that fixes would repeat.
    var taken = Set(elements.compactMap(\.string))
    var unknown = 0
    for element in elements {
      guard let text = string(element, Name.kindName) else { continue }
      let name = Name(rawValue: text.value)
      if let first = locations[name] {
        report(
          .repeatedElement, "duplicate element '\(name.shown)'", text.location,
          notes: [Note("first used here", at: first)])
        continue
      }
      if !name.isKnown {
        unknown += 1
        if unknown > Name.maximumUnknown {
          report(
            .unknownValue, severity: .error,
            "more than \(Name.maximumUnknown) unknown names in a list; the others are left out",
            text.location)
          break
        }
        report(name, text.location, &taken)
      }
      locations[name] = text.location
      names.append(name)
    }
    return names
  }

  /// Reports a name that isn't known.
  private mutating func report<Name: OpenName>(
    _ name: Name, _ location: SourceLocation, _ taken: inout Set<String>
  ) {
    if isEmbedded {
      return report(
        .unknownValue,
        "'\(name.shown)' is not \(Name.kindName) that this version knows; it is kept as it is",
        location)
    }
    let known = Name.known.rawValues
    let former = (Name.self as? Platform.Type)?.called(name.rawValue)
    let meant =
      former?.rawValue ?? nearest(to: name.rawValue, among: known)
      ?? known.first {
        name.rawValue.count > 3 && $0.lowercased().hasPrefix(name.rawValue.lowercased())
      }
    let advice =
      if let former {
        former == .iOS ? "'iOS' covers iPhone and iPad" : "its name is '\(former.rawValue)'"
      } else {
        meant.map { "did you mean '\($0)'?" } ?? "there are \(alternatives(known, "and"))"
      }
    report(
      .unknownValue, "'\(name.shown)' is not \(Name.kindName); \(advice)", location,
      fix: meant.flatMap { taken.insert($0).inserted ? Fix(location, $0) : nil })
  }
}
