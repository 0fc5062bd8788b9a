import BADiagnostics

/// When an expectation fails, its values are described with everything they contain. A finding
/// contains its whole text, byte by byte, so that a thousand findings would take minutes and
/// gigabytes.
extension SourceText: CustomReflectable {
  /// Nothing of the text.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
