import BALZFSE
import BAPackCore
import CBAZlib

/// zlib level 5, its streams reset for each block.
@safe final class Zlib: Codec {
  // zlib keeps a pointer to the stream in its state, so its address must not change.
  private let deflater = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let inflater = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var output = [UInt8](repeating: 0, count: 2 * CodecBenchmark.blockSize)
  private var raw = [UInt8](repeating: 0, count: CodecBenchmark.blockSize)
  private var size = 0
  private var rawSize = 0

  var encoded: ArraySlice<UInt8> { output[..<size] }
  var decoded: ArraySlice<UInt8> { raw[..<rawSize] }

  init() {
    unsafe deflater.initialize(to: z_stream())
    unsafe inflater.initialize(to: z_stream())
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    unsafe check(deflateInit_(deflater, 5, zlibVersion(), size), Z_OK)
    unsafe check(inflateInit_(inflater, zlibVersion(), size), Z_OK)
  }

  private func check(_ result: Int32, _ expected: Int32) {
    guard result == expected else { fatalError("zlib: \(result)") }
  }

  func encode(_ raw: [UInt8]) {
    unsafe check(deflateReset(deflater), Z_OK)
    unsafe raw.withUnsafeBufferPointer { raw in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe deflater.pointee.next_in = .init(mutating: raw.baseAddress)
        unsafe deflater.pointee.avail_in = UInt32(raw.count)
        unsafe deflater.pointee.next_out = output.baseAddress
        unsafe deflater.pointee.avail_out = UInt32(output.count)
        unsafe check(deflate(deflater, Z_FINISH), Z_STREAM_END)
        size = unsafe output.count - Int(deflater.pointee.avail_out)
      }
    }
  }

  func decode(_ rawSize: Int) {
    unsafe check(inflateReset(inflater), Z_OK)
    unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe raw.withUnsafeMutableBufferPointer { raw in
        unsafe inflater.pointee.next_in = output.baseAddress
        unsafe inflater.pointee.avail_in = UInt32(size)
        unsafe inflater.pointee.next_out = raw.baseAddress
        unsafe inflater.pointee.avail_out = UInt32(rawSize)
        unsafe check(inflate(inflater, Z_FINISH), Z_STREAM_END)
        self.rawSize = unsafe rawSize - Int(inflater.pointee.avail_out)
      }
    }
  }
}

/// The encoder and decoder of this package.
final class LZFSECodec: Codec {
  private var encoder: LZFSE.Encoder
  private var decoder: LZFSE.Decoder
  private var output = [UInt8](
    repeating: 0, count: LZFSE.Encoder.maximumSize(for: CodecBenchmark.blockSize))
  private var raw = [UInt8](repeating: 0, count: CodecBenchmark.blockSize)
  private var size = 0
  private var rawSize = 0

  init() throws {
    encoder = try LZFSE.Encoder()
    decoder = try LZFSE.Decoder()
  }

  var encoded: ArraySlice<UInt8> { output[..<size] }
  var decoded: ArraySlice<UInt8> { raw[..<rawSize] }

  func encode(_ raw: [UInt8]) {
    unsafe raw.withUnsafeBytes { raw in
      unsafe output.withUnsafeMutableBytes { output in
        size = unsafe encoder.encode(raw, into: output) ?? 0
      }
    }
  }

  func decode(_ rawSize: Int) {
    unsafe output.withUnsafeBytes { output in
      unsafe raw.withUnsafeMutableBytes { raw in
        do throws(LZFSE.Damage) {
          try unsafe decoder.decode(
            .init(rebasing: output[..<size]), into: .init(rebasing: raw[..<rawSize]))
        } catch { fatalError("\(error)") }
      }
    }
    self.rawSize = rawSize
  }
}
