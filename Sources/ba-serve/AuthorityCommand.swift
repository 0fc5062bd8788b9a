import BACommandLine
import BAPackCore
import BAServer

/// `authority`: shows, exports or renews the certificate authority.
struct AuthorityCommand: Command {
  static let export = Option(
    "export", name: "file", .file(["pem", "cer", "mobileconfig"]),
    help: "Write the certificate to a file: .pem, .cer, or .mobileconfig for a profile.")
  static let renew = Option(
    "renew", help: "Make a new authority; devices must be set to trust it again.")
  static let force = Option("force", "f", help: "Replace an existing file.")
  static let row = CommandRow(
    name: "authority", overview: "Show, export or renew your certificate authority.",
    discussion: [
      """
      The authority signs the certificate that the server makes at each start. It is made at its first \
      use and kept in your data folder. Each device must be set to trust it once; its key never leaves \
      this machine.
      """
    ],
    options: [export, renew, Serve.keyType, force],
    examples: [
      "ba-serve authority": "Show it.",
      "ba-serve authority --export ba-serve.mobileconfig": "Write a profile to send to a device.",
    ],
    command: AuthorityCommand.init(typed:))

  private enum Format: String, CaseIterable { case pem, cer, mobileconfig }

  let typed: TypedArguments

  func run(_ console: Console) throws -> ExitCode {
    let keyType: KeyType = try typed.choice(Serve.keyType)
    let output = try typed.path(Self.export).map { path in
      guard let format = Format.allCases.first(where: { path.hasExtension($0.rawValue) }) else {
        throw UsageError.invalid(
          path.bytes, for: Self.export, reason: "the name must end in .pem, .cer or .mobileconfig")
      }
      return (path: path, format: format)
    }
    let folder = try UserFolders().data
    if let output {
      let files = Authority.paths(in: folder)
      try OutputFiles([output.path]).compare(withInputs: [files.certificate, files.key])
    }
    let waiting = { console.tell(waitingText($0)) }
    let authority =
      typed.has(Self.renew)
      ? try Authority.renew(in: folder, keyType: keyType, waiting: waiting)
      : try Authority.load(from: folder, keyType: keyType, remedy: renewal, waiting: waiting)
    if authority.isNew { console.tell("made a new authority") }
    if let output {
      let bytes =
        switch output.format {
        case .pem: try authority.certificate.pem()
        case .cer: try authority.certificate.der()
        case .mobileconfig: try authority.profile()
        }
      try AtomicOutput.write(bytes, to: output.path, replacing: typed.has(Self.force))
      console.tell("wrote '\(output.path)'")
    } else {
      try console.write(
        """
        name      \(authority.certificate.commonName)
        file      \(authority.path)
        expires   \(Clock.timestamp(authority.certificate.end).prefix(10))
        SHA-256   \(authority.fingerprint)

        """)
    }
    return .success
  }
}
