// The file name that is chosen, through a real transfer: N1–N4 of CASES.md.

import FaultServer
import Foundation
import Testing

@Suite("Names")
struct NameTests {
  struct Name: Sendable, CustomTestStringConvertible {
    let id: String
    var path = "/url-name.bin"
    var disposition: String?
    let expected: String
    var testDescription: String { "\(id) \(path) \(disposition ?? "")" }
  }

  static let table: [Name] = [
    .init(id: "N1", disposition: "attachment; filename=plain.bin", expected: "plain.bin"),
    .init(id: "N1", disposition: "attachment; filename=\"two words.bin\"", expected: "two words.bin"),
    .init(id: "N1", disposition: "attachment; filename=\"a\\\"b.bin\"", expected: "a\"b.bin"),
    .init(id: "N1", disposition: "attachment; filename*=UTF-8''%e2%82%ac.bin", expected: "€.bin"),
    .init(
      id: "N1", disposition: "attachment; filename=\"no.bin\"; filename*=UTF-8''y%20es.bin",
      expected: "y es.bin"),
    .init(
      id: "N1", disposition: "attachment; filename*=UTF-8''y%20es.bin; filename=\"no.bin\"",
      expected: "y es.bin"),
    .init(id: "N1", disposition: "INLINE; FileName=case.bin", expected: "case.bin"),
    .init(id: "N1", disposition: "attachment", expected: "url-name.bin"),
    .init(id: "N1", disposition: "=;=;;\"", expected: "url-name.bin"),
    .init(id: "N2", disposition: "attachment; filename=\"../../x\"", expected: "x"),
    .init(id: "N2", disposition: "attachment; filename=\"/etc/passwd\"", expected: "passwd"),
    .init(id: "N2", disposition: "attachment; filename*=UTF-8''%2e%2e%2fy", expected: "y"),
    .init(id: "N2", disposition: "attachment; filename=\"..\"", expected: "url-name.bin"),
    .init(id: "N2", disposition: "attachment; filename=\"\"", expected: "url-name.bin"),
    .init(id: "N2", path: "/a/%2e%2e%2fetc", expected: ".._etc"),
    .init(id: "N3", disposition: "attachment; filename=\".bashrc\"", expected: "_.bashrc"),
    .init(id: "N3", disposition: "attachment; filename=\"-rf\"", expected: "_-rf"),
    .init(id: "N3", disposition: "attachment; filename=\"~\"", expected: "_~"),
    .init(id: "N4", path: "/", expected: "index.html"),
    .init(id: "N4", path: "/a%2Fb", expected: "a_b"),
    .init(id: "N4", path: "/dir/%C3%A9t%C3%A9.bin", expected: "été.bin"),
    .init(id: "N4", path: "/with%20blank.bin", expected: "with blank.bin"),
  ]

  @Test("a name by the server or the URL", arguments: table)
  func name(_ row: Name) async throws {
    try await Sandbox.use { sandbox in
      var resource = Resource(.named("v1", size: 1000))
      resource.disposition = row.disposition
      sandbox.server[row.path] = resource
      let finished = try await sandbox.dray("get", sandbox.server.url(row.path))
      expect(finished, exits: 0)
      // `a%2e%2e%2fetc` may be cut to its last component or have its slash replaced: both stay inside.
      if row.expected == ".._etc" {
        #expect(sandbox.names().count == 1 && sandbox.names(in: sandbox.root).contains("downloads"))
      } else {
        sandbox.expectFiles([row.expected: resource.version.content], finished)
      }
    }
  }

  struct Unsafe: Sendable, CustomTestStringConvertible {
    let disposition: String
    var testDescription: String { disposition.debugDescription }
  }

  static let hostile: [Unsafe] = [
    "attachment; filename=\"a\u{1B}[31mred.bin\"", "attachment; filename=\"a\u{202E}gpj.exe\"",
    "attachment; filename*=UTF-8''a%00b%0a%1b%5b2Jc.bin", "attachment; filename=\"..\\..\\x.bin\"",
    "attachment; filename=\"C:\\x.bin\"", "attachment; filename=\"CON\"", "attachment; filename=\"NUL.txt\"",
    "attachment; filename=\"dots...\"",
    "attachment; filename=\"" + String(repeating: "é", count: 300) + ".tar.gz\"",
    "attachment; filename=\"\u{FF}\u{FE}.bin\"",
  ].map(Unsafe.init)

  @Test("N3 hostile names stay inside the directory and never reach the terminal raw", arguments: hostile)
  func hostileName(_ row: Unsafe) async throws {
    try await Sandbox.use { sandbox in
      var resource = Resource(.named("v1", size: 1000))
      resource.disposition = row.disposition
      sandbox.server["/f"] = resource
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"))
      expect(finished, exits: 0)
      let names = sandbox.names()
      let name = try #require(names.first, "\(finished)")
      #expect(names.count == 1)
      #expect(sandbox.names(in: sandbox.root) == ["downloads", "home", "streams", "user"])
      #expect(resource.version.content.difference(fromFileAt: sandbox.path(name)) == nil)
      #expect(name.utf8.count <= 255)
      #expect(!["CON", "NUL.txt"].contains(name) && !name.hasSuffix("."), "\(name)")
      let listed = try await sandbox.dray("list")
      for text in [name, finished.text, listed.text] {
        let isSafe = text.unicodeScalars.allSatisfy { scalar in
          scalar == "\n" || scalar == "\r" || scalar == "\t"
            || ![.control, .format].contains(scalar.properties.generalCategory)
        }
        #expect(isSafe, "\(text.debugDescription)")
      }
    }
  }

  @Test("N4 a long name is cut at a character and keeps its extension")
  func longName() async throws {
    try await Sandbox.use { sandbox in
      var resource = Resource(.named("v1", size: 1000))
      resource.disposition =
        "attachment; filename*=UTF-8''" + String(repeating: "%C3%A9", count: 200) + ".iso"
      sandbox.server["/f"] = resource
      expect(try await sandbox.dray("get", sandbox.server.url("/f")), exits: 0)
      let name = try #require(sandbox.names().first)
      #expect(name.hasPrefix("éééé") && name.hasSuffix("é.iso") && name.utf8.count <= 255)
    }
  }

  @Test("a resume never renames, whatever the server says by then")
  func resumeKeepsTheName() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      var resource = Resource(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half)])
      resource.disposition = "attachment; filename=first.bin"
      sandbox.server["/f"] = resource
      let get = ["get", sandbox.server.url("/f")]
      _ = try await sandbox.runHalf(get, gate: gate, bytes: ResumeCase.half, stop: .interrupt)
      sandbox.server.update("/f") { $0.disposition = "attachment; filename=second.bin" }
      let finished = try await sandbox.dray(get)
      expect(finished, exits: 0)
      sandbox.expectFiles(["first.bin": ResumeCase.v1.content], finished)
    }
  }
}
