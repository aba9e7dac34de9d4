// Objects by every way that names a target: directories, manifests, lists, another bucket, and the commands about jobs.

import FaultServer
import Foundation
import Testing

@Suite("Objects by other ways")
struct ObjectEntryTests {
  private static func page(_ links: [String]) -> Resource {
    let list = links.map { "<li><a href=\"\($0)\">x</a></li>\n" }.joined()
    var resource = Resource(.init(.fixed("<title>Index of /</title><ul>\(list)</ul>".utf8)))
    resource.contentType = "text/html"
    return resource
  }

  @Test("a directory of a server becomes a prefix")
  func tree() async throws {
    try await ObjectCase.use { sandbox, bucket in
      sandbox.server["/d/"] = Self.page(["a.iso", "x/"])
      sandbox.server["/d/x/"] = Self.page(["a.iso", "c.txt"])
      var wanted: [String: Content] = [:]
      for (number, path) in ["a.iso", "x/a.iso", "x/c.txt"].enumerated() {
        let version = Version.named("file \(number)", size: 3000)
        sandbox.server["/d/\(path)"] = .init(version)
        wanted["tree/\(path)"] = version.content
      }
      let finished = try await sandbox.dray(["get", "-r", "-d", "s3://bucket/tree/", sandbox.server.url("/d/")])
      expect(finished, exits: 0)
      bucket.expectObjects(wanted, finished)
      sandbox.expectNoFiles(finished)
    }
  }

  @Test("a manifest names objects, a list names keys below a prefix")
  func manifestsAndLists() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let (one, two) = (ObjectCase.small, Version.named("two", size: 7000))
      sandbox.server["/one"] = .init(one)
      sandbox.server["/two"] = .init(two)
      try sandbox.write(
        "[[file]]\nurl = \"\(sandbox.server.url("/one"))\"\ntarget = \"s3://bucket/set/one\"\n", to: "set.toml")
      let synced = try await sandbox.dray(["sync", "set.toml"])
      expect(synced, exits: 0)
      bucket.expectObjects(["set/one": one.content], synced)
      // The same again has nothing to do.
      let stored = bucket.calls(.put).count
      expect(try await sandbox.dray(["sync", "set.toml"]), exits: 0)
      #expect(bucket.calls(.put).count == stored)

      try sandbox.write("\(sandbox.server.url("/two"))\n  out=below/renamed\n", to: "list")
      let listed = try await sandbox.dray(["get", "-d", "s3://bucket/list/", "-i", "list"])
      expect(listed, exits: 0)
      bucket.expectObjects(["set/one": one.content, "list/below/renamed": two.content], listed)
      // A list cannot name another bucket, nor climb out of the prefix.
      for out in ["s3://other/key", "../climbed"] {
        try sandbox.write("\(sandbox.server.url("/two"))\n  out=\(out)\n", to: "list")
        let refused = try await sandbox.dray(["get", "-d", "s3://bucket/list/", "-i", "list"])
        #expect(refused.status != 0, "\(refused)")
      }
      #expect(bucket.keys == ["set/one", "list/below/renamed"])
    }
  }

  @Test("from one key to another of the same bucket")
  func fromBucket() async throws {
    try await ObjectCase.use { sandbox, bucket in
      bucket.put("source", ObjectCase.v1.content)
      let finished = try await sandbox.dray(["get", "-o", "s3://bucket/copy", "s3://bucket/source"])
      expect(finished, exits: 0)
      bucket.expectObjects(["source": ObjectCase.v1.content, "copy": ObjectCase.v1.content], finished)
    }
  }

  @Test("path, open, show and list name the object; retry fetches it again")
  func commands() async throws {
    try await ObjectCase.use { sandbox, bucket in
      sandbox.server["/f"] = .init(ObjectCase.small)
      let get = ["get", "-o", "s3://bucket/dir/f", sandbox.server.url("/f")]
      expect(try await sandbox.dray(get), exits: 0)
      for command in ["path", "open"] {
        let told = try await sandbox.dray([command, "1"])
        expect(told, exits: 0)
        #expect(told.output == "s3://bucket/dir/f\n", "\(told)")
      }
      expect(try await sandbox.dray(["show", "1"]), exits: 0, saying: "s3://bucket/dir/f")
      expect(try await sandbox.dray(["list"]), exits: 0)
      expect(try await sandbox.dray(["list", "--json"]), exits: 0, saying: "s3://bucket/dir/f")
      expect(try await sandbox.dray(["show", "1", "--json"]), exits: 0)
    }
  }

  @Test(
    "what is no place for an object is refused before anything is sent",
    arguments: [
      "s3://", "s3://b", "s3:///key", "s3://Bucket/key", "s3://bucket/", "s3://bucket/a/../b", "s3://bucket//a",
      "s3:/bucket/key", "S3:bucket", "gs://bucket/key", "s3://user@bucket/key",
    ])
  func refused(_ target: String) async throws {
    try await ObjectCase.use { sandbox, bucket in
      sandbox.server["/f"] = .init(ObjectCase.small)
      let finished = try await sandbox.dray(["get", "-o", target, sandbox.server.url("/f")])
      if target == "S3:bucket" {
        // A file may have this name.
        #expect(finished.status == 0 || finished.status == 2, "\(finished)")
      } else {
        expect(finished, exits: 2)
        #expect(sandbox.server.requests.isEmpty && bucket.calls.isEmpty)
        sandbox.expectNoFiles(finished)
      }
    }
  }

  @Test("two programs race for one key: the object is one of the two, and whoever reports success has proved it")
  func race() async throws {
    for version in [ObjectCase.small, ObjectCase.v1] {
      try await ObjectCase.use { sandbox, bucket in
        let versions = [version, Version.named("other", size: version.content.size)]
        var programs: [RunningProgram] = []
        for (number, version) in versions.enumerated() {
          sandbox.server["/\(number)"] = .init(version)
          programs.append(
            try sandbox.start(["get", "-o", "s3://bucket/f", sandbox.server.url("/\(number)")]) {
              $0.environment["DRAY_HOME"] = sandbox.root + "/user/home-\(number)"
            })
        }
        var exits: [Int32?] = []
        for program in programs { exits.append(try await program.finish().status) }
        let winners = versions.indices.filter { exits[$0] == 0 }
        #expect(winners.count == 1, "\(exits)")
        #expect(exits.contains(3), "\(exits)")
        if let winner = winners.first { #expect(bucket.has("f", versions[winner].content), "\(exits)") }
      }
    }
  }
}
