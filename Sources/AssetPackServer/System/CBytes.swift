#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The bytes of a C string, without its NUL.
func cBytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
  unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
}

/// Calls `body` with the address of `bytes`, which end with NUL, or with nil.
func withCharacters<Result>(
  _ bytes: [UInt8]?, _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
  guard let bytes else { return body(nil) }
  return unsafe bytes.withUnsafeBytes { buffer in
    unsafe body(buffer.baseAddress?.assumingMemoryBound(to: CChar.self))
  }
}
