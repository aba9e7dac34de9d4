internal import Foundation

/// Returns the text of a file of the kernel, such as `/proc/net/tcp`.
///
/// Reading such a file by path ends after the first read, which gives at most 4 KiB.
public func kernelText(at path: String) throws -> String {
  let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
  defer { try? file.close() }
  return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
}
