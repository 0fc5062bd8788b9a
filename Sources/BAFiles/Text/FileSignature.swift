/// The type of a file that begins with `start`, with its article: `a PNG image`; nil if unknown.
/// 265 bytes are enough.
package func fileKind(beginning start: some Collection<UInt8>) -> String? {
  let start = Array(start.prefix(265))
  if let known = signatures.first(where: { start.starts(with: $0.bytes) }) { return known.kind }
  if start.count >= 262, start[257..<262].elementsEqual("ustar".utf8) { return "a tar archive" }
  if start.count >= 12, start[4..<8].elementsEqual("ftyp".utf8) { return "an MP4 file" }
  if start.starts(with: "RIFF".utf8), start.count >= 12 {
    switch String(decoding: start[8..<12], as: UTF8.self) {
    case "WAVE": return "a WAVE file"
    case "WEBP": return "a WebP image"
    default: return "a RIFF file"
    }
  }
  return nil
}

private let signatures: [(bytes: [UInt8], kind: String)] = [
  ([0x89] + "PNG\r\n".utf8, "a PNG image"),
  ([0xFF, 0xD8, 0xFF], "a JPEG image"),
  (Array("GIF8".utf8), "a GIF image"),
  (Array("OggS".utf8), "an Ogg file"),
  (Array("fLaC".utf8), "a FLAC file"),
  (Array("ID3".utf8), "an MP3 file"),
  (Array("%PDF-".utf8), "a PDF document"),
  (Array("bplist".utf8), "a binary property list"),
  (Array("PK\u{3}\u{4}".utf8), "a zip file"),
  ([0x1F, 0x8B], "a gzip file"),
  ([0xFD] + "7zXZ\0".utf8, "an xz file"),
  ([0x28, 0xB5, 0x2F, 0xFD], "a zstd file"),
  (Array("BZh".utf8), "a bzip2 file"),
  ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive"),
  (Array("Rar!".utf8), "a RAR archive"),
  (Array("SQLite format 3\0".utf8), "a SQLite database"),
  (Array("\u{7F}ELF".utf8), "a program for Linux"),
]
