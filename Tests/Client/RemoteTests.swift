import BAPackCore
import Dispatch
import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The bytes behind a URL whose server answers requests for ranges.
struct Remote: ByteSource {
  let url: URL
  let size: UInt64

  init(_ url: URL) throws {
    self.url = url
    var request = URLRequest(url: url)
    request.httpMethod = "HEAD"
    size = UInt64(max(0, try Self.answer(request).response.expectedContentLength))
  }

  func read(_ range: Range<UInt64>) throws -> [UInt8] {
    var request = URLRequest(url: url)
    request.setValue(
      "bytes=\(range.lowerBound)-\(range.upperBound - 1)", forHTTPHeaderField: "Range")
    let (data, response) = try Self.answer(request)
    guard response.statusCode == 206 else { throw URLError(.badServerResponse) }
    return Array(data)
  }

  private static func answer(
    _ request: URLRequest
  ) throws -> (data: Data, response: HTTPURLResponse) {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex(Result<(Data, HTTPURLResponse), any Error>.failure(URLError(.unknown)))
    URLSession.shared.dataTask(with: request) { data, response, error in
      if let data, let response = response as? HTTPURLResponse {
        result.withLock { $0 = .success((data, response)) }
      } else if let error {
        result.withLock { $0 = .failure(error) }
      }
      done.signal()
    }.resume()
    done.wait()
    return try result.withLock { try $0.get() }
  }
}

/// A server on loopback that answers requests for ranges of one file, and writes down which.
private final class RangeServer {
  private let process = Process()
  private let input = Pipe()
  private let log: URL
  let url: URL

  private static let script = """
    import http.server, os, re, sys, threading
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self): self.reply(200, 0, 0)
        def do_GET(self):
            first, last = map(int, re.match(r'bytes=(\\d+)-(\\d+)$', self.headers['Range']).groups())
            with open(sys.argv[2], 'a') as log: log.write(f'{first} {last + 1}\\n')
            self.reply(206, first, last + 1)
        def reply(self, status, first, end):
            self.send_response(status)
            self.send_header('Content-Length', end - first if end else os.path.getsize(sys.argv[1]))
            self.end_headers()
            with open(sys.argv[1], 'rb') as file:
                file.seek(first)
                self.wfile.write(file.read(end - first))
        def log_message(self, *words): pass
    # Ends with the test, even if that crashes.
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  init(_ file: URL, log: URL) throws {
    self.log = log
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c", Self.script, file.path(percentEncoded: false),
      log.path(percentEncoded: false),
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = input
    process.standardError = FileHandle.nullDevice
    try process.run()
    let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    url = try #require(
      URL(string: "http://127.0.0.1:\(port.trimmingCharacters(in: .whitespacesAndNewlines))/a.aar"))
  }

  deinit { process.terminate() }

  /// The ranges that were asked for since the last call.
  func takeRanges() throws -> [Range<Int>] {
    guard let text = try? String(contentsOf: log, encoding: .utf8) else { return [] }
    try FileManager.default.removeItem(at: log)
    return text.split(separator: "\n").compactMap { line in
      let ends = line.split(separator: " ").compactMap { Int($0) }
      return ends.count == 2 ? ends[0]..<ends[1] : nil
    }
  }
}

private func isInstalled(_ tool: String) -> Bool {
  ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].contains {
    FileManager.default.isExecutableFile(atPath: $0 + tool)
  }
}

extension [Range<Int>] {
  /// Whether no byte was asked for twice.
  fileprivate var areDisjoint: Bool {
    let sorted = sorted { $0.lowerBound < $1.lowerBound }
    return zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
  }

  fileprivate var size: Int { reduce(0) { $0 + $1.count } }
}

@Suite(.enabled(if: isInstalled("python3")))
struct RemoteTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(arguments: [false, true]) func onlyTheBlocksThatAreNeededAreRead(
    isCompressed: Bool
  ) async throws {
    let sound = noise(5 << 20)
    let pack = Handmade([
      "a.txt": Array("Hello".utf8), "b.wav": sound, "c.wav": noise(4 << 20, seed: 2),
      "d.txt": Array("Bye".utf8),
    ])
    try scratch.write("a.aar", pack.bytes(isCompressed: isCompressed))
    let server = try RangeServer(
      scratch.url.appending(path: "a.aar"), log: scratch.url.appending(path: "log"))
    let url = server.url
    let index = try await PackIndex(reading: Remote(url))
    #expect(index.files.map(\.path.string) == ["a.txt", "b.wav", "c.wav", "d.txt"])
    let listing = try server.takeRanges()
    #expect(listing.areDisjoint)
    // Of ten blocks, those in which files begin: the first, the one between the sounds, and the last,
    // which is short.
    #expect(listing.filter { $0.count > 1000 }.count == 2)
    let file = try #require(index["b.wav"])
    let part = try await index.bytes(of: file, 3_000_000..<3_000_100)
    #expect(part == Array(sound[3_000_000..<3_000_100]))
    let one = try server.takeRanges()
    #expect(one.count == 1 && one.size <= 1 << 20)
    #expect(try await index.bytes(of: file) == sound)
    let whole = try server.takeRanges()
    #expect(whole.count == 6 && whole.areDisjoint)
    var size = 0
    for try await chunk in index.chunks(of: file) { size += chunk.count }
    #expect(size == sound.count)
    let chunks = try server.takeRanges()
    #expect(chunks.count == 6 && chunks.areDisjoint)
    let extracted = try Extraction(files: ["*.txt"]).extract([index], to: scratch.path("out"))
    #expect(extracted.files.count == 2)
    #expect(try server.takeRanges().count == 2)
  }

  @Test func anAnswerThatIsNoneIsAnError() async throws {
    let closed = try #require(URL(string: "http://127.0.0.1:1/a.aar"))
    #expect(throws: (any Error).self) { try Remote(closed) }
    struct Failing: ByteSource {
      let size: UInt64 = 1000
      func read(_ range: Range<UInt64>) throws -> [UInt8] { throw URLError(.timedOut) }
    }
    let error = await #expect(throws: PackError.self) { try await PackIndex(reading: Failing()) }
    #expect(error?.code == .external && (error?.underlying as? URLError)?.code == .timedOut)
  }
}
