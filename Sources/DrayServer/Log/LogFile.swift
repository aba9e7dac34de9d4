// The file of a log, and the older files that it replaced.

internal import DrayCore
internal import Posix

/// A log file that is replaced when it is too long. The file then becomes `NAME.1`, and a file `NAME.1` becomes
/// `NAME.2`.
struct LogFile: ~Copyable {
  /// The length in bytes at which a new file is started.
  static let most: Int64 = 1 << 20
  static let older = 3

  private let path: String
  private var descriptor: Int32
  private var size: Int64

  /// Opens the file. Only its owner can read it.
  init(_ path: String) throws(Failure) {
    self.path = path
    do throws(SystemError) {
      (descriptor, size) = try LogFile.open(path)
    } catch {
      throw Failure(.file, path, "the log cannot be written: \(error.text)")
    }
  }

  deinit { System.close(descriptor) }

  /// Appends a line. A line that cannot be written, for example because the disk is full, is lost, and the service
  /// continues.
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
