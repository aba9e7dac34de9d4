// Reads a file of this machine.

internal import DrayCore
internal import Posix

/// A file that is open for reading. Changes to the file are detected.
final class LocalFile {
  let path: String
  /// The facts about the file when it was opened.
  let facts: SourceFacts
  private let descriptor: Int32

  /// - Throws: ``Failure`` if the file is missing, not regular, or not readable.
  convenience init(_ url: RequestURL) throws(Failure) { try self.init(path: url.filePath) }

  init(path bytes: [UInt8]) throws(Failure) {
    let path = TextSafety.escaped(String(decoding: bytes, as: UTF8.self))
    self.path = path
    // Check the type first, because opening a pipe or a device could block.
    let name = bytes.map { CChar(bitPattern: $0) } + [0]
    let descriptor = try LocalFile.failing(path, "the file cannot be opened") { () throws(SystemError) in
      try System.open(name, [.reading, .nonBlocking, .noTerminal])
    }
    do throws(Failure) {
      facts = SourceFacts(try LocalFile.identity(descriptor, path))
    } catch {
      System.close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    System.expectReading(descriptor)
  }

  deinit { System.close(descriptor) }

  /// Returns the number of bytes read, which may be less than requested; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(Failure) -> Int {
    try LocalFile.failing(path, "the file cannot be read") { () throws(SystemError) in
      try System.read(descriptor, into: buffer, at: position)
    }
  }

  func hasChanged() throws(Failure) -> Bool { SourceFacts(try LocalFile.identity(descriptor, path)) != facts }

  private static func identity(_ descriptor: Int32, _ path: String) throws(Failure) -> FileIdentity {
    let status = try failing(path, "the file cannot be examined") { () throws(SystemError) in
      try System.status(descriptor)
    }
    guard status.isRegular else {
      throw Failure(
        .file, path, "it is \(status.isDirectory ? "a directory" : "not a regular file")",
        advice: "name a file after file://", recovery: .keep)
    }
    return FileIdentity(status)
  }

  private static func failing<Value>(
    _ path: String, _ what: String, _ body: () throws(SystemError) -> Value
  ) throws(Failure) -> Value {
    do throws(SystemError) { return try body() } catch {
      throw Failure(
        .file, path, "\(what): \(error.text)", advice: "check the path and its permissions", recovery: .keep)
    }
  }
}
