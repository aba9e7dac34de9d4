// `hf:`: repositories by their names, into a directory and into the cache of the official client.

import Foundation
import TestSupport
import Testing

@Suite("Files of Hugging Face by name")
struct HuggingFaceTests {
  /// The paths in every repository of the hub.
  static let paths: Set<String> = [
    ".gitattributes", "README.md", "a/__init__.py", "b/__init__.py", "config.json", "dir/weights 1.bin",
    "model.safetensors",
  ]

  private func files(below path: String) -> Set<String> {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return Set(names.filter { FileManager.default.contents(atPath: "\(path)/\($0)") != nil })
  }

  @Test("a tree below a directory: no HEAD, one call of the API for the revision, and the pages")
  func tree() async throws {
    try await Sandbox.use { sandbox in
      let hub = try await Hub(in: sandbox)
      expect(try await hub.dray(sandbox, "get", "-d", "model", "hf:org/model@v1"), exits: 0)
      #expect(files(below: sandbox.downloads + "/model") == Self.paths)
      let requests = try hub.requests
      #expect(requests.allSatisfy { $0.method == "GET" })
      #expect(requests.filter { $0.path.hasPrefix("/api/") }.count == 4)
      // Again: nothing is fetched.
      let before = try hub.sent
      expect(try await hub.dray(sandbox, "get", "-d", "model", "hf:org/model@v1"), exits: 0)
      #expect(try hub.sent == before)
      let one = try await hub.dray(sandbox, "get", "-d", "one", "hf:datasets/org/data/dir/weights 1.bin")
      expect(one, exits: 0)
      #expect(files(below: sandbox.downloads + "/one") == ["dir/weights 1.bin"])
    }
  }

