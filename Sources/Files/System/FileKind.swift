/// The kind of a file in a file system.
package enum FileKind: Sendable {
  /// A regular file.
  case file
  /// A folder.
  case directory
  /// A symbolic link.
  case symbolicLink
  /// A named pipe.
  case fifo
  /// A socket.
  case socket
  /// A character device.
  case device
  /// A block device, or anything else.
  case blockDevice
}

extension FileKind: CustomStringConvertible {
  /// The kind with its article: `a file`, `a folder`.
  package var description: String {
    switch self {
    case .file: "a file"
    case .directory: "a folder"
    case .symbolicLink: "a symbolic link"
    case .fifo: "a named pipe"
    case .socket: "a socket"
    case .device: "a device"
    case .blockDevice: "a block device"
    }
  }
}
