// Other scenarios that change files: failing downloads, bodies, cookies, sets, and commands about jobs.

import FaultServer
import Foundation

extension CrashScenario {
  /// All of these scenarios; each takes a fraction of a second.
  static let commands: [CrashScenario] = [
    failing("not-found", ["get"], path: "/none", exit: 8),
    failing("wrong-digest", ["get", "--checksum", "sha-256=" + zeros], path: "/f0", exit: 9),
    post,
    cookies,
    clean,
    sync,
    kept("pause", ["pause", "--all"], again: [["resume", "--all"], ["run"]], wanted: small()),
    setURL,
    setDirectory,
    repair,
    adopt,
    kept(
      "recovery-remove", ["list"], again: [["run"]], wanted: [:], pending: "remove",
      end: CrashEnd(jobs: 0...0)),
    kept("recovery-retry", ["list"], again: [["run"]], wanted: small(), pending: "retry"),
  ]

  private static let zeros = String(repeating: "0", count: 64)

  /// A download that fails permanently: only its job stays.
  private static func failing(_ name: String, _ command: [String], path: String, exit: Int32) -> CrashScenario {
    let get: @Sendable (Sandbox) -> [String] = { command + [$0.server.url(path)] }
    return CrashScenario(
      name: name,
      prepare: { sandbox, _ in
        serve(small(), sandbox)
        try await plantStore(sandbox)
      },
      command: get, again: { [get($0)] }, wanted: [:],
      end: CrashEnd(exits: [exit], states: ["failed"], jobs: 1...2))
  }

  /// A request with a body, which must not be sent twice (P10). Its spooled body is removed with its job.
  private static let post = CrashScenario(
    name: "post",
    prepare: { sandbox, _ in
      serve(small(), sandbox)
      try await plantStore(sandbox)
    },
    command: { ["get", "-o", "f0", "--data", "a=b", $0.server.url("/f0")] },
    again: { _ in [["run"], ["remove", "--all"], ["clean"]] }, wanted: small(),
    end: CrashEnd(jobs: 0...0, mayLackTargets: true, state: ["bodies"]) { sandbox in
      let bodies = sandbox.names(in: sandbox.home + "/bodies")
      let sent = sandbox.server.requests.count { $0.method == "POST" }
      return (bodies.isEmpty ? [] : ["P5 bodies of no job: \(bodies)"])
        + (sent < 2 ? [] : ["P10 it was sent \(sent) times"])
    })

  /// A download whose answer sets a persistent cookie.
  private static let cookies: CrashScenario = {
    let get: @Sendable (Sandbox) -> [String] = { ["get", $0.server.url("/f0")] }
    let answer = Answer { $0.headers = ["Set-Cookie: a=b; Max-Age=36000"] }
    return CrashScenario(
      name: "cookies",
      prepare: { sandbox, _ in
        sandbox.server["/f0"] = Resource(.named("small 0", size: 5000), script: [answer])
        try await plantStore(sandbox)
      },
      command: get, again: { [get($0)] }, wanted: small(),
      end: CrashEnd(state: ["cookies.txt", "cookies.txt.lock", ".cookies.txt.new"]) { sandbox in
        let listed = try await sandbox.dray("cookies", "list")
        return listed.status == 0 ? [] : ["P1 the cookies: \(listed)"]
      })
  }()

  /// Forgetting complete and failed jobs, and the part file of a job that no longer exists.
  private static let clean: CrashScenario = {
    let stray = ".\(UUID().uuidString).part"
    return CrashScenario(
      name: "clean",
      prepare: { sandbox, _ in
        serve(small(), sandbox)
        try await plantStore(sandbox)
        for (path, exit) in [("/f0", 0), ("/none", 8)] as [(String, Int32)] {
          let got = try await sandbox.dray("get", sandbox.server.url(path))
          guard got.status == exit else { throw HarnessError("\(got)") }
        }
        try sandbox.write("stray", to: stray)
        try sandbox.age(stray)
      },
      command: { _ in ["clean"] }, again: { _ in [["clean"]] }, wanted: small(),
      end: CrashEnd(states: [], jobs: 0...0, strays: [stray]))
  }()