  @Test("killed in the middle, another node of the content network continues")
  func killed() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let hub = try await Hub(in: sandbox)
      let arguments = ["get", "-d", "slow", "hf:slow/model/model.safetensors"]
      let program = try sandbox.start(arguments) { $0.environment.merge(hub.environment(sandbox)) { $1 } }
      let part = sandbox.downloads + "/slow"
      try await program.wait(for: "4 MiB", every: 0.1) { try await sandbox.kept() > 4 << 20 }
      try await program.kill9()
      let kept = Int(try await sandbox.kept())
      let finished = try await sandbox.start(arguments) { $0.environment.merge(hub.environment(sandbox)) { $1 } }
        .finish(seconds: 60)
      expect(finished, exits: 0)
      let size = 12 << 20
      #expect(try FileManager.default.attributesOfItem(atPath: part + "/model.safetensors")[.size] as? Int == size)
      let nodes = try hub.requests.filter { $0.server == "cdn" }
      #expect(Set(nodes.map(\.path)).count == 2)
      #expect(nodes.last.map { $0.sent <= size - kept + Int(Joint.overlap) } == true, "\(kept) kept, \(nodes)")
    }
  }

  @Test("many small files: pages of 1,000 and one request a file, each compared with git's digest")
  func many() async throws {
    try await Sandbox.use { sandbox in
      let (hub, count) = (try await Hub(in: sandbox), 1200)
      expect(try await hub.dray(sandbox, "get", "-q", "-d", "many", "hf:many/model"), exits: 0)
      let found = files(below: sandbox.downloads + "/many").filter { $0.hasSuffix(".json") }
      #expect(found.count == count)
      let text = try String(contentsOfFile: sandbox.downloads + "/many/d3/0010.json", encoding: .utf8)
      #expect(text == "{\"n\": 10}\n")
      let requests = try hub.requests
      #expect(requests.filter { $0.path.hasPrefix("/api/") }.count <= count / 1000 + 5)
      #expect(requests.filter { $0.path.contains("/resolve/") }.count == count)
      #expect(requests.allSatisfy { $0.method == "GET" })
      #expect(try await sandbox.jobs().allSatisfy { $0.digest?.hasPrefix("git-sha1=") ?? false })
    }
  }

  @Test("a link that expires every two seconds, also in the middle of its file")
  func expiring() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let (hub, size) = (try await Hub(in: sandbox), 8 << 20)
      let finished = try await sandbox.start(
        ["get", "--retry-wait", "0.05", "-d", "expiring", "hf:expiring/model/model.safetensors"]
      ) { $0.environment.merge(hub.environment(sandbox)) { $1 } }.finish(seconds: 60)
      expect(finished, exits: 0)
      let path = sandbox.downloads + "/expiring/model.safetensors"
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == size)
      let links = Set(try hub.requests.filter { $0.server == "cdn" }.map(\.path))
      let sent = try hub.sent
      // The hub gives a new link each time. The bytes fetched so far are kept, and only an overlap is fetched again.
      #expect(links.count > 1, "\(finished)")
      #expect(sent <= size + links.count * 2 * Int(Joint.overlap), "\(sent) bytes, \(links.count) links: \(finished)")
    }
  }

  @Test(
    "lies are refused, each with what is wrong",
    arguments: [
      ("size", "README.md", 9), ("path", "../escaped", 7), ("absolute", "/tmp/escaped", 7), ("digest", "digest", 9),
      ("git", "digest", 9), ("commit", "not a commit", 7), ("loop", "circle", 7), ("twice", "twice", 7),
      ("linked", "X-Linked-Etag", 9),
    ])
  func lies(lie: String, words: String, status: Int) async throws {
    try await Sandbox.use { sandbox in
      let hub = try await Hub(in: sandbox)
      let finished = try await hub.dray(sandbox, "get", "-d", "lie", "hf:lie/\(lie)")
      expect(finished, exits: Int32(status), saying: words)
      #expect(!FileManager.default.fileExists(atPath: sandbox.downloads + "/escaped"))
    }
  }

  @Test("tokens go to the hub only, and are nowhere in the store")
  func tokens() async throws {
    try await Sandbox.use { sandbox in
      let hub = try await Hub(in: sandbox)
      expect(try await hub.dray(sandbox, "get", "hf:secret/model"), exits: 6, saying: "hf auth login")
      expect(try await hub.dray(sandbox, "get", "-d", "x", "hf:gate/model"), exits: 6, saying: "accept the terms")
      expect(try await hub.dray(sandbox, "get", "-d", "y", "hf:secret/model", token: "hf_good"), exits: 0)
      #expect(files(below: sandbox.downloads + "/y") == Self.paths)
      let requests = try hub.requests
      #expect(requests.contains { $0.authorization == "Bearer hf_good" && $0.path.contains("/resolve/") })
      #expect(requests.allSatisfy { $0.server == "hub" || $0.authorization == nil })
      let database = try Data(contentsOf: URL(fileURLWithPath: sandbox.home + "/dray.sqlite"))
      let log = (try? Data(contentsOf: URL(fileURLWithPath: sandbox.home + "/dray.sqlite-wal"))) ?? Data()
      #expect((database + log).range(of: Data("hf_good".utf8)) == nil)
    }
  }

  @Test("a manifest fills a cache, and makes its links again")
  func manifest() async throws {
    try await Sandbox.use { sandbox in
      let hub = try await Hub(in: sandbox)
      try sandbox.write(
        "[[source]]\nname = \"hf:org/model@v1\"\ndir = \"cache\"\nhf-cache = true\n", to: "set.toml")
      expect(try await hub.dray(sandbox, "sync", "set.toml"), exits: 0)
      let home = sandbox.downloads + "/cache/models--org--model"
      let commit = try #require(try FileManager.default.contentsOfDirectory(atPath: home + "/snapshots").first)
      #expect(files(below: "\(home)/snapshots/\(commit)") == Self.paths)
      #expect(try String(contentsOfFile: home + "/refs/v1", encoding: .utf8) == commit)
      let before = try hub.requests.filter { $0.path.contains("/resolve/") }.count
      try FileManager.default.removeItem(atPath: home + "/snapshots")
      expect(try await hub.dray(sandbox, "sync", "set.toml"), exits: 0, saying: "up to date")
      #expect(files(below: "\(home)/snapshots/\(commit)") == Self.paths)
      #expect(try hub.requests.filter { $0.path.contains("/resolve/") }.count == before)
    }
  }

  @Test(
    "a new revision has the files that it shares with the old one, also when their jobs are forgotten",
    arguments: [false, true])
  func revisions(isCleaned: Bool) async throws {
    try await Sandbox.use { sandbox in
      let hub = try await Hub(in: sandbox)
      expect(try await hub.dray(sandbox, "get", "--hf-cache", "-d", "cache", "hf:org/model@v1"), exits: 0)
      if isCleaned { expect(try await sandbox.dray("clean"), exits: 0) }
      let before = try hub.requests.count { $0.path.contains("/resolve/") }
      for _ in 0..<2 {
        expect(try await hub.dray(sandbox, "get", "--hf-cache", "-d", "cache", "hf:org/model@v2"), exits: 0)
        let home = sandbox.downloads + "/cache/models--org--model"
        let commit = try String(contentsOfFile: home + "/refs/v2", encoding: .utf8)
        #expect(files(below: "\(home)/snapshots/\(commit)") == Self.paths)
      }
      #expect(try hub.requests.count { $0.path.contains("/resolve/") } == before + 1)
    }
  }

  @Test("an exported job keeps its source and its links")
  func exported() async throws {
    try await Sandbox.use { sandbox in
      let hub = try await Hub(in: sandbox)
      expect(try await hub.dray(sandbox, "add", "--hf-cache", "-d", "cache", "hf:org/model@v1/README.md"), exits: 0)
      let export = try await hub.dray(sandbox, "export")
      expect(export, exits: 0)
      #expect(export.output.contains("\"source\":{\"name\":\"hf:org/model@v1/README.md\",\"pinned\":"), "\(export)")
      try sandbox.write(export.output, to: "jobs.jsonl")
      expect(try await hub.dray(sandbox, "remove", "1"), exits: 0)
      expect(try await hub.dray(sandbox, "import", "jobs.jsonl"), exits: 0)
      expect(try await hub.dray(sandbox, "run"), exits: 0)
      let snapshots = sandbox.downloads + "/cache/models--org--model/snapshots"
      let commit = try #require(try FileManager.default.contentsOfDirectory(atPath: snapshots).first)
      #expect(files(below: "\(snapshots)/\(commit)") == ["README.md"])
    }
  }

  @Test("a repository that is refused is told once, with what helps; so is a list")
  func refused() async throws {
    try await Sandbox.use { sandbox in
      let hub = try await Hub(in: sandbox)
      let page = hub.url + "/gate/model"
      for (token, says) in [
        (nil, "accept the terms on \(page), then set HF_TOKEN"),
        ("hf_other", "accept the terms on \(page) with the account of the token"),
      ] {
        let finished = try await hub.dray(sandbox, "get", "-d", token ?? "none", "hf:gate/model", token: token)
        expect(finished, exits: 6, saying: says)
        #expect(finished.text.components(separatedBy: "accept the terms").count == 2, "\(finished)")
        #expect(finished.text.contains("7 failed"), "\(finished)")
      }
      let unknown = try await hub.dray(sandbox, "get", "hf:secret/model", token: "hf_other")
      expect(unknown, exits: 6, saying: "the token has no access to it")
      #expect(!unknown.text.contains("set HF_TOKEN"), "\(unknown)")
      let list = try sandbox.write("# models\nhf:org/none\n", to: "list")
      expect(try await hub.dray(sandbox, "get", "-i", list), exits: 6, saying: "list:2: hf:org/none: 401")
    }
  }

  @Test("names that are not there: advice that leads on")
  func advice() async throws {
    try await Sandbox.use { sandbox in
      let hub = try await Hub(in: sandbox)
      for (words, status, says) in [
        (["get", "hf:org/model/*.bin"], 8, "hf:org/model --include '*.bin'"),
        (["get", "hf:org/model@feature/x"], 8, "written %2F: hf:org/model@feature%2Fx"),
        (["info", "--include", "*.zip", "hf:org/model"], 2, "no file matches --include"),
        (["get", "nosuch:x"], 2, "names begin with hf:, gh:, oci:"),
        (["get", "-r", "hf:org/model"], 2, "a name already stands for all its files; omit -r"),
        (["get", "hf:org/model", "hf:datasets/org/data"], 3, "two of these files have this path"),
      ] as [([String], Int32, String)] {
        let finished = try await sandbox.start(words) { $0.environment.merge(hub.environment(sandbox)) { $1 } }.finish()
        expect(finished, exits: status, saying: says)
      }
      // Nothing listens at this address: dray info says so at once, without trying again.
      let away = try await sandbox.start(["info", "hf:org/model"]) {
        $0.environment["HF_ENDPOINT"] = "http://127.0.0.1:1"
      }.finish()
      expect(away, exits: 4, saying: "refused the connection")
      #expect(away.errors.contains("dray: hf:"), "\(away)")
      #expect(!away.text.contains("trying again"), "\(away)")
    }
  }

  @Test("the files of the cache have the names of the repository, and the snapshot is printed once")
  func titles() async throws {
    try await Sandbox.use { sandbox in
      let hub = try await Hub(in: sandbox)
      for round in 0..<2 {
        let finished = try await hub.dray(sandbox, "get", "--hf-cache", "--print-path", "hf:org/model")
        expect(finished, exits: 0)
        let lines = finished.output.split(separator: "\n")
        #expect(lines.count == 1 && lines[0].contains("/models--org--model/snapshots/"), "\(round): \(finished)")
        #expect(round > 0 || finished.errors.contains("model.safetensors: complete"), "\(finished)")
      }
      let one = try await hub.dray(sandbox, "get", "--hf-cache", "--print-path", "hf:org/model/config.json")
      expect(one, exits: 0)
      #expect(one.output.hasSuffix("/config.json\n"), "\(one)")
      let list = try await sandbox.dray("list", "--all-files", "--all")
      expect(list, exits: 0, saying: "model.safetensors")
      let group = try await sandbox.dray("show", "g1")
      expect(group, exits: 0, saying: "dir/weights 1.bin")
    }
  }

  @Test("a terminal shows which name is looked up until it is; -q shows nothing", arguments: [false, true])
  func waiting(isQuiet: Bool) async throws {
    try await Sandbox.use { sandbox in
      let hub = try await Hub(in: sandbox)
      let terminal = try PseudoTerminal()
      let program = try sandbox.start((isQuiet ? ["get", "-q"] : ["get"]) + ["-d", "w", "hf:wait/model"]) {
        $0.environment.merge(hub.environment(sandbox)) { $1 }
        $0.terminal = terminal.path
      }
      #expect(try await program.finish(on: terminal, seconds: 30) == .code(0))
      #expect(terminal.text.contains("looking up hf:wait/model") == !isQuiet, "\(terminal.text.debugDescription)")
      #expect(!terminal.screen.text.contains("looking up"), "\(terminal.screen.text)")
      #expect(!isQuiet || terminal.text.isEmpty, "\(terminal.text.debugDescription)")
      // Nothing of this is printed into a pipe.
      let piped = try await hub.dray(sandbox, "info", "--json", "hf:wait/model")
      expect(piped, exits: 0)
      #expect(piped.errors.isEmpty, "\(piped)")
    }
  }

  private static let judgement = """
    import json, os, subprocess, sys
    from huggingface_hub import scan_cache_dir, snapshot_download
    place = snapshot_download("org/model", local_files_only=True)
    found = scan_cache_dir()
    assert not found.warnings, found.warnings
    (repository,) = found.repos
    (revision,) = repository.revisions
    assert revision.refs == {"main"}, revision.refs
    names = sorted(os.path.relpath(os.path.join(root, name), place) for root, _, names in os.walk(place) for name in names)
    links = [os.readlink(os.path.join(place, name)) for name in names]
    assert all(link.startswith("../") for link in links), links
    hf = os.path.join(os.path.dirname(sys.executable), "hf")
    verified = subprocess.run([hf, "cache", "verify", "org/model", "--fail-on-missing-files", "--fail-on-extra-files"])
    assert verified.returncode == 0
    print(json.dumps(names))
    """

  @Test("the official client finds the files in its cache", .needs(.officialHub))
  func cache() async throws {
    try await Sandbox.use { sandbox in
      let hub = try await Hub(in: sandbox)
      expect(try await hub.dray(sandbox, "get", "--hf-cache", "hf:org/model"), exits: 0)
      let judged = try await OfficialHub.run(Self.judgement, hub, sandbox)
      #expect(judged.exit == .code(0), "\(judged)")
      // Existing files are not fetched again, even if the official client fetched them.
      let before = try hub.requests.filter { $0.path.contains("/resolve/") && $0.method == "GET" }.count
      let again = try await hub.dray(sandbox, "get", "--hf-cache", "hf:org/model")
      expect(again, exits: 0, saying: "hf:org/model: 6 files up to date")
      #expect(try hub.requests.filter { $0.path.contains("/resolve/") && $0.method == "GET" }.count == before)
      let other = try await OfficialHub.run(
        "from huggingface_hub import snapshot_download\nsnapshot_download('org/data', repo_type='dataset')", hub,
        sandbox)
      #expect(other.exit == .code(0), "\(other)")
      expect(
        try await hub.dray(sandbox, "get", "--hf-cache", "hf:datasets/org/data"), exits: 0,
        saying: "up to date")
    }
  }
}
