import BAPackCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that listens on a port.
package struct PortOwner: Sendable, Equatable, CustomStringConvertible {
  /// The name of the process.
  package let name: String
  /// The process ID.
  package let process: Int

  /// For example `nginx (process 4711)`.
  package var description: String { "\(name) (process \(process))" }

  /// A command that shows the process.
  package static func command(_ port: UInt16) -> String {
    #if os(Linux)
      "ss -ltnp sport = :\(port)"
    #else
      "lsof -nP -iTCP:\(port) -sTCP:LISTEN"
    #endif
  }

  /// The process that listens on `port`; nil if unknown. On Linux only root sees other users'
  /// processes.
  package init?(of port: UInt16) {
    #if os(Linux)
      guard let inodes = Self.inodes(listeningOn: port), !inodes.isEmpty,
        let names = try? BytePath("/proc").names()
      else { return nil }
      for name in names {
        guard let number = Int(String(decoding: name, as: UTF8.self)) else { continue }
        let process: BytePath = BytePath(Array("/proc/".utf8) + name)
        guard Self.hasSocket(process.appending("fd".utf8), inodes),
          let comm = try? process.appending("comm".utf8).contents(limit: 1 << 10)
        else { continue }
        self.name = printable(comm.prefix { $0 != UInt8(ascii: "\n") })
        self.process = number
        return
      }
    #endif
    return nil
  }

  #if os(Linux)
    /// The inodes of sockets in /proc/net/tcp and tcp6 that listen (state 0A) on `port`.
    private static func inodes(listeningOn port: UInt16) -> Set<String>? {
      let ending = ":" + hexadecimal([UInt8(port >> 8), UInt8(port & 0xFF)], uppercase: true)
      var inodes: Set<String> = []
      for path: BytePath in ["/proc/net/tcp", "/proc/net/tcp6"] {
        guard let bytes = try? path.contents(limit: 1 << 24) else { continue }
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
          let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
          guard fields.count > 9, fields[1].hasSuffix(ending), fields[3] == "0A" else { continue }
          inodes.insert("socket:[\(fields[9])]")
        }
      }
      return inodes
    }

    private static func hasSocket(_ folder: BytePath, _ inodes: Set<String>) -> Bool {
      guard let names = try? folder.names() else { return false }
      return names.contains { name in
        guard let target = try? folder.appending(name).linkTarget() else { return false }
        return inodes.contains(String(decoding: target.bytes, as: UTF8.self))
      }
    }
  #endif
}