  /// A set of two files, and its lock.
  private static let sync: CrashScenario = {
    let wanted = small(2)
    return CrashScenario(
      name: "sync",
      prepare: { sandbox, _ in
        serve(wanted, sandbox)
        try await plantStore(sandbox)
        let files = wanted.keys.sorted().map { "[[file]]\nurl = \"\(sandbox.server.url("/" + $0))\"\n" }
        try sandbox.write(files.joined(), to: "set.toml")
      },
      command: { _ in ["sync", "set.toml"] }, again: { _ in [["sync", "set.toml"]] }, wanted: wanted,
      end: CrashEnd(jobs: 0...4, files: ["set.toml", "set.lock", ".set.lock.new"]) { sandbox in
        let names = Sandbox.plain(sandbox.names())
        let checked = try await sandbox.dray("sync", "--locked", "set.toml")
        return (names.contains(".set.lock.new") ? ["P5 what the lock was written to"] : [])
          + (checked.status == 0 ? [] : ["P1 the lock: \(checked)"])
      })
  }()

  /// Another URL for the same file.
  private static let setURL: CrashScenario = {
    var scenario = kept("set-url", [], again: [], wanted: small())
    let prepare = scenario.prepare
    let set: @Sendable (Sandbox) -> [String] = { ["set-url", "1", $0.server.url("/g")] }
    scenario.prepare = { sandbox, dice in
      try await prepare(sandbox, &dice)
      sandbox.server["/g"] = Resource(.named("small 0", size: 5000))
    }
    scenario.command = set
    scenario.again = { [set($0), ["run"]] }
    return scenario
  }()

  /// A partial file of another program under the target's name.
  private static let adopt: CrashScenario = {
    let version = Version.named("v1", size: 3 << 20)
    let partial = Content.fixed(version.content.bytes(in: 0..<2_000_000))
    let get: @Sendable (Sandbox) -> [String] = { ["get", "--adopt", "f0", "-o", "f0", $0.server.url("/f0")] }
    return CrashScenario(
      name: "adopt",
      prepare: { sandbox, _ in
        sandbox.server["/f0"] = Resource(version)
        try await plantStore(sandbox)
        try partial.write(toFileAt: sandbox.path("f0"))
      },
      command: get, again: { [["get", "-o", "f0", $0.server.url("/f0"), "--adopt", "f0"]] },
      present: ["f0": partial], wanted: ["f0": [version]])
  }()

  /// Another directory: the part file moves there, with its received bytes (P3, P4, P5).
  private static let setDirectory: CrashScenario = {
    let version = Version.named("v1", size: 3 << 20)
    let cut = Answer { $0.bodyCut = 2 << 20 }
    let set: @Sendable (Sandbox) -> [String] = { ["set", "1", "dir=" + $0.downloads] }
    return CrashScenario(
      name: "set-directory", sample: 16,
      prepare: { sandbox, _ in
        sandbox.server["/f0"] = Resource(version, script: [cut, .normal])
        try await plantStore(sandbox)
        let got = try await sandbox.dray(
          "get", "-x", "1", "--retries", "0", "-d", "sub", "-o", "f0", sandbox.server.url("/f0"))
        guard got.status == 4 else { throw HarnessError("\(got)") }
      },
      command: set, again: { [set($0), ["run"]] }, wanted: ["f0": [version]], resumes: true,
      end: CrashEnd(files: ["sub"]) { sandbox in
        let left = sandbox.names(in: sandbox.path("sub"))
        return left.isEmpty ? [] : ["P5 left behind: \(left)"]
      })
  }()

  /// The repair of a damaged block of a target.
  private static let repair: CrashScenario = {
    let version = Version.named("v1", size: 3 << 20)
    var bytes = version.content.bytes(in: 0..<3 << 20)
    bytes[1_500_000] ^= 1
    let damaged = ["f0": Content.fixed(bytes)]
    return CrashScenario(
      name: "repair",
      prepare: { sandbox, _ in
        sandbox.server["/f0"] = Resource(version)
        try await plantStore(sandbox)
        let got = try await sandbox.dray("get", sandbox.server.url("/f0"))
        guard got.status == 0 else { throw HarnessError("\(got)") }
        for (name, content) in damaged { try content.write(toFileAt: sandbox.path(name)) }
      },
      command: { _ in ["verify", "--repair", "1"] }, again: { _ in [["run"], ["verify", "--repair", "1"]] },
      present: damaged, areDamaged: true, wanted: ["f0": [version]])
  }()
}
