// `--if-changed`, from the record and from the file's time, against the fault server and against nginx.

import FaultServer
import Foundation
import Testing

@Suite("--if-changed")
struct IfChangedTests {
  private static let version = AnswerCase.version
  private static let next = Version.named("v2", size: 150_000)

  private func inode(_ path: String) throws -> UInt64 {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64)
  }

  @Test(
    "unchanged: exit 0, the file untouched, the job complete, one event; changed: the new version replaces it",
    arguments: ["--if-changed", "-N", "--timestamping"])
  func recorded(option: String) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let get = ["get", option, sandbox.server.url("/f")]
      expect(try await sandbox.dray(get), exits: 0)
      let before = try inode(sandbox.path("f"))
      let again = try await sandbox.dray(get)
      expect(again, exits: 0, saying: "up to date")
      #expect(again.output == sandbox.path("f") + "\n")
      #expect(sandbox.server.requests("/f").last?["If-None-Match"] == "\"v1\"")
      #expect(try inode(sandbox.path("f")) == before)
      #expect(try await sandbox.onlyJob().state == "complete")
      let events = try await sandbox.dray(get + ["--progress", "json"])
      #expect(events.output.contains("\"event\":\"unchanged\""), "\(events)")
      sandbox.server.update("/f") { $0.version = Self.next }
      let finished = try await sandbox.dray(get)
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": Self.next.content], finished)
      #expect(try inode(sandbox.path("f")) != before)
      expect(try await sandbox.dray(get), exits: 0, saying: "up to date")
      #expect(try await sandbox.onlyJob().received == 150_000)
    }
  }

  @Test("a name that only the record knows, a list, and the queue")
  func namedByTheServer() async throws {
    try await Sandbox.use { sandbox in
      var resource = Resource(Self.version)
      resource.disposition = "attachment; filename=named.bin"
      sandbox.server["/get"] = resource
      sandbox.server["/other"] = .init(Self.version)
      let list = "\(sandbox.server.url("/get"))\n\(sandbox.server.url("/other"))\n  out=o.bin\n"
      try sandbox.write(list, to: "../list")
      let get = ["get", "-q", "--if-changed", "-i", "../list"]
      expect(try await sandbox.dray(get), exits: 0)
      expect(try await sandbox.dray(get), exits: 0)
      expect(try await sandbox.dray("add", "--if-changed", "-i", "../list"), exits: 0)
      let run = try await sandbox.dray("run")
      expect(run, exits: 0, saying: "up to date")
      for path in ["/get", "/other"] {
        let asked = sandbox.server.requests(path).map { $0["If-None-Match"] }
        #expect(asked == [nil, "\"v1\"", "\"v1\""], "\(path)")
      }
      sandbox.expectFiles(["named.bin": Self.version.content, "o.bin": Self.version.content], run)
    }
  }

  @Test("a file that dray does not know is compared by its time, under the user's or the server's name")
  func unknown() async throws {
    try await Sandbox.use { sandbox in
      let dated = Answer.normal.with { $0.headers = ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"] }
      sandbox.server["/f"] = .init(Self.version, script: [dated, dated, dated, dated])
      try Self.version.content.write(toFileAt: sandbox.path("f"))
      let url = sandbox.server.url("/f")
      expect(try await sandbox.dray("get", "--if-changed", "-o", "f", url), exits: 0, saying: "up to date")
      #expect(sandbox.server.requests("/f").last?["If-Modified-Since"] != nil)
      #expect(sandbox.server.requests("/f").last?["If-None-Match"] == nil)
      expect(try await sandbox.dray("get", "--if-changed", url), exits: 0, saying: "up to date")
      // A different length, or an older time, means a different version.
      try sandbox.write("old", to: "g")
      sandbox.server["/g"] = .init(Self.version)
      let finished = try await sandbox.dray("get", "--if-changed", sandbox.server.url("/g"))
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": Self.version.content, "g": Self.version.content], finished)
    }
  }

  @Test("an edited file stays if the server's is unchanged, is refused if not, and is replaced only on request")
  func edited() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let get = ["get", "--if-changed", sandbox.server.url("/f")]
      expect(try await sandbox.dray(get), exits: 0)
      try sandbox.write("mine", to: "f")
      for _ in 0..<2 {
        let kept = try await sandbox.dray(get)
        expect(kept, exits: 0, saying: "changed here")
        #expect(kept.errors.contains("--on-conflict overwrite"), "\(kept)")
        #expect(sandbox.server.requests("/f").last?["If-None-Match"] == "\"v1\"")
      }
      let events = try await sandbox.dray(get + ["--progress", "json"])
      #expect(events.output.contains("\"edited\":true"), "\(events)")
      sandbox.server.update("/f") { $0.version = Self.next }
      for _ in 0..<2 { expect(try await sandbox.dray(get), exits: 3, saying: "changed here after it was fetched") }
      #expect(sandbox.read("f") == "mine")
      sandbox.server.update("/f") { $0.version = Self.version }
      expect(try await sandbox.dray(get), exits: 0, saying: "changed here")
      let finished = try await sandbox.dray(get + ["--on-conflict", "overwrite"])
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": Self.version.content], finished)
      // Another time does not make it another file.
      try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: sandbox.path("f"))
      let same = try await sandbox.dray(get)
      expect(same, exits: 0, saying: "up to date")
      #expect(!same.errors.contains("changed here"), "\(same)")
    }
  }

  @Test("a target that somebody changed is left alone")
  func conflict() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let get = ["get", "--if-changed", "-o", "f", sandbox.server.url("/f")]
      expect(try await sandbox.dray(get), exits: 0)
      let gate = Gate()
      sandbox.server.update("/f") { resource in
        resource.script = [.held(by: gate, after: 100_000).with { $0.version = Self.next }]
      }
      let program = try sandbox.start(get)
      try await waitUntil("the new version to come") { sandbox.server.bytesSent("/f") >= 300_000 }
      try sandbox.write("mine", to: "f")
      gate.open()
      expect(try await program.finish(), exits: 3, saying: "it changed")
      #expect(sandbox.read("f") == "mine")
      #expect(sandbox.names().allSatisfy { !sandbox.isPartFile($0) })
    }
  }

  @Test("an interrupted job continues by the resume ladder; an error leaves the file alone")
  func interrupted() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let get = ["get", "--if-changed", "--retries", "0", sandbox.server.url("/f")]
      expect(try await sandbox.dray(get), exits: 0)
      sandbox.server.update("/f") { resource in
        resource.version = Self.next
        resource.script = [.status(503), .cut(after: 100_000), .normal]
      }
      expect(try await sandbox.dray(get), exits: 8)
      #expect(sandbox.read("f") != nil)
      expect(try await sandbox.dray(get), exits: 4)
      let finished = try await sandbox.dray(get)
      expect(finished, exits: 0)
      let last = try #require(sandbox.server.requests("/f").last)
      #expect(last["Range"] == "bytes=34464-" && last["If-None-Match"] == nil)
      sandbox.expectFiles(["f": Self.next.content], finished)
    }
  }

  @Test("a requested digest is checked on the file that stays")
  func digest() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let get = ["get", "--if-changed", sandbox.server.url("/f"), "--checksum"]
      let right = "sha-256=" + Sandbox.sha256(Self.version.content)
      expect(try await sandbox.dray("get", sandbox.server.url("/f")), exits: 0)
      expect(try await sandbox.dray(get + [right]), exits: 0, saying: "up to date")
      let wrong = "sha-256=" + String(repeating: "0", count: 64)
      expect(try await sandbox.dray(get + [wrong]), exits: 9, saying: "up to date, but its digest")
    }
  }

  @Test("nginx answers 304 for real, and Last-Modified is the file's time")
  func nginx() async throws {
    try await Sandbox.use { sandbox in
      let nginx = try await RealServer(.nginx, in: sandbox)
      try Self.version.content.write(toFileAt: nginx.site + "/f")
      let time = Date(timeIntervalSince1970: 1_500_000_000)
      try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: nginx.site + "/f")
      let get = ["get", "--if-changed", nginx.url("/f")]
      expect(try await sandbox.dray(get), exits: 0)
      func modified() throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: sandbox.path("f"))[.modificationDate] as? Date
      }
      #expect(try modified() == time)
      expect(try await sandbox.dray(get), exits: 0, saying: "up to date")
      // nginx writes a line after the last byte was sent.
      try await waitUntil("nginx's log") { nginx.entries.count >= 2 }
      #expect(nginx.entries.map(\.status) == [200, 304])
      // The record is lost: only the time decides, as in wget and curl.
      try FileManager.default.removeItem(atPath: sandbox.home)
      expect(try await sandbox.dray(get + ["-o", "f"]), exits: 0, saying: "up to date")
      // A time alone says little: a HEAD compares the length, too.
      try await waitUntil("nginx's log") { nginx.entries.count >= 4 }
      #expect(nginx.entries.map(\.status) == [200, 304, 304, 200])
      #expect(try modified() == time)
      expect(try await sandbox.dray("get", "--no-mtime", "-o", "now", nginx.url("/f")), exits: 0)
      let now = try FileManager.default.attributesOfItem(atPath: sandbox.path("now"))[.modificationDate] as? Date
      #expect((now ?? time) > time)
    }
  }

  @Test("--no-cache, a field without value, and exclusive options")
  func fields() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let finished = try await sandbox.dray("get", "--no-cache", "-H", "X-Empty;", sandbox.server.url("/f"))
      expect(finished, exits: 0)
      let seen = try #require(sandbox.server.requests("/f").last)
      #expect(seen["Cache-Control"] == "no-cache" && seen["Pragma"] == "no-cache" && seen["X-Empty"] == "")
      #expect(try await sandbox.dray("show", "1").output.contains("X-Empty: (empty)"))
      let url = sandbox.server.url("/f")
      expect(
        try await sandbox.dray("get", "--if-changed", "--on-conflict", "skip", url), exits: 2, saying: "--if-changed")
      expect(try await sandbox.dray("get", "--if-changed", "-o", "-", url), exits: 2, saying: "--if-changed")
    }
  }
}
