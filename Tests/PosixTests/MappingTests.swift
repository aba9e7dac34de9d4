// Memory that belongs to a file, and the end of that.

import Foundation
import Testing

@testable import Posix

@Suite struct MappingTests {
  private func use(_ body: (String) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "dray-mapping-\(UUID())"
    defer { System.remove(path) }
    try body(path)
  }

  @Test func theFileHasWhatWasStored() throws {
    try use { path in
      let memory = try System.createMapped(path, size: 8192)
      memory[5000] = 7
      System.unmap(memory)
      let bytes = try System.read(path, limit: 10_000)
      #expect(bytes.count == 8192 && bytes[5000] == 7 && bytes[0] == 0)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
      #expect(mode?.intValue == 0o600)
      #expect(throws: SystemError.self) { try System.createMapped(path, size: 8192) }
    }
  }

  @Test("memory whose file is cut off stays usable")
  func cut() throws {
    try use { path in
      let memory = try System.createMapped(path, size: 65536)
      let other = try System.createMapped(path + ".other", size: 4096)
      defer {
        System.unmap(memory)
        System.unmap(other)
        System.remove(path + ".other")
      }
      memory[60_000] = 1
      let descriptor = try System.open(path, .both)
      defer { System.close(descriptor) }
      try System.truncate(descriptor, to: 0)
      // Without protection, SIGBUS would end the process here.
      memory[60_000] = 2
      memory[0] = 3
      other[100] = 4
      #expect(memory[60_000] == 2 && memory[0] == 3)
      #expect(try System.read(path, limit: 10).isEmpty)
      #expect(try System.read(path + ".other", limit: 4096)[100] == 4)
    }
  }
}
