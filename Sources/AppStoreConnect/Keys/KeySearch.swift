import BAPackCore

/// Finds the key for the API in the usual places.
package struct KeySearch: Sendable {
  package var keyID: String?
  package var issuerID: String?
  /// `--key`: a .p8 file, or fastlane's JSON file.
  package var file: BytePath?
  /// Receives a warning about the key's file.
  package var warn: @Sendable (String) -> Void = { _ in }

  package init() {}

  /// The key in the options, or else that in the environment, or else the file with the key's ID in
  /// the folders that altool searches.
  package func find() throws -> APIKey {
    let givenID = keyID ?? variable("ASC_KEY_ID", "APP_STORE_CONNECT_API_KEY_KEY_ID")
    let issuer =
      issuerID ?? variable("ASC_ISSUER_ID", "APP_STORE_CONNECT_API_KEY_ISSUER_ID")
    let path =
      file
      ?? variable("ASC_PRIVATE_KEY_PATH", "ASC_KEY_PATH", "APP_STORE_CONNECT_API_KEY_KEY_FILEPATH")
      .map { BytePath($0.utf8) }
    if let path { return try key(in: path, givenID, issuer) }
    if let text = variable("ASC_PRIVATE_KEY", "APP_STORE_CONNECT_API_KEY_KEY") {
      guard let givenID else { throw Self.noID("the environment") }
      return try APIKey(id: givenID, issuer: issuer, pem: Self.pem(text), source: "the environment")
    }
    if let path = variable("APP_STORE_CONNECT_API_KEY_PATH") {
      return try key(in: BytePath(path.utf8), givenID, issuer)
    }
    guard let givenID else {
      throw StoreError(
        "there is no API key. Keys are made at"
          + " https://appstoreconnect.apple.com/access/integrations/api. Give --key with the .p8"
          + " file of App Store Connect, or --key-id, or set ASC_KEY_ID and ASC_ISSUER_ID.")
    }
    let names = ["AuthKey_\(givenID).p8", "ApiKey_\(givenID).p8"]
    for folder in folders {
      for name in names {
        let path = folder.appending(name.utf8)
        if try FileStatus.ifPresent(path) != nil { return try key(in: path, givenID, issuer) }
      }
    }
    throw StoreError(
      "there is no '\(names[0])' or '\(names[1])' in "
        + folders.map { "'\($0)'" }.joined(separator: ", ") + "; --key names the file")
  }

  private func variable(_ names: String...) -> String? {
    for name in names {
      if let value = ProcessContext.environment(name), !value.isEmpty {
        return String(decoding: value, as: UTF8.self)
      }
    }
    return nil
  }

  /// The folders that altool searches, in its order.
  private var folders: [BytePath] {
    var folders: [BytePath] = ["private_keys"]
    if let home = variable("HOME").map({ BytePath($0.utf8) }) {
      folders += ["private_keys", ".private_keys", ".appstoreconnect/private_keys"].map {
        home.appending($0.utf8)
      }
    }
    if let folder = variable("API_PRIVATE_KEYS_DIR") { folders.append(BytePath(folder.utf8)) }
    return folders
  }

  private func key(
    in path: BytePath, _ givenID: String?, _ issuer: String?
  ) throws -> APIKey {
    let file = try path.attempt(.open, FileDescriptor.reading(path))
    let status = try path.attempt(.lookUp, file.status())
    if status.kind == .file, status.permissions & 0o066 != 0 {
      let verb = status.permissions & 0o022 == 0 ? "read" : "replace"
      warn("other users can \(verb) the API key '\(path)'; 'chmod 600' makes it private")
    }
    let bytes = try path.contents(of: file, limit: 1 << 16)
    if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
      return try fastlaneKey(bytes, path, givenID, issuer)
    }
    let name = String(decoding: path.name, as: UTF8.self)
    let (prefix, namedID) = Self.parts(ofName: name)
    guard let id = givenID ?? namedID else { throw Self.noID("'\(path)'") }
    // Individual keys have no issuer; one in the environment belongs to another key.
    let issuer = prefix == "ApiKey_" ? issuerID : issuer
    if prefix == "AuthKey_", issuer == nil {
      throw StoreError(
        "'\(path)' is a team's key, which needs the issuer's id; an individual key is in a file"
          + " called ApiKey_ID.p8; give --issuer-id")
    }
    return try APIKey(id: id, issuer: issuer, pem: bytes, source: "'\(path)'")
  }

  private static func noID(_ source: String) -> StoreError {
    StoreError(
      "the key of \(source) has no id: the ten characters of the key's page; give --key-id")
  }

  /// The prefix and the ID in a name such as `AuthKey_ID.p8`.
  package static func parts(ofName name: String) -> (prefix: String?, id: String?) {
    for prefix in ["AuthKey_", "ApiKey_"] where name.hasPrefix(prefix) && name.hasSuffix(".p8") {
      return (prefix, String(name.dropFirst(prefix.count).dropLast(3)))
    }
    return (nil, nil)
  }

  /// The key in a fastlane file: `key_id`, `issuer_id`, `key`.
  private func fastlaneKey(
    _ bytes: [UInt8], _ path: BytePath, _ givenID: String?, _ issuer: String?
  ) throws -> APIKey {
    let document = JSONDocument(reading: SourceText(name: path.bytes, bytes: bytes))
    guard document.isWellFormed, let root = document.root, let text = root["key"]?.string else {
      throw StoreError("'\(path)' is not fastlane's JSON file of a key: 'key' is missing")
    }
    guard let id = keyID ?? root["key_id"]?.string ?? givenID else { throw Self.noID("'\(path)'") }
    let isEncoded =
      if case .bool(true)? = root["is_key_content_base64"]?.content { true } else { false }
    return try APIKey(
      id: id, issuer: issuerID ?? root["issuer_id"]?.string,
      pem: isEncoded ? Base64.decode(Array(text.utf8)) ?? [] : Self.pem(text), source: "'\(path)'")
  }

  /// The key in a variable: line feeds may be written as `\n`, and the whole may be in Base64.
  private static func pem(_ text: String) -> [UInt8] {
    if !text.contains("-----BEGIN"), let decoded = Base64.decode(Array(text.utf8)) {
      return decoded
    }
    return Array(text.replacing("\\n", with: "\n").replacing("\\", with: "").utf8)
  }
}
