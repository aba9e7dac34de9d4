// Keeps the input that is being checked in a file: a trap ends the process, and only the file shows its cause.

import Foundation

/// The input that is being checked.
final class LastInput {
  /// The path of the file.
  let path: String
  private let file: FileHandle?

  init(_ target: FuzzTarget, in directory: String = FileManager.default.temporaryDirectory.path) {
    path = "\(directory)/dray-fuzz-\(getpid())-\(target.slug)"
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    file = FileHandle(forWritingAtPath: path)
  }

  /// Notes an input before it is checked.
  func note(_ input: [UInt8]) {
    guard let file else { return }
    let descriptor = file.fileDescriptor
    _ = ftruncate(descriptor, 0)
    _ = input.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// Removes the file: the check did not trap.
  func remove() {
    try? file?.close()
    try? FileManager.default.removeItem(atPath: path)
  }
}

extension FuzzTarget {
  /// The name as a file name: lower case, with hyphens for anything except letters and digits.
  var slug: String {
    String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
  }

  /// Checks one input.
  /// - Returns: The broken promise; `nil` if the check passes.
  func violation(_ input: [UInt8]) -> String? {
    do throws(Violation) {
      try check(input)
      return nil
    } catch {
      return error.description
    }
  }
}
