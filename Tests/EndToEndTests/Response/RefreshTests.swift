// `Refresh` with a URL is followed like a redirect, but only from a page without other content.

import FaultServer
import Foundation
import Testing

@Suite("Refresh")
struct RefreshTests {
  private static func page(_ refresh: String, _ more: String...) -> Answer {
    Answer.normal.with {
      $0.headers = ["Content-Type: text/html", "Refresh: \(refresh)"] + more
      $0.body = Array("<p>your download starts</p>".utf8)
    }
  }

  @Test("a download page leads to the file; info follows it, too")
  func followed() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/page"] = .init(
        AnswerCase.version, script: [Self.page("0; URL='/files/f.bin'"), Self.page("1;/f")])
      sandbox.server["/files/f.bin"] = .init(AnswerCase.version)
      let finished = try await sandbox.dray("get", "-v", sandbox.server.url("/page"))
      expect(finished, exits: 0, saying: "/files/f.bin")
      sandbox.expectFiles(["f.bin": AnswerCase.version.content], finished)
      sandbox.server["/f"] = .init(AnswerCase.version)
      let look = try await sandbox.dray("info", sandbox.server.url("/page"))
      expect(look, exits: 0)
      #expect(look.output.contains("→ \(sandbox.server.url("/f"))"), "\(look)")
    }
  }

  @Test(
    "any other answer with a Refresh is the file",
    arguments: [
      Self.page("5"), Self.page("0; url=/page"),
      Self.page("0; url=/f", "Content-Disposition: attachment; filename=page"),
      Answer.normal.with { $0.headers = ["Content-Type: application/zip", "Refresh: 0; url=/f"] },
    ])
  func kept(answer: Answer) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/page"] = .init(AnswerCase.version, script: [answer])
      let finished = try await sandbox.dray("get", sandbox.server.url("/page"))
      expect(finished, exits: 0)
      #expect(sandbox.read("page") != nil, "\(finished)")
      #expect(sandbox.server.requests("/f").isEmpty)
    }
  }

  @Test("it counts as a redirect, and another scheme is refused")
  func refused() async throws {
    try await Sandbox.use { sandbox in
      let turns = [Answer](repeating: Self.page("0; url=/b"), count: 30)
      let back = [Answer](repeating: Self.page("0; url=/a"), count: 30)
      sandbox.server["/a"] = .init(AnswerCase.version, script: turns)
      sandbox.server["/b"] = .init(AnswerCase.version, script: back)
      expect(try await sandbox.dray("get", sandbox.server.url("/a")), exits: 7, saying: "redirect loop at")
      sandbox.server["/c"] = .init(AnswerCase.version, script: [Self.page("0; url=file:///etc/passwd")])
      expect(try await sandbox.dray("get", sandbox.server.url("/c")), exits: 7, saying: "file")
    }
  }
}
