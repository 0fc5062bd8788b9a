// The declarations of Apple's CryptoKit that the sources use.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol ContiguousBytes {}
extension [UInt8]: ContiguousBytes {}

@available(macOS 10.15, *)
public enum P256 {
  public enum Signing {
    public struct ECDSASignature: Sendable {
      public var rawRepresentation: [UInt8] { fatalError() }
    }

    public struct PrivateKey: Sendable {
      @available(macOS 11, *)
      public init(pemRepresentation: String) throws { fatalError() }

      public func signature(for data: [UInt8]) throws -> ECDSASignature { fatalError() }
    }
  }
}
