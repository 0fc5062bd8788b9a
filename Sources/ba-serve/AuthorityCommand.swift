import AssetPackServer
import BAPackCore
import CommandLine

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
    options: [export, renew, SharedOptions.keyType, force],
    examples: [
      Example("ba-serve authority", "Show it."),
      Example(
        "ba-serve authority --export ba-serve.mobileconfig",
        "Write a profile to send to a device."),
    ],
    command: { typed throws(UsageError) in try AuthorityCommand(typed) })

  /// The extensions of exported files.
  private enum Format { case pem, cer, mobileconfig }

  private let output: (path: BytePath, format: Format)?
  private let renews: Bool
  private let keyType: KeyType
  private let replacesOutput: Bool

  init(_ typed: TypedArguments) throws(UsageError) {
    renews = typed.has(Self.renew)
    replacesOutput = typed.has(Self.force)
    keyType = try typed.choice(SharedOptions.keyType)
    guard let path = typed.path(Self.export) else {
      output = nil
      return
    }
    let formats: [(String, Format)] = [
      ("pem", .pem), ("cer", .cer), ("mobileconfig", .mobileconfig),
    ]
    guard let format = formats.first(where: { path.hasExtension($0.0) })?.1 else {
      throw .invalid(
        path.bytes, for: Self.export, reason: "The name must end in .pem, .cer or .mobileconfig.")
    }
    output = (path, format)
  }

  func run(_ console: Console) throws(CommandError) -> ExitCode {
    let folder = try userFolders().data
    if let output {
      let files = Authority.paths(in: folder)
      do throws(InvalidValue) {
        try OutputFiles([output.path]).compare(withInputs: [files.certificate, files.key])
      } catch {
        throw .failure(error.reason)
      }
    }
    do throws(CertificateError) {
      let authority =
        renews
        ? try Authority.renew(in: folder, keyType: keyType)
        : try Authority.load(from: folder, keyType: keyType)
      if authority.isNew { console.note("made a new authority") }
      if let output {
        let bytes =
          switch output.format {
          case .pem: try authority.certificate.pem()
          case .cer: try authority.certificate.der()
          case .mobileconfig: try authority.profile()
          }
        try write(bytes, to: output.path)
        console.note("wrote '\(output.path)'")
      } else {
        let digest = SHA256.digest(of: try authority.certificate.der())
        let pairs = digest.map { hexadecimal([$0], uppercase: true) }.joined(separator: ":")
        let text = """
          name      \(authority.certificate.commonName)
          file      \(authority.path)
          expires   \(Clock.timestamp(authority.certificate.end).prefix(10))
          SHA-256   \(pairs)

          """
        do throws(CommandError) {
          try console.write(text)
        } catch {
          return .outputClosed
        }
      }
      return .success
    } catch {
      throw CommandError(error)
    }
  }

  private func write(_ bytes: [UInt8], to path: BytePath) throws(CertificateError) {
    do throws(SystemError) {
      try AtomicOutput.write(bytes, to: path, replacing: replacesOutput)
    } catch {
      guard error.code == .fileExists else { throw CertificateError(error.description) }
      throw CertificateError("'\(path)' exists and is left as it was; --force replaces it")
    }
  }
}

/// Options shared by several commands.
enum SharedOptions {
  static let keyType = Option(
    "key-type", name: "type", .choice(KeyType.allCases.map(\.rawValue)),
    default: KeyType.ecdsa.rawValue, help: "The kind of key to make: P-256 or RSA with 2048 bits.")
}
