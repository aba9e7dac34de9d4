// The directory for downloads of browsers, as it is typed.

import DrayCore
import Posix
import Testing

@testable import DrayCommands

@Suite("The directory for downloads of browsers")
struct BrowserDirectoryTests {
  @Test(
    "what may be named",
    arguments: [
      ("dir", [], "/base/dir"), ("/base/dir/", [], "/base/dir"), ("/base", ["/base"], "/base"),
      ("dir", ["/srv", "/base"], "/base/dir"),
    ] as [(String, [String], String)])
  func good(text: String, roots: [String], path: String) throws {
    #expect(try BrowserDirectory.check(text, .fixed(), roots: roots) { _ in nil } == path)
  }

  @Test(
    "what is refused, with its reason and what to do",
    arguments: [
      ("", [], "it has no directory; name one"), ("none", [], "/base/none: no such directory; create it"),
      ("file", [], "is a file, not a directory"), ("s3://bucket/x", [], "is not a directory on this machine"),
      ("dir", ["/srv", "/data"], "choose a directory below /srv, /data"), ("/", ["/base"], "is not below `root`"),
    ] as [(String, [String], String)])
  func bad(text: String, roots: [String], says: String) throws {
    let failure = try #require(throws: Failure.self) {
      try BrowserDirectory.check(text, .fixed(), roots: roots) { _ in nil }
    }
    #expect(failure.kind == .usage && failure.message.contains(says), "\(failure.message)")
  }

  @Test(
    "below a root no link is followed, so a directory behind one is refused",
    arguments: [
      (["/base"], ["/base/dir": "/data/dl"], "leads through a link below `root` of [serve] in the configuration"),
      (["/base"], ["/base/dir": "/data/dl"], "; name /data/dl, and add it to `root`"),
      (["/base", "/data"], ["/base/dir": "/data/dl"], "; name /data/dl"),
      (["/"], ["/base": "/x", "/base/dir": "/x/dir"], "; name /x/dir"),
      (["/base"], ["/base": "/x", "/base/dir": "/x/dir"], nil), (["/base/dir"], ["/base/dir": "/data/dl"], nil),
      ([], ["/base/dir": "/data/dl"], nil), (["/base"], [:], nil),
    ] as [([String], [String: String], String?)])
  func links(roots: [String], real: [String: String], says: String?) throws {
    var surroundings = Surroundings.fixed()
    surroundings.realPath = { real[$0] ?? $0 }
    do throws(Failure) {
      let path = try BrowserDirectory.check("dir", surroundings, roots: roots) { _ in nil }
      #expect(path == "/base/dir" && says == nil)
    } catch {
      #expect(says.map { error.message.hasSuffix($0) || error.message.contains($0 + ";") } == true, "\(error.message)")
    }
  }

  @Test("a directory without permission to write")
  func unwritable() throws {
    let failure = try #require(throws: Failure.self) {
      try BrowserDirectory.check("dir", .fixed(), roots: []) { _ in SystemError("access", SystemError.noAccess) }
    }
    #expect(failure.kind == .file && failure.message.contains("/base/dir: no file can be written there"))
    #expect(failure.message.contains("choose another directory with --dir"))
  }
}
