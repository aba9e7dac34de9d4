// The file to which a body is spooled, block by block.

internal import DrayEngine
internal import Posix
internal import Synchronization

/// A private, locked file that is deleted with this object. Only one caller may write at a time.
final class SpoolFile: Sendable {
  private static let blockSize = 256 << 10

  private let path: String
  private let descriptor: Int32
  private let written = Mutex<Int64>(0)

  init(path: String) throws(Failure) {
    self.path = path
    do throws(SystemError) { descriptor = try System.open(path, .new, mode: 0o600) } catch {
      throw error.spooling(path)
    }
    // The lock keeps other processes' clean-ups from removing the file. Some file systems have no locks; the file is
    // then used without one.
    _ = try? System.tryLock(descriptor, shared: true)
  }

  deinit {
    System.remove(path)
    System.unlockAndClose(descriptor)
  }

  var length: Int64 { written.withLock { $0 } }

  /// Makes the content and the name durable.
  func sync() throws(Failure) {
    do throws(SystemError) { try System.syncData(descriptor) } catch { throw error.spooling(path) }
    BodyFiles.syncDirectory(of: path)
  }

  /// Appends a piece that is not a stream.
  func append(_ piece: BodyPiece) throws(Failure) {
    switch piece.content {
    case .text(let text): try append(Array(text.utf8), piece.filter)
    case .bytes(let bytes): try append(bytes, piece.filter)
    case .descriptor(let source): try copy(from: source, "standard input", piece.filter)
    case .file(let name):
      let source: Int32
      do throws(SystemError) { source = try System.open(name, .reading) } catch { throw error.reading(name) }
      defer { System.close(source) }
      try copy(from: source, name, piece.filter)
    case .stream: break
    }
  }

  private func append(_ bytes: [UInt8], _ filter: BodyFilter) throws(Failure) {
    try bytes.span.bytes.withUnsafeBytes { (buffer) throws(Failure) in try append(buffer, filter) }
  }

  func append(_ bytes: UnsafeRawBufferPointer, _ filter: BodyFilter) throws(Failure) {
    switch filter {
    case .none:
      try write(bytes)
    case .withoutLineEnds:
      try append(bytes.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }, .none)
    case .formEncoded:
      try append(FormEncoding.encoded(bytes), .none)
    }
  }

  private func copy(from source: Int32, _ name: String, _ filter: BodyFilter) throws(Failure) {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: SpoolFile.blockSize, alignment: 4096)
    defer { block.deallocate() }
    while true {
      let count: Int
      do throws(SystemError) { count = try System.readSome(source, into: block) } catch {
        guard error.code == SystemError.tryAgain else { throw error.reading(name) }
        _ = System.hasBytes(source, within: -1)
        continue
      }
      guard count > 0 else { return }
      try append(UnsafeRawBufferPointer(rebasing: block[..<count]), filter)
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    do throws(SystemError) { try System.write(bytes, to: descriptor) } catch { throw error.spooling(path) }
    written.withLock { $0 += Int64(bytes.count) }
  }
}

extension SystemError {
  func spooling(_ path: String) -> Failure {
    Failure(
      .file, path, "the body of the request cannot be stored: \(text)",
      advice: isOutOfSpace ? "free some space and try again" : "check the directory")
  }

  func reading(_ name: String) -> Failure {
    Failure(
      .usage, TextSafety.escaped(name), "it cannot be read: \(text)",
      advice: "check the path and its permissions; nothing was sent")
  }
}
