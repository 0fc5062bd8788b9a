import BAFiles
import Foundation

/// The archives in Fixtures/archives, made by the independent encoder in Tests/Interop.
package struct GoldenArchive: Sendable, CustomStringConvertible {
  package let kind: String
  package let name: String
  private let json: Data

  package static let good = load("good")
  package static let damaged = load("damaged")
  package static let hostile = load("hostile")
  private static let folder = Fixtures.root.appending(path: "archives")

  package var description: String { "\(kind)/\(name)" }
  package var path: BytePath {
    BytePath(Self.folder.appending(path: "\(kind)/\(name).aar").path.utf8)
  }
  package var fields: [String: Any] {
    (try? JSONSerialization.jsonObject(with: json)) as? [String: Any] ?? [:]
  }

  private static func load(_ kind: String) -> [GoldenArchive] {
    guard let data = try? Data(contentsOf: folder.appending(path: "index.json")),
      let index = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let archives = index[kind] as? [[String: Any]]
    else { return [] }
    return archives.compactMap { fields in
      guard let name = fields["name"] as? String,
        let json = try? JSONSerialization.data(withJSONObject: fields)
      else { return nil }
      return GoldenArchive(kind: kind, name: name, json: json)
    }
  }
}
