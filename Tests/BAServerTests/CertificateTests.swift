import BAPackCore
import BAServer
import Foundation
import Testing

@Suite struct CertificateTests {
  private func withFolder(_ body: (BytePath) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "ba-serve-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    try body(BytePath(url.path(percentEncoded: false).utf8))
  }

  @Test(arguments: KeyType.allCases)
  func aLeafNamesWhatItIsFor(_ keyType: KeyType) throws {
    try withFolder { folder in
      let now: Int64 = 1_800_000_000
      let authority = try Authority.load(from: folder, keyType: keyType, now: now)
      #expect(authority.isNew)
      let address = try #require(IPAddress(text: "192.0.2.1"))
      let identity = try Identity(
        names: ["packs.example"], addresses: [address], keyType: keyType, issuedBy: authority,
        now: now)
      let leaf = identity.certificate
      #expect(leaf.covers("packs.example"))
      #expect(leaf.covers("PACKS.example"))
      #expect(leaf.covers("192.0.2.1"))
      #expect(!leaf.covers("other.example"))
      #expect(!leaf.covers("192.0.2.2"))
      #expect(leaf.isForServers)
      #expect(leaf.start == now - 3600)
      #expect(leaf.end - leaf.start < 397 * 86_400)
      #expect(leaf.subjectNames.names == ["packs.example"])
      #expect(leaf.subjectNames.addresses == [address])
      #expect(identity.objections(hosts: ["packs.example"]).isEmpty)
      #expect(
        identity.objections(hosts: ["other.example"])
          == ["the certificate does not name 'other.example', but packs.example, 192.0.2.1"])
    }
  }

  /// Systems reject a certificate that is valid when its authority isn't.
  @Test func aLeafIsValidWithinItsAuthority() throws {
    try withFolder { folder in
      let authority = try Authority.load(from: folder, now: 1_000_000_000)
      let (start, end) = (authority.certificate.start, authority.certificate.end)
      for now in [start - 86_400, start + 3599, start + 3600, start + 3601, end - 86_401] {
        let leaf = try Identity(
          names: ["a.example"], addresses: [], keyType: .ecdsa, issuedBy: authority, now: now
        ).certificate
        #expect(leaf.start == max(start, now - 3600))
        #expect(leaf.end == min(end, leaf.start + 397 * 86_400 - 1))
      }
    }
  }

  @Test func anAuthorityIsKept() throws {
    try withFolder { folder in
      let first = try Authority.load(from: folder)
      let second = try Authority.load(from: folder)
      #expect(!second.isNew)
      #expect(try first.certificate.der() == second.certificate.der())
      #expect(try first.profile() == second.profile())
      let renewed = try Authority.renew(in: folder, keyType: .ecdsa)
      #expect(try renewed.certificate.der() != first.certificate.der())
    }
  }

  @Test func anExpiredAuthorityIsReported() throws {
    try withFolder { folder in
      let end = try Authority.load(from: folder, now: 1_000_000_000).certificate.end
      #expect(end == 1_000_000_000 + 3650 * 86_400)
      // A day before.
      #expect(throws: Never.self) { try Authority.load(from: folder, now: end - 86_401) }
      for now in [end - 86_400, end] {
        #expect {
          try Authority.load(from: folder, now: now)
        } throws: {
          "\($0)".hasSuffix("has expired")
        }
      }
    }
  }

  @Test func aKeyOfAnotherAuthorityIsReported() throws {
    try withFolder { folder in
      _ = try Authority.load(from: folder)
      try folder.appending("authority.key".utf8)
        .writePrivately(try PrivateKey(generating: .ecdsa).pem())
      #expect {
        try Authority.load(from: folder)
      } throws: {
        "\($0)".contains("don't belong together")
      }
    }
  }

  /// Whoever can read the key, or exchange the files, has an authority that devices trust.
  @Test func anAuthorityOfOthersIsRefused() throws {
    try withFolder { folder in
      _ = try Authority.load(from: folder)
      let key = folder.appending("authority.key".utf8)
      func change(_ path: BytePath, _ mode: Int) throws {
        try FileManager.default.setAttributes(
          [.posixPermissions: mode], ofItemAtPath: "\(path)")
      }
      for mode in 0o600...0o677 {
        try change(key, mode)
        #expect(((try? Authority.load(from: folder)) != nil) == (mode == 0o600), "\(mode)")
      }
      try change(key, 0o600)
      for mode in 0o700...0o777 {
        try change(folder, mode)
        let isRefused = mode & 0o022 != 0
        #expect(((try? Authority.load(from: folder)) == nil) == isRefused, "\(mode)")
        if isRefused {
          #expect(throws: PackagingError.self) {
            try Authority.renew(in: folder, keyType: .ecdsa)
          }
        }
      }
    }
  }

  @Test(arguments: ["", "nothing"])
  func aKeyThatIsNoneAsksForRenewal(_ contents: String) throws {
    try withFolder { folder in
      _ = try Authority.load(from: folder)
      try folder.appending("authority.key".utf8).writePrivately(Array(contents.utf8))
      #expect {
        try Authority.load(from: folder, remedy: "; renew it")
      } throws: {
        "\($0)".hasSuffix("; renew it")
      }
    }
  }

  @Test func aProfileIsAPropertyList() throws {
    try withFolder { folder in
      let authority = try Authority.load(from: folder)
      let list = try unsafe PropertyListSerialization.propertyList(
        from: Data(try authority.profile()), format: nil)
      let profile = try #require(list as? [String: Any])
      let payload = try #require((profile["PayloadContent"] as? [[String: Any]])?.first)
      #expect(payload["PayloadContent"] as? Data == Data(try authority.certificate.der()))
      #expect(payload["PayloadType"] as? String == "com.apple.security.root")
    }
  }
}
