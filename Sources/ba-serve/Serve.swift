import BACommandLine
import BAPackCore
import BAServer

/// `serve`: serves packs until it is stopped.
struct Serve: Command {
  static let packs = Argument(
    "pack", .file(["aar", "json"]), isRepeating: true,
    help: "Asset packs, manifests to make packs of, or folders of them.")
  static let host = Option(
    "host", name: "host", .text, arity: .repeating,
    help: "An address or name of this machine, in addition to those found.")
  static let port = Option(
    "port", "p", .integer(0...65535), default: "8443", help: "The port; 0 is any free one.")
  static let versions = Option(
    "asset-pack-versions", name: "version", .integer(0...Int.max), arity: .upToNextOption,
    help: "The versions of the packs, in their order. Default: counted up when contents change.")
  static let identity = Option(
    "identity-path", name: "file", .file(["pem"]), arity: .repeating,
    help: "A certificate of your own; give the option again for its key. Both in PEM.")
  static let automatic = Option(
    "choose-identity-automatically", help: "Make the certificate, as without --identity-path.")
  static let keyType = Option(
    "key-type", name: "type", .choice(KeyType.allCases.map(\.rawValue)),
    default: KeyType.ecdsa.rawValue, help: "The kind of key to make: P-256 or RSA with 2048 bits.")
  static let user = Option(
    "user", name: "name", .text,
    help: """
      Ask for this name and a password before anything is served: that in BA_SERVE_PASSWORD, or one \
      that is made. Both are in the URL override.
      """)
  static let watch = Option(
    "watch", "w", help: "Load packs again when they change, and make those of manifests again.")
  static let compression = Option(
    "compression", name: "algorithm", .choice(Codec.allCases.map(\.rawValue)), default: "store",
    help: "How to compress packs made from manifests, at the fastest level.")
  static let root = Option(
    "root", name: "dir", .directory,
    help: "The source root: the folder that selectors' paths are relative to.")
  static let links = Option(
    "links", name: "policy", .choice(LinkPolicy.allCases.map(\.rawValue)), default: "inside",
    help: "Where links in source roots may lead: 'inside' them, or anywhere with 'follow'.")
  static let allowStubs = Option(
    "allow-stubs",
    help: "Package Git LFS pointers and other placeholders for files that were not fetched.")
  static let setupPort = Option(
    "setup-port", name: "port", .integer(0...65535),
    help: "The port of the page that installs the authority. Default: the one after --port.")
  static let noSetupPage = Option("no-setup-page", help: "Don't serve the setup page.")
  static let format = Option(
    "format", name: "format", .choice(Format.allCases.map(\.rawValue)), default: "text",
    help: "The format of the log; 'json' has an object on each line.")
  static let color = Option(
    "color", name: "when", .choice(ColorChoice.allCases.map(\.rawValue)), default: "auto",
    help: "When to use colors; 'auto' means on a terminal, unless NO_COLOR is set.")

  static let row = CommandRow(
    name: "serve", overview: "Serve asset packs until stopped.",
    discussion: [
      """
      Devices in developer mode download these packs after the URL override is entered on them, which \
      is printed at the start. A version rises when the contents of a pack change, and is remembered. \
      Packs of manifests are made at the start, and again with --watch.
      """,
      """
      Faults try how an app handles errors. Each is for all packs, or for one, by its identifier or its \
      file: --throttle 200kB, --fail Harbour=503. While the server runs, the same words on its standard input set and end \
      them; 'help' lists them.
      """,
    ],
    arguments: [packs],
    options: [
      host, port, versions, identity, automatic, keyType, user, watch, compression,
      root,
      links, allowStubs, setupPort, noSetupPage,
    ] + FaultOptions.all + [format, color],
    exclusive: [
      [identity, automatic], [identity, keyType], [identity, setupPort], [setupPort, noSetupPage],
      [versions, watch],
    ],
    gone: [
      "asset-pack": "the packs are arguments", "asset-pack-paths": "the packs are arguments",
      "certificate": identityAdvice, "cert": identityAdvice, "key": identityAdvice,
    ],
    examples: [
      "ba-serve Harbour.aar Lighthouse.aar": "Serve two packs.",
      "ba-serve Packs/ --watch": "Make packs of manifests, and again when files change.",
      "ba-serve Harbour.aar --throttle 500kB --fail Harbour=503": "Try slow and failing downloads.",
    ],
    exitStatus: [
      "0": "Ended by 'quit'.",
      "1": "Something could not be served.",
    ],
    command: { try Serve($0) })

