extension BytePath {
  /// This path relative to `folder`, which must exist: `../content`; `.` for the folder itself.
  /// Links are resolved, except for the last component, which may also be missing. Nil if the
  /// result is not UTF-8.
  package func relative(to folder: BytePath) throws(SystemError) -> String? {
    let from = try folder.resolved().parts
    let to: [ArraySlice<UInt8>]
    if name.isEmpty || name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) {
      to = try resolved().parts
    } else {
      do {
        to = try self.folder.resolved().parts + [name]
      } catch {
        // A missing part of the path is reported later, when files are looked up.
        guard error.code == .noSuchFile || error.code == .notDirectory else { throw error }
        return String(validating: bytes, as: UTF8.self)
      }
    }
    let common = zip(from, to).prefix { $0 == $1 }.count
    let climb = Array(repeating: Array("..".utf8)[...], count: from.count - common)
    let way = Array((climb + to[common...]).joined(separator: "/".utf8))
    return String(validating: way.isEmpty ? Array(".".utf8) : way, as: UTF8.self)
  }

  private var parts: [ArraySlice<UInt8>] { bytes.split(separator: ASCII.slash) }
}
