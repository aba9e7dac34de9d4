// A login page instead of an archive: reported, or refused.

import FaultServer
import Foundation
import Testing

@Suite("Content")
struct ContentTests {
  private static let page = Content.fixed("<!DOCTYPE html><title>Log in</title>".utf8)
  private static let zip = Content.fixed([0x50, 0x4B, 3, 4] + [UInt8](repeating: 7, count: 100))

  private static func resource(_ content: Content, _ type: String) -> FaultServer.Resource {
    var resource = FaultServer.Resource(Version(content, etag: "\"1\""))
    resource.contentType = type
    return resource
  }

  @Test("a page instead of an archive is kept, reported, and recorded")
  func toldOf() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/a.zip"] = Self.resource(Self.page, "text/html")
      let finished = try await sandbox.dray("get", sandbox.server.url("/a.zip"))
      expect(finished, exits: 0, saying: "it is a web page, not a ZIP archive")
      sandbox.expectFiles(["a.zip": Self.page], finished)
      expect(try await sandbox.dray("show", "1"), exits: 0, saying: "it is a web page, not a ZIP archive")
    }
  }

  @Test("--expect-type refuses it before a byte is written, and one that is called an archive when it is here")
  func refused() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/named"] = Self.resource(Self.page, "text/html")
      sandbox.server["/unnamed"] = Self.resource(Self.page, "application/zip")
      for (path, reason) in [("/named", "text/html"), ("/unnamed", "it is a web page")] {
        let finished = try await sandbox.dray("get", sandbox.server.url(path), "--expect-type", "application/zip")
        expect(finished, exits: 9, saying: reason)
        sandbox.expectNoFiles(finished)
        #expect(sandbox.server.requests(path).count == 1, "\(finished)")
      }
      expect(
        try await sandbox.dray("get", "-o", "-", sandbox.server.url("/unnamed"), "--expect-type", "application/zip"),
        exits: 9, saying: "it is a web page")
    }
  }

  @Test("what is of the type comes, from a list, too; the job remembers it")
  func right() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/a"] = Self.resource(Self.zip, "application/octet-stream")
      try sandbox.write("\(sandbox.server.url("/a"))\n  expect-type=application/zip\n", to: "../list")
      expect(try await sandbox.dray("add", "-i", "../list"), exits: 0)
      expect(try await sandbox.dray("show", "1"), exits: 0, saying: "application/zip")
      let finished = try await sandbox.dray("run")
      expect(finished, exits: 0)
      sandbox.expectFiles(["a": Self.zip], finished)
      expect(
        try await sandbox.dray("get", "--expect-type", "zip", sandbox.server.url("/a")), exits: 2, saying: "image/*")
    }
  }
}
