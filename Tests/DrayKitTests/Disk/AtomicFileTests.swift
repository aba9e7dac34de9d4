// Files that are replaced atomically, and the temporary files beside them.

import Foundation
import Testing

@testable import DrayKit

@Suite("Atomic files")
struct AtomicFileTests {
  private func use(_ body: (String) throws -> Void) throws {
    let directory = NSTemporaryDirectory() + "dray-atomic-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try body(directory)
  }

  @Test("nothing is written through a name that others can guess, and a crashed writer's leftover goes")
  func leftovers() throws {
    try use { directory in
      let files = FileManager.default
      let planted = ".set.lock.new"
      try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(directory)/goal"))
      try files.createSymbolicLink(
        atPath: "\(directory)/\(planted)", withDestinationPath: "\(directory)/goal")
      try Data("half".utf8).write(to: URL(fileURLWithPath: "\(directory)/.set.lock.\(UUID().uuidString).new"))
      for text in ["one", "two"] {
        try AtomicFile.write(text.utf8, to: "\(directory)/set.lock", isPrivate: true)
        #expect(files.contents(atPath: "\(directory)/set.lock") == Data(text.utf8))
      }
      #expect(try files.attributesOfItem(atPath: "\(directory)/set.lock")[.posixPermissions] as? Int == 0o600)
      #expect(files.contents(atPath: "\(directory)/goal") == Data("mine".utf8))
      #expect(try Set(files.contentsOfDirectory(atPath: directory)) == ["goal", planted, "set.lock"])
    }
  }

  @Test(
    "names of temporary files",
    arguments: [
      (".f.6F9619FF-8B86-D011-B42D-00C04FC964FF.new", true), (".f.new", false), (".f.x.new", false),
      (".g.6F9619FF-8B86-D011-B42D-00C04FC964FF.new", false), (".f.6F9619FF-8B86-D011-B42D-00C04FC964FF", false),
    ])
  func names(name: String, isTemporary: Bool) {
    #expect(AtomicFile.isTemporary(name, of: "f") == isTemporary)
  }
}
