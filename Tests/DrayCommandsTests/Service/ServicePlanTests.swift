// What the options of `dray serve` come to.

import ArgumentParser
import DrayKit
import DrayServer
import DrayStore
import Logging
import Posix
import Testing

@testable import DrayCommands

@Suite struct ServicePlanTests {
  private func plan(_ words: [String], _ environment: [String: String] = ["HOME": "/home/u"]) throws -> ServicePlan {
    var surroundings = Surroundings(
      currentDirectory: "/here", environment: environment, kind: { _ in .missing }, read: { _, _ in .success([]) },
      readStandardInput: { _ in .success([]) }, askPassword: { _ in nil })
    surroundings.realPath = { $0 }
    return try ServicePlan.make(try ServeArguments.parse(words), surroundings, home: StateDirectory(path: "/state"))
  }

  @Test func withoutOptions() throws {
    let plan = try plan([])
    #expect(plan.addresses.map(\.description) == ["127.0.0.1:6800", "/state/serve.sock"])
    #expect(plan.directory == "/home/u/Downloads" && plan.rule.directories.roots == ["/home/u/Downloads"])
    #expect(
      plan.secret == .own("/state/serve.secret") && plan.rule.grants.isEmpty && !plan.rule.deniesPrivate
        && plan.level == .info)
  }

  @Test(
    arguments: [
      (["--root", "/a", "--root", "b"], "/a", ["/a", "/here/b"]), (["-d", "x"], "/here/x", ["/here/x"]),
      (["--root", "/a", "-d", "/a/b"], "/a/b", ["/a"]),
    ] as [([String], String, [String])])
  func directories(words: [String], directory: String, roots: [String]) throws {
    let plan = try plan(words)
    #expect((plan.directory, plan.rule.directories.roots) == (directory, roots))
  }

  @Test(arguments: [
    ["--root", "/a", "-d", "/b"], ["--listen", "here"], ["--listen", "unix:x"], ["--allow", "x"], ["--log-level", "x"],
    ["--allow-origin", "*"], ["--allow-origin", "null"],
  ])
  func refused(words: [String]) {
    let failure = #expect(throws: Failure.self) { try plan(words) }
    #expect(failure?.kind == .usage)
  }

  @Test func whatIsAllowed() throws {
    let words = [
      "--allow", "proxy", "--allow", "hooks", "--deny-private", "--host-name", "Dray.Example", "--allow-origin",
      "https://a.example", "--trust-proxy",
    ]
    let plan = try plan(words)
    #expect(plan.rule.grants == [.proxy, .hooks] && plan.rule.deniesPrivate && plan.policy.trustsProxy)
    #expect(plan.policy.names == ["dray.example"] && plan.policy.origins.count == 1)
  }

  @Test func theSecretOfTheEnvironment() throws {
    let variables = ["HOME": "/home/u", "DRAY_SERVE_SECRET": "correct-horse-battery-staple"]
    #expect(try plan([], variables).secret.isNeeded)
    #expect(throws: Failure.self) { try plan([], ["HOME": "/home/u", "DRAY_SERVE_SECRET": "short"]) }
  }

  @Test func whoNeedsNoSecret() throws {
    #expect(try plan(["--listen", "unix:/s"]).secret == .none)
    #expect(try plan(["--no-secret"]).secret == .none)
    #expect(try plan(["--listen", "unix:/s", "--listen", "6800"]).secret == .own("/state/serve.secret"))
    let variables = ["HOME": "/home/u", "DRAY_SERVE_SECRET": "correct-horse-battery-staple"]
    let failure = #expect(throws: Failure.self) { try plan(["--no-secret"], variables) }
    #expect(failure?.kind == .usage)
  }

  @Test(
    arguments: [
      ([], .loopback, true), ([], .outside, true), ([], .socket, false), (["--no-secret"], .loopback, false),
    ] as [([String], WebDoor, Bool)])
  func whatSystemdOpenedNeedsASecret(words: [String], door: WebDoor, isNeeded: Bool) throws {
    var plan = try plan(["--listen", "unix:/s"] + words)
    plan.count(inherited: [door], home: StateDirectory(path: "/state"))
    let expected: SecretPlace = isNeeded ? .own("/state/serve.secret") : .none
    #expect(plan.secret == expected)
  }

  @Test(
    arguments: [
      (["127.0.0.1:1"], true, "/s", "in /s, `dray serve --show-secret` prints it"),
      (["127.0.0.1:1"], true, nil, "needed; `dray serve --show-secret`"),
      (["127.0.0.1:1"], false, nil, "every user and program of this machine"), (["/x"], false, nil, "its owner only"),
    ] as [([String], Bool, String?, String)])
  func whatIsSaidOfTheSecret(listening: [String], hasSecret: Bool, file: String?, words: String) {
    let record = ServiceRecord(
      pid: 3, version: "1", startedAt: 4, listening: listening, hasSecret: hasSecret, secretFile: file, roots: ["/a"],
      directory: "/a", log: nil)
    #expect(record.secretText.contains(words), "\(record.secretText)")
  }

  @Test(arguments: [
    ("127.0.0.1:1", "http://127.0.0.1:1/"), ("0.0.0.0:6800", "http://127.0.0.1:6800/"),
    ("[::]:6800", "http://127.0.0.1:6800/"), ("[::1]:6800", "http://[::1]:6800/"),
  ])
  func whereThePageIs(name: String, address: String) {
    let record = ServiceRecord(
      pid: 3, version: "1", startedAt: 4, listening: ["/s", name], hasSecret: true, roots: [], directory: "/a")
    #expect(record.address == address)
  }

  @Test func noHome() {
    #expect(ServicePlan.downloads(["XDG_DOWNLOAD_DIR": "/d", "HOME": "/h"]) == "/d")
    #expect(ServicePlan.downloads(["XDG_DOWNLOAD_DIR": "d", "HOME": "/h"]) == "/h/Downloads")
  }

  @Test func theRecordIsReadAsItWasWritten() {
    let record = ServiceRecord(
      pid: 3, version: "1", startedAt: 4, listening: ["/s", "127.0.0.1:1"], hasSecret: true, roots: ["/a"],
      directory: "/a", log: nil)
    #expect(ServiceRecord.read(Array(record.json.utf8)) == record)
    #expect(record.address == "http://127.0.0.1:1/")
    #expect(ServiceRecord.read([]) == nil)
  }
}
