import AssetPackServer
import Foundation
import Testing

/// Codes are read by zbarimg.
@Suite struct QRCodeTests {
  private static let zbarimg = ["/usr/bin/zbarimg", "/opt/homebrew/bin/zbarimg"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  @Test func sizesAndLimits() throws {
    #expect(QRCode(Array("http://192.0.2.2:8444/".utf8))?.size == 25)
    #expect(QRCode([])?.size == 21)
    #expect(QRCode([UInt8](repeating: 65, count: QRCode.maximumBytes))?.size == 57)
    #expect(QRCode([UInt8](repeating: 65, count: QRCode.maximumBytes + 1)) == nil)
  }

  /// Example of Reed-Solomon codes in annex I of the standard.
  @Test func correctionOfTheStandardsExample() {
    let data: [UInt8] = [
      0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC,
      0x11,
    ]
    #expect(
      ReedSolomon.correction(of: data, count: 10)
        == [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55])
  }

  @Test(.enabled(if: zbarimg != nil, "zbarimg is not installed"), arguments: [3, 22, 60, 100, 213])
  func areReadByZbar(_ count: Int) throws {
    let text = String(repeating: "http://packs.example:8444/?", count: 8).prefix(count)
    let code = try #require(QRCode(Array(text.utf8)))
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).pbm")
    defer { try? FileManager.default.removeItem(at: file) }
    try picture(of: code).write(to: file, atomically: false, encoding: .ascii)
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.zbarimg))
    process.arguments = ["--quiet", "--raw", file.path(percentEncoded: false)]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(output == text + "\n")
  }

  /// A bitmap with a quiet zone of four modules; each module has four by four dots.
  private func picture(of code: QRCode) -> String {
    let places = -4..<code.size + 4
    var text = "P1\n\(places.count * 4) \(places.count * 4)\n"
    for row in places {
      let line = places.map { column in
        let isInside = code.modules.indices.contains(row) && code.modules.indices.contains(column)
        return String(repeating: isInside && code.modules[row][column] ? "1 " : "0 ", count: 4)
      }.joined()
      text += String(repeating: line + "\n", count: 4)
    }
    return text
  }
}
