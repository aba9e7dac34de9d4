// The output of a hook: its end is kept, none of it is on disk, and it neither ends nor delays any process later.

import Foundation
import Testing

@testable import DrayKit

@Suite struct HookOutputTests {
  @Test func theEndIsKept() throws {
    let output = try #require(HookOutput(keeping: 1000))
    let end = dup(output.descriptor)
    defer { close(end) }
    let bytes = (0..<3_000_000).map { UInt8($0 % 251) }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(end, $0.baseAddress, $0.count) }
      try #require(count > 0)
      written += count
    }
    #expect(output.finish() == bytes.suffix(1000))
  }

  @Test func nothingIsNothing() throws {
    #expect(try #require(HookOutput(keeping: 10)).finish() == [])
  }

  /// A process left behind continues writing: it gets an error, not a signal, and never blocks.
  @Test func whoWritesAfterwardsIsNotHeldUp() throws {
    let output = try #require(HookOutput(keeping: 10))
    let end = dup(output.descriptor)
    defer { close(end) }
    _ = output.finish()
    let chunk = [UInt8](repeating: 1, count: 4096)
    var count = 0
    while count < 1000, write(end, chunk, chunk.count) > 0 { count += 1 }
    #expect(count < 1000 && (errno == EAGAIN || errno == EPIPE))
  }
}
