// Writes to a descriptor of the user: standard output, a pipe, a terminal, a file.

internal import DrayEngine
internal import Posix

/// A descriptor whose reader may be slow, or leave.
struct OutputPipe {
  /// The number of bytes that a pipe or a terminal with space accepts without blocking.
  private static let piece = 4096

  private let descriptor: Int32
  private let isFile: Bool
  /// Ends a write, even if nobody reads.
  private let end: EndFlag

  init(_ descriptor: Int32, until end: EndFlag) {
    (self.descriptor, self.end) = (descriptor, end)
    isFile = (try? System.status(descriptor))?.isRegular ?? false
  }

  /// Writes bytes. The call blocks the calling thread.
  /// - Returns: `false` if the reader has gone, or if the end was set.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Bool {
    var done = 0
    while done < bytes.count {
      if end.isSet { return false }
      if !isFile, !System.hasRoom(descriptor, within: 100) { continue }
      let next = isFile ? bytes.count : min(done + OutputPipe.piece, bytes.count)
      do throws(SystemError) {
        done += try System.writeSome(UnsafeRawBufferPointer(rebasing: bytes[done..<next]), to: descriptor)
      } catch {
        if error.code == SystemError.tryAgain { continue }
        if error.code == SystemError.brokenPipe { return false }
        throw Failure(
          .file, "standard output", error.text, advice: "check the program that reads it", recovery: .keep)
      }
    }
    return true
  }

  /// Writes a complete file. The call blocks the calling thread.
  /// - Returns: `false` if the reader has gone, or if the end was set.
  func copy(_ file: any StoredBytes, _ size: Int64) throws(Failure) -> Bool {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
    defer { block.deallocate() }
    var position: Int64 = 0
    while position < size {
      let wanted = UnsafeMutableRawBufferPointer(rebasing: block[..<Int(min(Int64(block.count), size - position))])
      let count = try file.read(into: wanted, at: position)
      guard count > 0 else {
        throw Failure(.file, file.path, "the spooled file was truncated", advice: "try again")
      }
      guard try write(UnsafeRawBufferPointer(rebasing: wanted[..<count])) else { return false }
      position += Int64(count)
    }
    return true
  }
}
