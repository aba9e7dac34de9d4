// Shared by the engine's tests: temporary directories, short forms of bytes and URLs, waiting.

import DrayCore
import Foundation
internal import Posix

@testable import DrayEngine

/// A directory of a test's own, removed with this value.
final class TemporaryDirectory: Sendable {
  let path: String

  init(in place: String = NSTemporaryDirectory()) throws {
    path = PathText.join(place, "dray-engine-\(UUID().uuidString)")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func open() throws -> TargetDirectory { try TargetDirectory(path: path) }

  /// The directory as a destination.
  func destination() throws -> LocalDestination { LocalDestination(try open(), store: nil) }

  subscript(name: String) -> String { PathText.join(path, name) }

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: self[name]))
  }

  /// The bytes of a file; `nil` if there is none.
  func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: self[name]).map { Array($0) }
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// Mode, link count and the like, of the name itself.
  func status(_ name: String) -> stat? {
    var info = stat()
    return lstat(self[name], &info) == 0 ? info : nil
  }
}

func url(_ text: String) throws -> RequestURL { try RequestURL.parse(text).url }

extension PartFile {
  /// The part file as a storage.
  var storage: LocalPart { LocalPart(self, in: LocalDestination(directory, store: nil)) }
}

/// Calls `body` with the bytes of a text or a list.
func withBytes<Value>(_ bytes: some Sequence<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value
{
  try Array(bytes).withUnsafeBytes { try body($0) }
}

/// The error that `body` throws.
func systemError(_ body: () throws -> Void) -> SystemError? {
  do {
    try body()
    return nil
  } catch {
    return error as? SystemError
  }
}

/// Waits until `condition` holds, long enough for a busy machine; `false` if it never does.
func eventually(_ condition: () -> Bool) async -> Bool {
  let deadline = ContinuousClock.now.advanced(by: .seconds(60))
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return true
}
