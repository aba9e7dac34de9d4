// Unpacks gzip (RFC 1952) up to a limit, for compressed documents.

internal import CZlib

/// A defect of gzip data.
package enum GzipError: Error, Sendable, Equatable {
  /// The data is damaged or truncated.
  case malformed
  /// The unpacked data exceeds the limit.
  case tooLong
}

/// Data in the gzip format.
package enum GzipData {
  /// Whether bytes begin like gzip data.
  package static func isStart(of bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B, 8]) }

  /// Unpacks all members of the data, and checks their checksums and lengths.
  /// - Parameter limit: The maximum number of output bytes (P13).
  /// - Throws: ``GzipError``.
  package static func unpacked(_ bytes: [UInt8], limit: Int) throws(GzipError) -> [UInt8] {
    // The stream must stay at one address: zlib compares it with the address at which the stream was initialized.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard dray_begin_gzip(stream) == Z_OK else { throw .malformed }
    defer { inflateEnd(stream) }
    return try bytes.withUnsafeBufferPointer { input in
      Result { () throws(GzipError) in try members(of: input, stream, limit) }
    }.get()
  }

  private static func members(
    of input: UnsafeBufferPointer<UInt8>, _ stream: UnsafeMutablePointer<z_stream>, _ limit: Int
  ) throws(GzipError) -> [UInt8] {
    guard isStart(of: input) else { throw .malformed }
    var output: [UInt8] = []
    let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
    defer { block.deallocate() }
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    stream.pointee.avail_in = uInt(clamping: input.count)
    repeat {
      var status = inflateReset(stream)
      while status == Z_OK {
        stream.pointee.next_out = block.baseAddress
        stream.pointee.avail_out = uInt(block.count)
        status = inflate(stream, Z_NO_FLUSH)
        let unpacked = block.dropLast(Int(stream.pointee.avail_out))
        guard output.count + unpacked.count <= limit else { throw .tooLong }
        output += unpacked
      }
      // zlib reports truncated data as Z_BUF_ERROR.
      guard status == Z_STREAM_END else { throw .malformed }
      // Bytes after the last member are ignored as padding, as by gzip(1).
    } while isStart(of: input.suffix(Int(stream.pointee.avail_in)))
    return output
  }
}
