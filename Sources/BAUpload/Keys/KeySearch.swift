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
    let givenID = try id(
      keyID, "--key-id", ["ASC_KEY_ID", "APP_STORE_CONNECT_API_KEY_KEY_ID"])
    let issuer = try id(
      issuerID, "--issuer-id", ["ASC_ISSUER_ID", "APP_STORE_CONNECT_API_KEY_ISSUER_ID"])
    if let file { return try key(at: file, of: "--key", givenID, issuer) }
    if let path = variable([
      "ASC_PRIVATE_KEY_PATH", "ASC_KEY_PATH", "APP_STORE_CONNECT_API_KEY_KEY_FILEPATH",
    ]) {
      return try key(at: BytePath(path.value), of: path.name, givenID, issuer)
    }
    if let text = variable([
      "ASC_PRIVATE_KEY", "ASC_PRIVATE_KEY_B64", "APP_STORE_CONNECT_API_KEY_KEY",
    ]) {
      return try key(in: text.value, of: text.name, givenID, issuer)
    }
    if let path = variable(["APP_STORE_CONNECT_API_KEY_PATH"]) {
      return try key(at: BytePath(path.value), of: path.name, givenID, issuer)
    }
    guard let givenID else {
      throw StoreError(
        "there is no API key. Keys are made at"
          + " https://appstoreconnect.apple.com/access/integrations/api. Give --key with the .p8"
          + " file of App Store Connect, or --key-id, or set ASC_KEY_ID and ASC_ISSUER_ID.")
    }
    let names = ["AuthKey_\(givenID).p8", "ApiKey_\(givenID).p8"]
    let folders = try folders
    for path in folders.flatMap({ folder in names.map { folder.appending($0.utf8) } })
    where try FileStatus.ifPresent(path) != nil {
      return try key(at: path, of: "--key-id", givenID, issuer)
    }
    throw StoreError(
      "there is no '\(names[0])' or '\(names[1])' in "
        + folders.map { "'\($0)'" }.joined(separator: ", ") + "; --key names the file")
  }

  /// The first of these variables that is set and not empty.
  private func variable(_ names: [String]) -> (name: String, value: [UInt8])? {
    for name in names {
      if let value = ProcessContext.environment(name), !value.isEmpty { return (name, value) }
    }
    return nil
  }

  private func id(_ given: String?, _ option: String, _ names: [String]) throws -> String? {
    let found = given.map { (option, Array($0.utf8)) } ?? variable(names)
    guard let (name, value) = found else { return nil }
    let id = String(decoding: value, as: UTF8.self)
    try APIKey.check(id: id, of: name)
    return id
  }

  /// The folders that altool searches, in its order.
  private var folders: [BytePath] {
    get throws {
      var folders: [BytePath] = ["private_keys"]
      if let home = variable(["HOME"]) {
        let home = try checked(BytePath(home.value), of: home.name)
        folders += ["private_keys", ".private_keys", ".appstoreconnect/private_keys"].map {
          home.appending($0.utf8)
        }
      }
      if let folder = variable(["API_PRIVATE_KEYS_DIR"]) {
        folders.append(try checked(BytePath(folder.value), of: folder.name))
      }
      return folders
    }
  }

  /// A path that errors can show: people put keys where a path is expected.
  private func checked(_ path: BytePath, of name: String) throws -> BytePath {
    let isPath = !mayBeSecret(path.bytes) && path.bytes.count <= 100
    guard isPath || (try? FileStatus.following(path)) != nil else {
      throw StoreError(
        "\(name): there is nothing at this path, which is not shown, as it may be a key;"
          + " ASC_PRIVATE_KEY takes a key")
    }
    return path
  }

  /// The key in a file; `path` may also be the key itself. `name` is where it was given.
  private func key(
    at path: BytePath, of name: String, _ givenID: String?, _ issuer: String?
  ) throws -> APIKey {
    if hasSecret(path.bytes) { return try key(in: path.bytes, of: name, givenID, issuer) }
    let path = try checked(path, of: name)
    let file = try path.attempt(.open, FileDescriptor.reading(path))
    let status = try path.attempt(.lookUp, file.status())
    if status.kind == .file, status.permissions & 0o066 != 0 {
      let verb = status.permissions & 0o022 == 0 ? "read" : "replace"
      warn("other users can \(verb) the API key '\(path)'; 'chmod 600' makes it private")
    }
    let bytes = try path.contents(of: file, limit: 1 << 16)
    let (prefix, namedID) = Self.parts(ofName: String(decoding: path.name, as: UTF8.self))
    if prefix == "AuthKey_", issuer == nil {
      throw StoreError(
        "'\(path)' is a team's key, which needs the issuer's id; an individual key is in a file"
          + " called ApiKey_ID.p8; give --issuer-id")
    }
    // Individual keys have no issuer; one in the environment belongs to another key.
    return try key(
      in: bytes, of: "'\(path)'", givenID ?? namedID, prefix == "ApiKey_" ? issuerID : issuer)
  }

  /// The key in a text: PEM, or fastlane's JSON with `key_id`, `issuer_id` and `key`.
  private func key(
    in text: [UInt8], of source: String, _ givenID: String?, _ issuer: String?
  ) throws -> APIKey {
    var (id, issuer, pem) = (givenID, issuer, text)
    if text.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
      let document = JSONDocument(reading: SourceText(name: source, bytes: text))
      guard document.isWellFormed, let root = document.root, let key = root["key"]?.string else {
        throw StoreError("\(source) is not fastlane's JSON file of a key: 'key' is missing")
      }
      id = keyID ?? root["key_id"]?.string ?? givenID
      issuer = issuerID ?? root["issuer_id"]?.string
      pem = Array(key.utf8)
    }
    guard let id else {
      throw StoreError(
        "the key of \(source) has no id: the ten characters of the key's page; give --key-id")
    }
    return try APIKey(id: id, issuer: issuer, pem: Self.pem(pem), source: source)
  }

  /// The prefix and the ID in a name such as `AuthKey_ID.p8`.
  package static func parts(ofName name: String) -> (prefix: String?, id: String?) {
    for prefix in ["AuthKey_", "ApiKey_"] where name.hasPrefix(prefix) && name.hasSuffix(".p8") {
      return (prefix, String(name.dropFirst(prefix.count).dropLast(3)))
    }
    return (nil, nil)
  }

  /// The PEM in a text: line feeds may be written as `\n`, and the whole may be in Base64.
  private static func pem(_ text: [UInt8]) -> [UInt8] {
    let pem = String(decoding: text, as: UTF8.self)
    if !pem.contains("-----BEGIN"), let decoded = Base64.decode(text) { return decoded }
    return Array(pem.replacing("\\n", with: "\n").replacing("\\", with: "").utf8)
  }
}
