// What Apple's Swift module Darwin adds to its headers: variadic functions, and macros that Swift
// can't import. Declarations only: nothing of this is run.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Darwin

public var errno: CInt {
  get { fatalError() }
  set {}
}

public func open(_ path: UnsafePointer<CChar>, _ flags: CInt) -> CInt { fatalError() }
public func open(_ path: UnsafePointer<CChar>, _ flags: CInt, _ mode: mode_t) -> CInt {
  fatalError()
}
public func openat(_ folder: CInt, _ path: UnsafePointer<CChar>, _ flags: CInt) -> CInt {
  fatalError()
}
public func openat(
  _ folder: CInt, _ path: UnsafePointer<CChar>, _ flags: CInt, _ mode: mode_t
) -> CInt { fatalError() }
public func fcntl(_ file: CInt, _ command: CInt) -> CInt { fatalError() }
public func fcntl(_ file: CInt, _ command: CInt, _ value: CInt) -> CInt { fatalError() }
public func fcntl(
  _ file: CInt, _ command: CInt, _ pointer: UnsafeMutableRawPointer
) -> CInt { fatalError() }
public func ioctl(_ file: CInt, _ request: UInt, _ value: CInt) -> CInt { fatalError() }
public func ioctl(
  _ file: CInt, _ request: UInt, _ pointer: UnsafeMutableRawPointer
) -> CInt { fatalError() }
public func ioctl(_ file: CInt, _ request: UInt) -> CInt { fatalError() }

public var S_IFMT: mode_t { 0o170000 }
public var S_IFIFO: mode_t { 0o010000 }
public var S_IFCHR: mode_t { 0o020000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFBLK: mode_t { 0o060000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }
public var S_IFSOCK: mode_t { 0o140000 }
public var S_IRWXU: mode_t { 0o700 }
public var S_IRUSR: mode_t { 0o400 }
public var S_IWUSR: mode_t { 0o200 }
public var S_IXUSR: mode_t { 0o100 }
public var S_IXGRP: mode_t { 0o010 }
public var S_IXOTH: mode_t { 0o001 }

public typealias SignalHandler = @convention(c) (CInt) -> Void
public var SIG_DFL: SignalHandler? { nil }
public var SIG_IGN: SignalHandler { fatalError() }
public var SIG_ERR: SignalHandler { fatalError() }

public var TIOCGWINSZ: UInt { 0x4008_7468 }

public var CLOCK_REALTIME: clockid_t { _CLOCK_REALTIME }
public var CLOCK_MONOTONIC: clockid_t { _CLOCK_MONOTONIC }
