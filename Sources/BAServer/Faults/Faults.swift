import BAPackCore

/// Injected faults, for testing an app's error handling.
package struct Faults: Sendable, Equatable {
  package enum Kind: String, CaseIterable, Sendable {
    case throttle
    case delay
    case cutAfter = "cut-after"
    case fail
    case wrongSize = "wrong-size"
  }

  private struct Target: Hashable {
    let kind: Kind
    /// Nil for all packs without a value of their own.
    let pack: [UInt8]?
  }

  private var values: [Target: UInt64] = [:]

  package init() {}

  /// The value of `kind` for the pack `identifier`; nil if it isn't set.
  package func value(_ kind: Kind, _ identifier: String) -> UInt64? {
    values[Target(kind: kind, pack: Array(identifier.utf8))]
      ?? values[Target(kind: kind, pack: nil)]
  }

  package mutating func set(_ kind: Kind, _ identifier: [UInt8]?, to value: UInt64) {
    values[Target(kind: kind, pack: identifier)] = value
  }

  /// Clears `kind`, or all kinds, for a pack, or for each and all.
  package mutating func clear(_ kind: Kind?, _ identifier: [UInt8]?) {
    values = values.filter { target, _ in
      kind != nil && target.kind != kind || identifier != nil && target.pack != identifier
    }
  }

  /// The same faults for packs that were named as users do.
  package func resolved(in catalog: Catalog) throws -> Faults {
    var result = Faults()
    for (target, value) in sorted {
      result.set(target.kind, try target.pack.map(catalog.identifier(named:)), to: value)
    }
    return result
  }

  /// A line per setting: `throttle all packs: 200 kB/s`.
  package var lines: [String] {
    Kind.allCases.flatMap { kind in
      sorted.filter { $0.key.kind == kind }.map { target, value in
        let packs = target.pack.map { "'\(printable($0))'" } ?? "all packs"
        return "\(kind.rawValue) \(packs): \(kind.text(value))"
      }
    }
  }

  /// The settings for all packs first, then those for single packs by name.
  private var sorted: [(key: Target, value: UInt64)] {
    values.sorted { ($0.key.pack ?? []).lexicographicallyPrecedes($1.key.pack ?? []) }
  }
}

extension Faults.Kind {
  package var argument: String {
    switch self {
    case .throttle: "[id=]rate"
    case .delay: "[id=]time"
    case .cutAfter: "[id=]bytes"
    case .fail: "[id=]status"
    case .wrongSize: "id|*"
    }
  }

  package var meaning: String {
    switch self {
    case .throttle: "send that many bytes a second (200kB, 1.5MB)"
    case .delay: "wait before each answer (500ms, 2s)"
    case .cutAfter: "close the connection after that many bytes (100kB)"
    case .fail: "answer with that status (400 to 599)"
    case .wrongSize: "declare one byte less than the pack has; '*' for all packs"
    }
  }

  /// Parses a value; an error says in what form it is.
  func value(_ text: String) throws -> UInt64 {
    let (value, allowed, form): (UInt64?, ClosedRange<UInt64>, String) =
      switch self {
      case .throttle:
        (byteCount(reading: text), 1...(.max), "a rate is bytes a second: 200kB, 1.5MB")
      case .cutAfter: (byteCount(reading: text), 0...(.max), "a size is bytes: 100kB, 1.5MB")
      case .delay:
        (
          milliseconds(reading: text), 0...3_600_000,
          "a delay is at most an hour, with its unit: 500ms, 2s"
        )
      case .fail:
        (
          text.utf8.allSatisfy(ASCII.isDigit) ? UInt64(text) : nil, 400...599,
          "a status is a number from 400 to 599"
        )
      case .wrongSize: (nil, 0...0, "this fault has no value")
      }
    guard let value, allowed.contains(value) else { throw PackagingError(form) }
    return value
  }

  fileprivate func text(_ value: UInt64) -> String {
    switch self {
    case .throttle: byteCount(value) + "/s"
    case .cutAfter: byteCount(value)
    case .delay: value.isMultiple(of: 1000) ? "\(value / 1000) s" : "\(value) ms"
    case .fail: "\(value)"
    case .wrongSize: "on"
    }
  }
}
