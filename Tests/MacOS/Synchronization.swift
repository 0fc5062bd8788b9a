// The declarations of the module Synchronization that the sources use, with the availability that
// Apple's has: Linux' own module needs its C library.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@available(macOS 15, *)
public protocol AtomicRepresentable {}

@available(macOS 15, *) extension Bool: AtomicRepresentable {}
@available(macOS 15, *) extension Int: AtomicRepresentable {}
@available(macOS 15, *) extension Int32: AtomicRepresentable {}
@available(macOS 15, *) extension Int64: AtomicRepresentable {}
@available(macOS 15, *) extension UInt: AtomicRepresentable {}
@available(macOS 15, *) extension UInt32: AtomicRepresentable {}
@available(macOS 15, *) extension UInt64: AtomicRepresentable {}

@available(macOS 15, *)
public struct AtomicLoadOrdering {
  public static var relaxed: Self { fatalError() }
  public static var acquiring: Self { fatalError() }
  public static var sequentiallyConsistent: Self { fatalError() }
}

@available(macOS 15, *)
public struct AtomicStoreOrdering {
  public static var relaxed: Self { fatalError() }
  public static var releasing: Self { fatalError() }
  public static var sequentiallyConsistent: Self { fatalError() }
}

@available(macOS 15, *)
public struct AtomicUpdateOrdering {
  public static var relaxed: Self { fatalError() }
  public static var acquiring: Self { fatalError() }
  public static var releasing: Self { fatalError() }
  public static var acquiringAndReleasing: Self { fatalError() }
  public static var sequentiallyConsistent: Self { fatalError() }
}

@available(macOS 15, *)
public struct Atomic<Value: AtomicRepresentable>: ~Copyable, @unchecked Sendable {
  public init(_ initialValue: consuming Value) { fatalError() }

  public borrowing func load(ordering: AtomicLoadOrdering) -> Value { fatalError() }
  public borrowing func store(_ desired: consuming Value, ordering: AtomicStoreOrdering) {}
  public borrowing func exchange(
    _ desired: consuming Value, ordering: AtomicUpdateOrdering
  ) -> Value { fatalError() }
  public borrowing func compareExchange(
    expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering
  ) -> (exchanged: Bool, original: Value) { fatalError() }
}

@available(macOS 15, *)
extension Atomic where Value: FixedWidthInteger {
  @discardableResult
  public borrowing func add(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) { fatalError() }
  @discardableResult
  public borrowing func subtract(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) { fatalError() }
  @discardableResult
  public borrowing func wrappingAdd(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) { fatalError() }
}

@available(macOS 15, *)
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  public init(_ initialValue: consuming sending Value) { fatalError() }

  public borrowing func withLock<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result { fatalError() }
  public borrowing func withLockIfAvailable<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result? { fatalError() }
}
