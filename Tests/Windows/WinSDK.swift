// What Swift's own module adds to the headers, as far as the sources use it: `BOOL` is `Bool`.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import WinSDK

@frozen public struct WindowsBool: ExpressibleByBooleanLiteral {
  @usableFromInline var value: Int32

  public init(_ value: Bool) { self.value = value ? 1 : 0 }
  public init(booleanLiteral value: Bool) { self.init(value) }
  public var boolValue: Bool { value != 0 }
}

public func _convertBoolToWindowsBool(_ value: Bool) -> WindowsBool { WindowsBool(value) }
public func _convertWindowsBoolToBool(_ value: WindowsBool) -> Bool { value.boolValue }
