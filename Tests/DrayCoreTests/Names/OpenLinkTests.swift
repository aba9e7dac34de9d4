// Links of a listing that may lead to a file or a directory: which of them are requested, and the meaning of the
// answer.

import DrayCore
import Testing

@Suite("Open links")
struct OpenLinkTests {
  @Test(
    "which names may be a directory's",
    arguments: [
      ("sub", true), ("README", true), (".git", true), ("v1.2", true), ("1.0-rc1", true), ("debian-12.0.1", true),
      ("conf.d", true), ("example.org", true), ("dray.git", true), ("a.", true), ("libc.so.6", true), ("ü", true),
      ("", true),
      ("a.iso", false), ("a.tar.gz", false), ("a.7z", false), ("a.3gp", false), ("index.HTML", false),
      (".x.txt", false),
      ("v1.2.zip", false), ("a.mp4", false),
    ])
  func names(_ name: String, _ wanted: Bool) {
    #expect(OpenLink.mayBeDirectory(name) == wanted)
  }

  @Test(
    "the head of an answer",
    arguments: [
      (301, ["Location: /d/sub/"], .directory), (302, ["Location: sub/"], .directory),
      (307, ["Location: http://h/d/sub/"], .directory), (308, ["Location: https://h:8443/d/sub/"], .directory),
      (301, ["Location: http://x/d/sub/"], .file), (301, ["Location: /d/sub/index.html"], .file),
      (301, ["Location: /login/"], .file), (301, ["Location: /d/sub/?x"], .file), (301, [], .file),
      (301, ["Location: file:///d/sub/"], .file), (304, ["Location: /d/sub/"], .file),
      (200, ["Content-Type: text/html; charset=utf-8"], .page), (206, ["Content-Type: application/json"], .page),
      (200, ["Content-Type: application/xhtml+xml"], .page), (200, ["Content-Type: text/plain"], .file),
      (200, [], .file), (200, ["Content-Type: text/html", "Content-Disposition: attachment"], .file),
      (404, ["Content-Type: text/html"], .file), (503, ["Content-Type: text/html"], .file),
    ] as [(Int, [String], OpenLink.Finding)])
  func findings(_ status: Int, _ fields: [String], _ wanted: OpenLink.Finding) throws {
    let url = try RequestURL.parse("http://h/d/sub").url
    #expect(OpenLink.finding(ResponseHead(status, fields), at: url) == wanted)
  }
}