  private static let identityAdvice =
    "give '--identity-path' twice, for the certificate and for its key"

  enum Format: String, CaseIterable { case text, json }

  let typed: TypedArguments
  let settings: PackStore.Settings
  let hosts: [String]
  let port: UInt16
  /// A certificate and its key; nil to generate them.
  let identityPaths: (certificate: BytePath, key: BytePath)?
  let keyType: KeyType
  /// Nil if anybody may read the packs.
  let credentials: Credentials?
  /// Nil for no page.
  let setupPort: UInt16?
  let faults: Faults
  let format: Format

  init(_ typed: TypedArguments) throws {
    self.typed = typed
    var settings = PackStore.Settings(paths: typed.paths(Self.packs))
    if typed.has(Self.versions) {
      settings.versions = typed.values(Self.versions).compactMap {
        Int(String(decoding: $0, as: UTF8.self))
      }
    }
    settings.compression = try typed.choice(Self.compression, as: Codec.self).fastest
    settings.root = typed.path(Self.root)
    if typed.has(Self.links) { settings.links = try typed.choice(Self.links) }
    settings.allowsStubs = typed.has(Self.allowStubs)
    self.settings = settings
    hosts = try typed.values(Self.host) { value in
      let host = String(decoding: value, as: UTF8.self)
      try ServerHosts.check(host)
      return host
    }
    port = UInt16(typed.integer(Self.port) ?? 0)
    let identity = typed.values(Self.identity).map { BytePath($0) }
    switch identity.count {
    case 0: identityPaths = nil
    case 2: identityPaths = (identity[0], identity[1])
    default:
      throw UsageError(
        "'--\(Self.identity.long)' must be given twice: for the certificate, then for its key")
    }
    keyType = try typed.choice(Self.keyType)
    format = try typed.choice(Self.format)
    credentials = try Self.credentials(typed, format)
    let isOff = typed.has(Self.noSetupPage) || identityPaths != nil
    // 0 is any that is free.
    let next = port == 0 || port == .max ? 0 : port + 1
    setupPort = isOff ? nil : typed.integer(Self.setupPort).map { UInt16($0) } ?? next
    if let setupPort, setupPort == port, port != 0 {
      throw UsageError("'--\(Self.port.long)' and '--\(Self.setupPort.long)' must differ")
    }
    faults = try FaultOptions.faults(typed)
  }

  private static func credentials(
    _ typed: TypedArguments, _ format: Format
  ) throws -> Credentials? {
    let variable = "BA_SERVE_PASSWORD"
    let password = ProcessContext.environment(variable)
    guard let name = typed.values(user).last else {
      guard password == nil else {
        throw UsageError(
          "\(variable) protects nothing without '--\(user.long)', which asks for a name and this "
            + "password; unset it if everybody may read the packs")
      }
      return nil
    }
    guard !name.contains(UInt8(ascii: ":")) else {
      throw UsageError(
        "'--\(user.long)' takes a name without ':': every user of this machine can see the command "
          + "line, so give the password in the variable \(variable)")
    }
    guard password != nil || format == .text else {
      throw UsageError(
        "'--\(user.long)' with '--\(Self.format.long) json' needs a password in the variable "
          + "\(variable), as logs don't show one")
    }
    do { return try Credentials(name: name, password: password) } catch {
      throw UsageError("invalid value for '\(user.synopsis)' or in \(variable): \(error)")
    }
  }
}

enum FaultOptions {
  static let all = Faults.Kind.allCases.map { kind in
    Option(
      kind.rawValue, name: kind.argument, .text, arity: .repeating,
      help: kind.meaning.prefix(1).uppercased() + kind.meaning.dropFirst() + ".")
  }

  static func faults(_ typed: TypedArguments) throws -> Faults {
    var faults = Faults()
    for (option, kind) in zip(all, Faults.Kind.allCases) {
      for value in typed.values(option) {
        do {
          let command = try FaultCommand(kind, String(decoding: value, as: UTF8.self))
          if case .set(let kind, let identifier, let value) = command {
            faults.set(kind, identifier, to: value)
          }
        } catch {
          throw UsageError.invalid(value, for: option, reason: "\(error)")
        }
      }
    }
    return faults
  }
}
