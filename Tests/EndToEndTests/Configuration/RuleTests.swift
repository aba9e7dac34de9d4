// The [[rule]] sections of the configuration.

import FaultServer
import Foundation
import Testing

@Suite("Rules")
struct RuleTests {
  static let version = Version.named("v1", size: 1000)

  @Test("a rule chooses directory and limits of new jobs; the command line overrides it, and config check explains it")
  func rules() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      for name in ["a.iso", "b.txt"] { server["/" + name] = .init(Self.version) }
      let file = sandbox.downloads + "/config.toml"
      let text = """
        [[rule]]
        name = "*.iso"
        dir = "\(sandbox.downloads)/images"
        limit-rate = "500k"

        [[rule]]
        type = "text/*"
        min-size = "1G"
        dir = "/nowhere"
        [host."\(server.url("/").dropLast())"]
        header = "X-Key: geheim"
        """
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      // Its header may be a secret.
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      let config = ["--config", file]
      expect(try await sandbox.dray(["get"] + config + [server.url("/a.iso"), server.url("/b.txt")]), exits: 0)
      let files = FileManager.default
      #expect(files.fileExists(atPath: sandbox.downloads + "/images/a.iso"))
      #expect(files.fileExists(atPath: sandbox.downloads + "/b.txt"))
      expect(try await sandbox.dray("show", "1"), exits: 0, saying: "500 KiB/s")
      expect(try await sandbox.dray(["get", "-d", "here"] + config + [server.url("/a.iso")]), exits: 0)
      #expect(files.fileExists(atPath: sandbox.downloads + "/here/a.iso"))

      let checked = try await sandbox.dray(["config", "check"] + config + [server.url("/a.iso")])
      expect(checked, exits: 0, saying: "config.toml:1: matches: name *.iso")
      #expect(checked.output.contains("dir = \(sandbox.downloads)/images"))
      #expect(checked.output.contains("[host] sections set header X-Key"), "\(checked)")
      let other = try await sandbox.dray(["config", "check"] + config + [server.url("/b.txt")])
      expect(other, exits: 0, saying: "waits for the server's answer: min-size 1G")
      let assumed = ["config", "check", "--assume-size", "2G"] + config + [server.url("/b.txt")]
      expect(try await sandbox.dray(assumed), exits: 0, saying: "dir = /nowhere")
      expect(try await sandbox.dray(["config", "show"] + config), exits: 0, saying: "[rule 2] min-size")
    }
  }

  @Test("a rule puts new jobs into a queue, and into its directory; the command line and a list override it")
  func queue() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      for name in ["a.iso", "b.txt", "c.iso", "d.iso"] { server["/" + name] = .init(Self.version) }
      let file = sandbox.downloads + "/config.toml"
      try Data("[[rule]]\nname = '*.iso'\nqueue = 'images'\n".utf8).write(to: URL(fileURLWithPath: file))
      let list = sandbox.downloads + "/list.txt"
      try Data("\(server.url("/d.iso"))\n  queue=films\n".utf8).write(to: URL(fileURLWithPath: list))
      expect(try await sandbox.dray("queue", "set", "images", "--directory", "images"), exits: 0)
      expect(try await sandbox.dray("queue", "set", "films", "--directory", "films"), exits: 0)
      let add = ["add", "--config", file]
      expect(try await sandbox.dray(add + [server.url("/a.iso"), server.url("/b.txt")]), exits: 0)
      expect(try await sandbox.dray(add + ["-d", "here", server.url("/a.iso")]), exits: 0)
      expect(try await sandbox.dray(add + ["--queue", "films", server.url("/c.iso")]), exits: 0)
      expect(try await sandbox.dray(add + ["-i", list]), exits: 0)
      let listed = try await sandbox.dray("list", "--json")
      let json = try JSONSerialization.jsonObject(with: Data(listed.output.utf8))
      let jobs = try #require(json as? [[String: Any]], "\(listed)").sorted {
        ($0["id"] as? Int ?? 0) < ($1["id"] as? Int ?? 0)
      }
      #expect(jobs.map { $0["queue"] as? String } == ["images", nil, "images", "films", "films"], "\(listed)")
      expect(try await sandbox.dray("run", "-q"), exits: 0)
      for place in ["images/a.iso", "b.txt", "here/a.iso", "films/c.iso", "d.iso"] {
        #expect(FileManager.default.fileExists(atPath: sandbox.path(place)), "\(place)")
      }
      let checked = try await sandbox.dray("config", "check", "--config", file, server.url("/a.iso"))
      expect(checked, exits: 0, saying: "queue = images")
    }
  }

  @Test("a rule about a type or size that only the answer tells applies before the file is named, and the job is found")
  func decidedByTheAnswer() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      for name in ["/film", "/page"] { server[name] = .init(Self.version) }
      server["/film"]?.contentType = "video/mp4"
      server["/large"] = .init(Version.named("v2", size: 700_000))
      let file = sandbox.downloads + "/config.toml"
      let text = """
        [[rule]]
        type = "video/*"
        dir = "\(sandbox.downloads)/videos"

        [[rule]]
        min-size = "500k"
        dir = "\(sandbox.downloads)/large"
        queue = "slow"
        max-connections = 1
        """
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      expect(try await sandbox.dray("queue", "set", "slow", "--jobs", "1"), exits: 0)
      let get = ["get", "--config", file] + ["/film", "/page", "/large"].map(server.url)
      expect(try await sandbox.dray(get), exits: 0)
      for place in ["videos/film", "page", "large/large"] {
        #expect(FileManager.default.fileExists(atPath: sandbox.path(place)), "\(place)")
      }
      let listed = try await sandbox.dray("list", "--json")
      let json = try JSONSerialization.jsonObject(with: Data(listed.output.utf8))
      let jobs = try #require(json as? [[String: Any]], "\(listed)")
      let queues = jobs.sorted { ($0["id"] as? Int ?? 0) < ($1["id"] as? Int ?? 0) }.map { $0["queue"] as? String }
      #expect(queues == [nil, nil, "slow"], "\(listed)")
      // No part file is left, and the same downloads are known.
      let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.downloads).filter { $0.hasSuffix(".part") }
      #expect(left.isEmpty)
      expect(try await sandbox.dray(get), exits: 0, saying: "already complete")
    }
  }

  @Test(
    "an invalid rule stops every command, and names its line",
    arguments: [
      ("[[rule]]\ndir = '/x'\n", "config.toml:1"), ("[[rule]]\nname = '*'\n", "does nothing"),
      ("[[rule]]\nname = '*'\ndirr = '/x'\n", "did you mean dir?"), ("[rule]\nname = '*'\n", "write [[rule]]"),
      ("quiet = true\nrule = []\n", "config.toml:2: rules are sections: write each as [[rule]]"),
      ("[[rule]]\nname = '*'\ndir = 'x'\n", "config.toml:3: dir"),
      ("[[rule]]\nmin-size = '1G'\nmax-time = '9'\n", "max-time counts from the request"),
    ])
  func bad(text: String, says: String) async throws {
    try await Sandbox.use { sandbox in
      let file = sandbox.downloads + "/config.toml"
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      expect(try await sandbox.dray("add", "--config", file, sandbox.server.url("/f")), exits: 2, saying: says)
      expect(try await sandbox.dray("config", "check", "--config", file), exits: 2, saying: says)
    }
  }
}
