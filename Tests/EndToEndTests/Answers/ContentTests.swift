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

  @Test("a page instead of an archive is not a success: it is kept under another name, and replaces nothing")
  func pageInstead() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/a.zip"] = Self.resource(Self.page, "text/html")
      let url = sandbox.server.url("/a.zip")
      let finished = try await sandbox.dray("get", url)
      expect(finished, exits: 9, saying: "it is a web page, not a ZIP archive, and was kept as")
      #expect(finished.errors.contains(sandbox.path("a.zip.html-instead")), "\(finished)")
      #expect(finished.errors.contains("--allow-type text/html"), "\(finished)")
      sandbox.expectFiles(["a.zip.html-instead": Self.page], finished)
      #expect(sandbox.mode(of: sandbox.path("a.zip.html-instead")) == 0o644)
      #expect(try await sandbox.onlyJob().state == "failed")
      expect(try await sandbox.dray("show", "1"), exits: 0, saying: "it is a web page, not a ZIP archive")
      let again = try await sandbox.dray("retry", "1")
      expect(again, exits: 0)
      expect(try await sandbox.dray("run"), exits: 9, saying: "a.zip.1.html-instead")
      sandbox.expectFiles(["a.zip.html-instead": Self.page, "a.zip.1.html-instead": Self.page])
      #expect(try await sandbox.dray("clean").output.isEmpty)
      // The user accepts a page.
      for (name, words) in [("b.zip", ["--allow-type", "text/html"]), ("c.html", [])] {
        expect(try await sandbox.dray(["get", "-o", name, url] + words), exits: 0)
      }
      let list = "\(url)\n  out=d.zip\n  allow-type=image/*,text/html\n"
      let listed = try await sandbox.dray("get", "-i", "-", input: list)
      expect(listed, exits: 0)
      #expect(!listed.errors.contains("web page"), "\(listed)")
      expect(try await sandbox.dray("get", "--allow-type", "html", url), exits: 2, saying: "--allow-type")
    }
  }

  @Test("a page does not replace the file that is there, and is not written to standard output")
  func nothingIsReplaced() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/a.zip"] = Self.resource(Self.zip, "application/zip")
      let url = sandbox.server.url("/a.zip")
      expect(try await sandbox.dray("get", url), exits: 0)
      var page = FaultServer.Resource(Version(Self.page, etag: "\"2\""))
      page.contentType = "text/html"
      sandbox.server["/a.zip"] = page
      for words in [["--if-changed"], ["--on-conflict", "overwrite", "-o", "a.zip", "--no-cache"]] {
        let finished = try await sandbox.dray(["get", url + (words.count > 1 ? "?2" : "")] + words)
        expect(finished, exits: 9, saying: "html-instead")
      }
      sandbox.expectFiles(["a.zip": Self.zip, "a.zip.html-instead": Self.page, "a.zip.1.html-instead": Self.page])
      let stream = try await sandbox.dray("get", "-o", "-", url)
      expect(stream, exits: 9, saying: "it is a web page")
      #expect(stream.output.isEmpty)
      let allowed = try await sandbox.dray("get", "-o", "-", url, "--allow-type", "text/html")
      expect(allowed, exits: 0)
      #expect(allowed.output.contains("Log in"))
    }
  }

  @Test(
    "a page is the file if no other type was promised or its digest matches; other types are reported"
  )
  func successes() async throws {
    try await Sandbox.use { sandbox in
      for path in ["/page.html", "/page", "/a.zip"] { sandbox.server[path] = Self.resource(Self.page, "text/html") }
      sandbox.server["/b.zip"] = Self.resource(Content.fixed([0x1F, 0x8B, 8, 0, 0]), "application/zip")
      let server = sandbox.server
      let digest = "sha-256=\(Sandbox.sha256(Self.page))"
      expect(try await sandbox.dray("get", server.url("/page.html"), server.url("/page")), exits: 0, saying: "2 done")
      expect(try await sandbox.dray("get", "--checksum", digest, server.url("/a.zip")), exits: 0, saying: "web page")
      expect(
        try await sandbox.dray("get", server.url("/b.zip")), exits: 0, saying: "it is gzip data, not a ZIP archive")
      expect(try await sandbox.dray("show", "4"), exits: 0, saying: "it is gzip data, not a ZIP archive")
    }
  }

  @Test("a mirror has the file, and the first server a page")
  func mirror() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/a.zip"] = Self.resource(Self.page, "text/html")
      sandbox.server["/b.zip"] = Self.resource(Self.zip, "application/zip")
      let finished = try await sandbox.dray(
        "get", sandbox.server.url("/a.zip"), "--mirror", sandbox.server.url("/b.zip"))
      expect(finished, exits: 0, saying: "a.zip.html-instead")
      sandbox.expectFiles(["a.zip": Self.zip, "a.zip.html-instead": Self.page], finished)
    }
  }

  @Test("--expect-type refuses a page before a byte is written, and a page declared as an archive when it is here")
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

  @Test("a file of the type is fetched, from a list, too; the job remembers the type")
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
