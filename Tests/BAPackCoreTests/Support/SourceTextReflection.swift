import BAPackCore
import Testing

/// When an expectation fails, the values in it are described with all that they hold. A finding
/// holds its whole text, byte by byte, so that a thousand findings would take minutes and gigabytes.
extension SourceText: CustomReflectable {
  /// Nothing of the text.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
