// S3, against moto with signature checks. `scripts/setup.sh test` installs moto from PyPI in a separate place.

import FaultServer
import Foundation
import TestSupport
import Testing

/// moto with one bucket, `files`.
struct Moto {
  /// The Python that has moto: `DRAY_MOTO`, otherwise the place that `scripts/setup.sh` uses.
  static let python: String? = {
    let environment = ProcessInfo.processInfo.environment
    let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "/root") + "/.cache"
    let path = environment["DRAY_MOTO"] ?? cache + "/dray-moto/bin/python"
    return access(path, X_OK) == 0 ? path : nil
  }()

  let endpoint: String
  let user: [String]
  let role: [String]

  /// Starts moto with a file under each of `keys`.
  init(in sandbox: Sandbox, _ content: Content, _ keys: [String]) async throws {
    let program = try #require(Moto.python)
    let source = "\(sandbox.root)/user/source"
    try content.write(toFileAt: source)
    let port = try LocalPort.free()
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("s3d.py").path
    let running = try sandbox.launch(program, [script, "\(port)", source] + keys)
    // moto's imports need seconds of a core, and much longer beside all other tests.
    try await running.wait(for: "moto", seconds: 240, every: 0.1) { running.output.hasSuffix("\n") }
    let json = try JSONDecoder().decode([String: [String]].self, from: Data(running.output.utf8))
    endpoint = "http://127.0.0.1:\(port)"
    user = json["user"] ?? []
    role = json["role"] ?? []
  }
}

extension Need {
  static let moto = Need("moto", "scripts/setup.sh test installs it from PyPI") { Moto.python != nil }
}

@Suite("S3 with moto", .needs(.moto))
struct S3Tests {
  static let content = Version.named("v1", size: 2 << 20).content

  private func dray(
    _ sandbox: Sandbox, _ arguments: [String], _ variables: [String: String]
  ) async throws -> Finished {
    try await sandbox.start(arguments) { $0.environment.merge(variables) { $1 } }.finish()
  }

  @Test("keys of the environment, of options, of a role, and wrong ones")
  func keys() async throws {
    try await Sandbox.use { sandbox in
      let moto = try await Moto(in: sandbox, Self.content, ["plain.bin"])
      let place = ["AWS_ENDPOINT_URL_S3": moto.endpoint, "AWS_REGION": "eu-central-1"]
      func variables(_ keys: [String]) -> [String: String] {
        var all = place
        for (name, value) in zip(["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"], keys) {
          all[name] = value
        }
        return all
      }
      let url = "s3://files/plain.bin"
      expect(try await dray(sandbox, ["info", url], variables(moto.user)), exits: 0, saying: "\(2 << 20) bytes")
      expect(try await dray(sandbox, ["get", "-o", "user", url], variables(moto.user)), exits: 0)
      expect(try await dray(sandbox, ["get", "-o", "role", url], variables(moto.role)), exits: 0)
      let options = [
        "get", "-o", "options", "-u", moto.user.joined(separator: ":"), "--endpoint-url", moto.endpoint,
        "--aws-region", "eu-central-1", url,
      ]
      expect(try await sandbox.dray(options), exits: 0)
      sandbox.expectFiles(["user": Self.content, "role": Self.content, "options": Self.content])

      let wrong = variables([moto.user[0], "wr0ng"])
      expect(
        try await dray(sandbox, ["get", "-o", "wrong", url], wrong), exits: 6, saying: "403 Forbidden with these keys")
      let halfRole = variables(Array(moto.role.prefix(2)))
      expect(try await dray(sandbox, ["get", "-o", "half", url], halfRole), exits: 6)
      expect(try await dray(sandbox, ["get", "-o", "none", url], place), exits: 6, saying: "AWS_ACCESS_KEY_ID")
      let anonymous = ["get", "-o", "anonymous", "--no-sign-request", url]
      expect(try await dray(sandbox, anonymous, variables(moto.user)), exits: 6, saying: "not public")

      // Neither keys nor tokens are shown.
      var told = ""
      for id in 1...3 {
        told += try await sandbox.dray("show", "\(id)").text + sandbox.dray("show", "--json", "\(id)").text
      }
      for secret in [moto.user[1], moto.role[1], moto.role[2]] { #expect(!told.contains(secret)) }
    }
  }

  @Test("keys that need encoding are signed as they are sent")
  func names() async throws {
    try await Sandbox.use { sandbox in
      let names = ["a=b/c d+e.txt", "ü/~x*(1)'!.bin", "p%q&r$,;:@.bin"]
      let moto = try await Moto(in: sandbox, Self.content, names)
      for name in names {
        let typed = "s3://files/" + name.replacingOccurrences(of: "%", with: "%25")
        let options = [
          "get", "-u", moto.user.joined(separator: ":"), "--endpoint-url", moto.endpoint, "--aws-region",
          "eu-central-1", "-H", "Accept: ", "-H", "X-Own:  a   b", "-o", "file", "--on-conflict", "overwrite", typed,
        ]
        let finished = try await sandbox.dray(options)
        expect(finished, exits: 0)
        #expect(Self.content.difference(fromFileAt: sandbox.path("file")) == nil, "\(name)")
      }
    }
  }

  @Test("keys of a profile are read at each attempt, and a queue resumes with them")
  func profile() async throws {
    try await Sandbox.use { sandbox in
      // More than a minute under the limit: bytes are missing whenever the test looks.
      let content = Version.named("v1", size: 6 << 20).content
      let moto = try await Moto(in: sandbox, content, ["plain.bin"])
      try FileManager.default.createDirectory(
        atPath: "\(sandbox.root)/user/.aws", withIntermediateDirectories: true)
      try sandbox.write(
        "[profile work]\nregion = eu-central-1\ns3 =\n  endpoint_url = \(moto.endpoint)\n", to: "../user/.aws/config")
      let keys = "[work]\naws_access_key_id = \(moto.user[0])\naws_secret_access_key = "
      try sandbox.write(keys + moto.user[1] + "\n", to: "../user/.aws/credentials")
      let get = ["get", "--aws-profile", "work", "s3://files/plain.bin"]
      let kept = try await sandbox.runSlowly(get, stop: .interrupt).received
      #expect(kept > 0 && kept < content.size)

      try sandbox.write(keys + "renewed-and-wr0ng\n", to: "../user/.aws/credentials")
      expect(try await sandbox.dray("run"), exits: 6)
      #expect(try await sandbox.onlyJob().received == kept)
      try sandbox.write(keys + moto.user[1] + "\n", to: "../user/.aws/credentials")
      let again = try await sandbox.dray("run", "--progress", "json")
      expect(again, exits: 0)
      #expect(again.output.contains("\(kept)"), "\(again)")
      sandbox.expectFiles(["plain.bin": content])
      // The store does not contain the keys.
      let store = try Data(contentsOf: URL(fileURLWithPath: sandbox.home + "/dray.sqlite"))
      #expect(store.range(of: Data(moto.user[1].utf8)) == nil)
      expect(try await sandbox.dray("get", "--aws-profile", "nobody", "s3://files/x"), exits: 2, saying: "nobody")
    }
  }
}
