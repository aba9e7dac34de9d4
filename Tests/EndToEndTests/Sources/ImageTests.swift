// `oci:` and `ollama:`: images and models by name, with skopeo as the judge.

import Foundation
import TestSupport
import Testing

@Suite("Images of registries by name", .needs(.programs("python3", "skopeo", "docker-registry")))
struct ImageTests {
  private func files(below path: String) -> Set<String> {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return Set(names.filter { FileManager.default.contents(atPath: "\(path)/\($0)") != nil })
  }

  private func skopeo(_ sandbox: Sandbox, _ arguments: String...) async throws -> Finished {
    try await sandbox.launch(try toolPath("skopeo"), ["--insecure-policy"] + arguments).finish(seconds: 60)
  }

  /// The tags in the index of a layout.
  private func tags(_ layout: String) throws -> [String] {
    let data = try Data(contentsOf: URL(fileURLWithPath: layout + "/index.json"))
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    return try #require(root["manifests"] as? [[String: Any]]).compactMap {
      ($0["annotations"] as? [String: String])?["org.opencontainers.image.ref.name"]
    }
  }

  @Test("tokens expire in the middle of the queue; skopeo reads the layout; again, nothing is fetched")
  func layout() async throws {
    try await Sandbox.use { sandbox in
      let registry = try await Registry(in: sandbox, life: 1, pause: 0.7)
      let name = "oci:\(registry.host)/org/app:1"
      let layout = sandbox.downloads + "/image"
      expect(
        try await registry.dray(sandbox, "get", "-j", "1", "-d", "image", "--platform", "linux/amd64", name), exits: 0)
      #expect(files(below: layout).count == 7)
      #expect(try tags(layout) == ["1"])
      let tokens = try registry.requests.filter { $0.path.hasPrefix("/token") }.count
      #expect((2...12).contains(tokens))
      expect(
        try await skopeo(sandbox, "copy", "oci:\(layout):1", "docker-archive:\(sandbox.root)/user/a.tar"), exits: 0)
      let state = files(below: sandbox.home).compactMap {
        FileManager.default.contents(atPath: "\(sandbox.home)/\($0)")
      }
      #expect(
        !state.contains { $0.range(of: Data("s3cret".utf8)) != nil || $0.range(of: Data("YW5uOnMz".utf8)) != nil })

      let before = try registry.sent
      expect(try await registry.dray(sandbox, "get", "-d", "image", "--platform", "linux/amd64", name), exits: 0)
      #expect(try registry.sent == before)

      // The other platform shares layers, and takes the place of its tag.
      expect(try await registry.dray(sandbox, "get", "-d", "image", "--platform", "linux/arm64", name), exits: 0)
      #expect(files(below: layout).count == 10)
      #expect(try tags(layout) == ["1"])
      expect(
        try await skopeo(sandbox, "copy", "oci:\(layout):1", "docker-archive:\(sandbox.root)/user/b.tar"), exits: 0)
    }
  }

  @Test("two images that share all blobs, both added before any blob is there; a damaged blob is fetched again")
  func shared() async throws {
    try await Sandbox.use { sandbox in
      let registry = try await Registry(in: sandbox)
      let names = ["org/app:1", "open/app:1"].map { "oci:\(registry.host)/\($0)" }
      let layout = sandbox.downloads + "/image"
      for name in names {
        expect(
          try await registry.dray(sandbox, "add", "-d", "image", "--platform", "linux/amd64", name), exits: 0)
      }
      expect(try await registry.dray(sandbox, "run"), exits: 0)
      #expect(files(below: layout).count == 7)
      let tags = try tags(layout)
      #expect(Set(tags) == ["1", "\(registry.host)/open/app:1"])
      for tag in tags {
        let copy = try await skopeo(
          sandbox, "copy", "oci:\(layout):\(tag)", "docker-archive:\(sandbox.root)/user/\(tag.count).tar")
        expect(copy, exits: 0)
      }
      // The index is written again, and only the damaged blob is fetched.
      let before = try registry.sent
      let blobs = "\(layout)/blobs/sha256"
      let largest = try #require(
        try FileManager.default.contentsOfDirectory(atPath: blobs).max { one, other in
          (FileManager.default.contents(atPath: "\(blobs)/\(one)")?.count ?? 0)
            < (FileManager.default.contents(atPath: "\(blobs)/\(other)")?.count ?? 0)
        })
      var bytes = try #require(FileManager.default.contents(atPath: "\(blobs)/\(largest)"))
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: URL(fileURLWithPath: "\(blobs)/\(largest)"))
      try FileManager.default.removeItem(atPath: layout + "/index.json")
      let again = try await registry.dray(
        sandbox, "get", "-d", "image", "--platform", "linux/amd64", names[0], names[1])
      expect(again, exits: 0, saying: "does not match its digest")
      #expect((bytes.count...(bytes.count + 65_536)).contains(try registry.sent - before))
      #expect(try self.tags(layout).count == 2)
    }
  }

  @Test("another name of an image that is there is added to the index", arguments: [false, true])
  func named(isCleaned: Bool) async throws {
    try await Sandbox.use { sandbox in
      let registry = try await Registry(in: sandbox)
      for repository in ["org/app", "open/app"] {
        let name = "oci:\(registry.host)/\(repository):1"
        expect(try await registry.dray(sandbox, "get", "-d", "image", "--platform", "linux/amd64", name), exits: 0)
        if isCleaned { expect(try await sandbox.dray("clean"), exits: 0) }
      }
      #expect(try registry.requests.allSatisfy { !$0.path.contains("/open/app/blobs/") })
      #expect(try Set(tags(sandbox.downloads + "/image")) == ["1", "\(registry.host)/open/app:1"])
    }
  }

  @Test("P3: a removed image leaves the layers that another one waits for; a layer that is removed itself is missed")
  func removed() async throws {
    try await Sandbox.use { sandbox in
      let registry = try await Registry(in: sandbox)
      let layout = sandbox.downloads + "/image"
      for platform in ["linux/amd64", "linux/arm64"] {
        let name = "oci:\(registry.host)/\(platform == "linux/amd64" ? "org" : "open")/app:1"
        let added = try await registry.dray(sandbox, "add", "-d", "image", "--platform", platform, name)
        expect(added, exits: 0)
      }
      // Both have two layers in common.
      expect(try await sandbox.dray("remove", "g1"), exits: 0, saying: "2 jobs stay, because other images")
      expect(try await registry.dray(sandbox, "run"), exits: 0)
      #expect(try tags(layout) == ["1"])
      #expect(files(below: layout).count == 7)

      let name = "oci:\(registry.host)/open/app:1"
      let other = ["-d", "other", "--platform", "linux/amd64", name]
      expect(try await sandbox.start(["add"] + other).finish(), exits: 0)
      let jobs = try await sandbox.jobs().filter { $0.state == "queued" }
      expect(try await sandbox.dray("remove", "\(try #require(jobs.first).id)"), exits: 0)
      expect(try await sandbox.dray("run"), exits: 0, saying: "open/app:1 is not complete")
      #expect(!FileManager.default.fileExists(atPath: sandbox.downloads + "/other/index.json"))
      expect(try await sandbox.start(["get"] + other).finish(), exits: 0)
      #expect(try tags(sandbox.downloads + "/other") == ["1"])
    }
  }

  @Test("P3: nothing stays of images that are removed together, nor jobs that are named", arguments: [false, true])
  func removedTogether(byID: Bool) async throws {
    try await Sandbox.use { sandbox in
      let registry = try await Registry(in: sandbox)
      for platform in ["linux/amd64", "linux/arm64"] {
        let name = "oci:\(registry.host)/\(platform == "linux/amd64" ? "org" : "open")/app:1"
        let added = try await registry.dray(sandbox, "add", "-d", "image", "--platform", platform, name)
        expect(added, exits: 0)
      }
      let jobs = try await sandbox.jobs()
      let own = jobs.filter { $0.group?.id == 1 }
      let finished = try await sandbox.dray(["remove", "g1"] + (byID ? own.map { "\($0.id)" } : ["g2"]))
      expect(finished, exits: 0, saying: "\(byID ? own.count : jobs.count) jobs removed")
      #expect(!finished.text.contains("stay"), "\(finished)")
      #expect(try await sandbox.jobs().count == (byID ? jobs.count - own.count : 0))
    }
  }

  @Test("an identity token, no account, and a platform that there is not")
  func accounts() async throws {
    try await Sandbox.use { sandbox in
      let registry = try await Registry(in: sandbox)
      let name = "oci:\(registry.host)/org/app:1"
      let identity = "\"identitytoken\": \"identity\""
      let info = try await registry.dray(sandbox, "info", "--platform", "linux/arm64", name, account: identity)
      expect(info, exits: 0, saying: "blobs/sha256/")
      let none = try await registry.dray(sandbox, "get", "--platform", "linux/amd64", name, account: "")
      expect(none, exits: 6, saying: "docker login")
      let windows = try await registry.dray(sandbox, "get", "--platform", "windows/amd64", name)
      expect(windows, exits: 2, saying: "available: linux/amd64, linux/arm64")
    }
  }

  @Test("killed in the middle: the index appears at the end")
  func killed() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let registry = try await Registry(in: sandbox)
      let layout = sandbox.downloads + "/slow"
      let arguments = ["get", "-d", "slow", "oci:\(registry.host)/open/slow:1"]
      let program = try sandbox.start(arguments)
      try await program.wait(for: "2 MiB") {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: layout + "/blobs/sha256")) ?? []
        return names.contains { name in
          var info = stat()
          return stat("\(layout)/blobs/sha256/\(name)", &info) == 0 && info.st_blocks * 512 > 2 << 20
        }
      }
      try await program.kill9()
      #expect(!FileManager.default.fileExists(atPath: layout + "/index.json"))
      expect(try await sandbox.start(arguments).finish(seconds: 60), exits: 0)
      #expect(try tags(layout) == ["1"])
      expect(try await skopeo(sandbox, "copy", "oci:\(layout)", "docker-archive:\(sandbox.root)/user/a.tar"), exits: 0)
    }
  }

  @Test("registries that lie", arguments: ["manifest", "size", "layer"])
  func lies(tag: String) async throws {
    try await Sandbox.use { sandbox in
      let registry = try await Registry(in: sandbox)
      let finished = try await registry.dray(
        sandbox, "get", "--retries", "0", "-d", "x", "oci:\(registry.host)/open/liar:\(tag)")
      #expect(finished.exit != .code(0), "\(finished)")
      #expect(!FileManager.default.fileExists(atPath: sandbox.downloads + "/x/index.json"))
    }
  }

  @Test("a model goes where Ollama looks, its manifest last")
  func model() async throws {
    try await Sandbox.use { sandbox in
      let registry = try await Registry(in: sandbox)
      let models = sandbox.root + "/user/models"
      let name = "ollama:\(registry.host)/library/m"
      let program = try sandbox.start(["get", name]) { $0.environment["OLLAMA_MODELS"] = models }
      expect(try await program.finish(), exits: 0)
      let manifest = "manifests/\(registry.host)/library/m/latest"
      let found = files(below: models)
      #expect(found.contains(manifest) && found.filter { $0.hasPrefix("blobs/sha256-") }.count == 3)
      sandbox.expectNoFiles()
    }
  }

  @Test("Debian's registry: an image in Docker's format, there and back")
  func debian() async throws {
    try await Sandbox.use { sandbox in
      let (registry, debian) = (try await Registry(in: sandbox), try await DebianRegistry(in: sandbox))
      let layout = sandbox.downloads + "/one"
      expect(try await registry.dray(sandbox, "get", "-d", "one", "oci:\(registry.host)/org/docker:1"), exits: 0)
      let push = try await skopeo(
        sandbox, "copy", "--preserve-digests", "--dest-tls-verify=false", "oci:\(layout)",
        "docker://\(debian.host)/team/app:2")
      expect(push, exits: 0)
      expect(try await sandbox.start(["get", "-d", "two", "oci:\(debian.host)/team/app:2"]).finish(), exits: 0)
      let (one, two) = (files(below: layout), files(below: sandbox.downloads + "/two"))
      #expect(one == two)
      #expect(try tags(sandbox.downloads + "/two") == ["2"])
    }
  }
}
