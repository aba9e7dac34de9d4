// dray's own API through `dray serve`: persistence, lists, and fields that no caller gets.

import FaultServer
import Foundation
import Testing

@Suite("Service: dray's API")
struct ServeAPITests {
  private func jobs(_ answer: (status: String, body: [String: Any])) throws -> [[String: Any]] {
    try #require(answer.body["jobs"] as? [[String: Any]], "\(answer)")
  }

  @Test("answered calls survive kill -9; a client that repeats its key gets the same jobs")
  func killed() async throws {
    try await Sandbox.use { sandbox in
      let key = ["Idempotency-Key: once"]
      let job = { (path: String) in #"{"url":"\#(sandbox.server.url(path))","paused":true}"# }
      let body = #"{"jobs":[\#(job("/a")),\#(job("/b"))]}"#
      var service = try await Service.start(in: sandbox)
      let first = try jobs(try await service.api("POST", "/jobs", body, key))
      _ = try await service.program.kill9()
      service = try await Service.start(in: sandbox, port: service.port)
      let again = try jobs(try await service.api("POST", "/jobs", body, key))
      #expect(NSArray(array: again) == NSArray(array: first) && first.count == 2)
      let other = try await service.api("POST", "/jobs", #"{"jobs":[\#(job("/c"))]}"#, key)
      #expect(other.status == "409")
      try await service.stop()
      #expect(try await sandbox.jobs().count == 2)
    }
  }

  @Test("a list has the format of `dray add -i`, and reading it opens no local file")
  func lists() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox)
      let url = sandbox.server.url("/f")
      let list = #"\#(url)\n  out=sub/name\n  pause=true\n  checksum=md5=d41d8cd98f00b204e9800998ecf8427e"#
      let added = try jobs(try await service.api("POST", "/jobs", #"{"list":"\#(list)","directory":"x"}"#))
      #expect(added.count == 1)
      let job = try #require(try await sandbox.jobs().first)
      #expect(job.state == "paused" && job.target == sandbox.downloads + "/x/sub/name")
      for (line, status) in [
        ("dir=/etc", "403"), ("out=../../x", "400"), ("cookie=/etc/passwd", "400"), ("cert=/etc/passwd", "400"),
        ("netrc-file=/etc/passwd", "400"), ("verify-key=/etc/passwd", "400"), ("proxy=http://p", "403"),
        ("insecure=yes", "403"), ("on-complete=touch x", "400"), ("nonsense=1", "400"),
      ] {
        let answer = try await service.api("POST", "/jobs", #"{"list":"\#(url)\n  \#(line)"}"#)
        #expect(answer.status == status, "\(line): \(answer)")
        let same = try await service.api(
          "POST", "/jobs", #"{"list":"\#(url)\n  \#(line.replacing("/etc/passwd", with: "/etc/none"))"}"#)
        #expect(same.status == answer.status, "what is there is not told: \(line)")
      }
      try await service.stop()
      #expect(try await sandbox.jobs().count == 1)
    }
  }

  @Test("clients' jobs get the settings of the configuration, as with `dray add`")
  func configured() async throws {
    try await Sandbox.use { sandbox in
      try sandbox.configure(
        "retries = 3\nretry-wait = 2\nproxy = \"http://127.0.0.1:9\"\n[host.\"127.0.0.1\"]\nretry-wait = 4\n")
      let service = try await Service.start(in: sandbox)
      let url = sandbox.server.url("/f")
      _ = try jobs(try await service.api("POST", "/jobs", #"{"jobs":[{"url":"\#(url)1","paused":true}]}"#))
      _ = try jobs(try await service.api("POST", "/jobs", #"{"list":"\#(url)2\n  pause=true\n  retry-wait=5"}"#))
      _ = try await service.add(url + "3", ["pause": "true"])
      _ = try await service.add(url + "4", ["pause": "true", "max-tries": "8"])
      try await service.stop()
      let lines = try await sandbox.dray("export", "--reveal").output.split(separator: "\n")
      #expect(lines.count == 4)
      for (line, (retries, wait)) in zip(lines, [(3, 4), (3, 5), (3, 4), (7, 4)]) {
        #expect(line.contains("\"retries\":\(retries),\"retry-wait\":\"\(wait)\""), "\(line)")
        #expect(line.contains("127.0.0.1:9"), "the user's own proxy is nobody else's choice: \(line)")
      }
    }
  }

  @Test("with a secret, nothing is read or written without it, and pages log in")
  func secrets() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox, secret: "correct horse")
      #expect(try await service.api("GET", "/jobs").status == "401")
      #expect(try await service.api("POST", "/jobs", #"{"jobs":[{"url":"http://h/f"}]}"#).status == "401")
      #expect(try await service.api("GET", "/jobs", nil, ["Authorization: Bearer correct horse"]).status == "200")
      #expect(try await service.api("POST", "/session", #"{"secret":"wrong horse"}"#).status == "401")
      let session = try await service.logIn("correct horse")
      #expect(try await service.status("/api/v1/jobs", session) == "200")
      // The cookie alone goes to each port of this host, so it opens nothing.
      #expect(try await service.status("/api/v1/jobs", Array(session.prefix(2))) == "401")
      #expect(try await service.status("/api/v1/openapi.json") == "200")
      try await service.stop()
      // Sessions outlive the service, by digests that nobody else can read.
      let file = sandbox.home + "/serve.sessions"
      #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
      let again = try await Service.start(in: sandbox, secret: "correct horse", port: service.port)
      #expect(try await again.status("/api/v1/jobs", session) == "200")
      try await again.stop()
    }
  }

  @Test("a manifest: planned, fetched, answered with its lock; then everything must match the lock")
  func sync() async throws {
    try await Sandbox.use { sandbox in
      for path in ["/a", "/b"] { sandbox.server[path] = .init(Version.named("v1", size: 5000)) }
      let service = try await Service.start(in: sandbox)
      let manifest =
        #"[[file]]\nurl = \"\#(sandbox.server.url("/a"))\"\n[[file]]\nurl = \"\#(sandbox.server.url("/b"))\"\ntarget = \"sub/b\"\n"#
      func sync(_ rest: String = "", _ text: String? = nil) async throws -> (status: String, body: [String: Any]) {
        try await service.api("POST", "/sync", #"{"manifest":"\#(text ?? manifest)","directory":"set"\#(rest)}"#)
      }
      func decisions(_ answer: (status: String, body: [String: Any])) -> [String] {
        (answer.body["files"] as? [[String: Any]] ?? []).compactMap { $0["decision"] as? String }
      }
      #expect(decisions(try await sync(#","dryRun":true"#)) == ["fetch", "fetch"])
      #expect(sandbox.server.requests.isEmpty)
      // dray did not create the existing file.
      try FileManager.default.createDirectory(atPath: sandbox.path("set"), withIntermediateDirectories: true)
      _ = try sandbox.write("mine", to: "set/a")
      #expect(try await sync().status == "409")
      #expect(decisions(try await sync(#","dryRun":true"#)) == ["conflict", "fetch"])
      try FileManager.default.removeItem(atPath: sandbox.path("set/a"))
      #expect(decisions(try await sync()) == ["fetch", "fetch"])
      var lock = ""
      try await service.program.wait(for: "the lock", every: 0.2) {
        let answer = try await sync(#","dryRun":true"#)
        lock = answer.body["lock"] as? String ?? ""
        return decisions(answer) == ["right", "right"]
      }
      #expect(lock.contains("sub/b"))
      let kept = try #require(
        String(data: try JSONSerialization.data(withJSONObject: lock, options: .fragmentsAllowed), encoding: .utf8))
      #expect(try await sync(#","locked":true"#).status == "400")
      #expect(decisions(try await sync(#","locked":true,"lock":\#(kept)"#)) == ["right", "right"])
      // A file that was removed from the manifest does not hinder the next lock.
      let fewer = #"[[file]]\nurl = \"\#(sandbox.server.url("/a"))\"\n"#
      let next = try await sync(#","lock":\#(kept)"#, fewer)
      #expect(next.body["surplus"] as? [String] == ["sub/b"])
      #expect((next.body["lock"] as? String).map { !$0.isEmpty && !$0.contains("sub/b") } == true, "\(next)")
      #expect(try await sync(#","locked":true,"lock":\#(kept)"#, fewer).status == "409")
      // Another file under the name that dray fetched: a lock does not make the file dray's.
      _ = try sandbox.write("changed", to: "set/a")
      #expect(try await sync(#","locked":true,"lock":\#(kept)"#).status == "409")
      #expect(try await sync(#","lock":\#(kept)"#).status == "409")
      #expect(try String(contentsOfFile: sandbox.path("set/a"), encoding: .utf8) == "changed")
      #expect(try await sync(#","lock":"x""#).status == "400")
      #expect(try await sync("", #"[[file]]\nurl = \"file:///etc/passwd\"\n"#).status == "400")
      let outside = #"{"manifest":"\#(manifest)","directory":"/etc"}"#
      #expect(try await service.api("POST", "/sync", outside).status == "403")
      try await service.stop()
    }
  }
}
