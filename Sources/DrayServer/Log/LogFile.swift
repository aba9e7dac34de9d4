// The file of a log, and those before it.

internal import DrayCore
internal import Posix

/// A file that lines are added to. Once it is large it becomes `NAME.1`, and what was that `NAME.2`.
struct LogFile: ~Copyable {
  /// Bytes that a file may have before another is begun.
  static let most: Int64 = 1 << 20
  /// How many there are beside it.
  static let older = 3

  private let path: String
  private var descriptor: Int32
  private var size: Int64

  /// Opens the file, which only its owner can read.
  init(_ path: String) throws(Failure) {
    self.path = path
    do throws(SystemError) {
      (descriptor, size) = try LogFile.open(path)
    } catch {
      throw Failure(.file, path, "the log cannot be written: \(error.text)")
    }
  }

  deinit { System.close(descriptor) }

  /// Adds a line. What cannot be written, on a full disk say, is lost: the service goes on.
  mutating func write(_ line: String) {
    if size >= LogFile.most { rotate() }
    do throws(SystemError) {
      try System.write(line.utf8, to: descriptor)
      size += Int64(line.utf8.count)
    } catch {
      return
    }
  }

  private mutating func rotate() {
    for number in stride(from: LogFile.older - 1, through: 1, by: -1) {
      System.move("\(path).\(number)", to: "\(path).\(number + 1)")
    }
    System.move(path, to: "\(path).1")
    guard let opened = try? LogFile.open(path) else { return }
    System.close(descriptor)
    (descriptor, size) = opened
  }

  private static func open(_ path: String) throws(SystemError) -> (Int32, Int64) {
    let descriptor = try System.openForAppending(path, mode: 0o600)
    return (descriptor, try System.node(descriptor).size)
  }
}
