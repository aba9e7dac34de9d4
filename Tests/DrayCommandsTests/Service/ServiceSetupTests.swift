// The plan that the options of `dray serve` result in.

import ArgumentParser
import DrayKit
import DrayServer
import DrayStore
import Logging
import Posix
import Testing
import WebServer

@testable import DrayCommands

@Suite struct ServiceSetupTests {
  private func setup(_ words: [String], _ environment: [String: String] = ["HOME": "/home/u"]) throws -> ServiceSetup {
    var surroundings = Surroundings(
      currentDirectory: "/here", environment: environment, kind: { _ in .missing }, read: { _, _ in .success([]) },
      readStandardInput: { _ in .success([]) }, askPassword: { _ in nil })
    surroundings.realPath = { $0 }
    return try ServiceSetup.make(try ServeArguments.parse(words), surroundings, home: StateDirectory(path: "/state"))
  }

  @Test func withoutOptions() throws {
    let setup = try setup([])
    #expect(setup.addresses.map(\.description) == ["127.0.0.1:6800", "/state/serve.sock"])
    #expect(setup.directory == "/home/u/Downloads" && setup.rule.directories.roots == ["/home/u/Downloads"])
    #expect(
      setup.secret == .own("/state/serve.secret") && setup.rule.grants.isEmpty && !setup.rule.deniesPrivate
        && setup.level == .info)
  }

  @Test(
    arguments: [
      (["--root", "/a", "--root", "b"], "/a", ["/a", "/here/b"]), (["-d", "x"], "/here/x", ["/here/x"]),
      (["--root", "/a", "-d", "/a/b"], "/a/b", ["/a"]),
    ] as [([String], String, [String])])
  func directories(words: [String], directory: String, roots: [String]) throws {
    let setup = try setup(words)
    #expect((setup.directory, setup.rule.directories.roots) == (directory, roots))
  }

  @Test(arguments: [
    ["--root", "/a", "-d", "/b"], ["--listen", "here"], ["--listen", "unix:x"], ["--allow", "x"], ["--log-level", "x"],
    ["--allow-origin", "*"], ["--allow-origin", "null"],
  ])
  func refused(words: [String]) {
    let failure = #expect(throws: Failure.self) { try setup(words) }
    #expect(failure?.kind == .usage)
  }

  @Test func whatIsAllowed() throws {
    let words = [
      "--allow", "proxy", "--allow", "hooks", "--deny-private", "--host-name", "Dray.Example", "--allow-origin",
      "https://a.example", "--trust-proxy",
    ]
    let setup = try setup(words)
    #expect(setup.rule.grants == [.proxy, .hooks] && setup.rule.deniesPrivate && setup.policy.trustsProxy)
    #expect(setup.policy.names == ["dray.example"] && setup.policy.origins.count == 1)
  }

  @Test func theSecretOfTheEnvironment() throws {
    let variables = ["HOME": "/home/u", "DRAY_SERVE_SECRET": "correct-horse-battery-staple"]
    #expect(try setup([], variables).secret.isNeeded)
    #expect(throws: Failure.self) { try setup([], ["HOME": "/home/u", "DRAY_SERVE_SECRET": "short"]) }
  }

  @Test func whoNeedsNoSecret() throws {
    #expect(try setup(["--listen", "unix:/s"]).secret == .none)
    #expect(try setup(["--no-secret"]).secret == .none)
    #expect(try setup(["--listen", "unix:/s", "--listen", "6800"]).secret == .own("/state/serve.secret"))
    let variables = ["HOME": "/home/u", "DRAY_SERVE_SECRET": "correct-horse-battery-staple"]
    let failure = #expect(throws: Failure.self) { try setup(["--no-secret"], variables) }
    #expect(failure?.kind == .usage)
  }

  @Test(
    arguments: [
      ([], .loopback, true), ([], .outside, true), ([], .socket, false), (["--no-secret"], .loopback, false),
    ] as [([String], ListenerKind, Bool)])
  func whatSystemdOpenedNeedsASecret(words: [String], listenerKind: ListenerKind, isNeeded: Bool) throws {
    var setup = try setup(["--listen", "unix:/s"] + words)
    setup.count(inherited: [listenerKind], home: StateDirectory(path: "/state"))
    let expected: SecretPlace = isNeeded ? .own("/state/serve.secret") : .none
    #expect(setup.secret == expected)
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

  @Test(
    "the shown secret is the running service's, not a stored one",
    arguments: [
      (false, nil, [:], nil, "needs no secret"), (true, "/s", [:], .given(.file("/s")), nil),
      (true, nil, [:], nil, "from $DRAY_SERVE_SECRET"),
      (true, nil, ["DRAY_SERVE_SECRET": "x"], .given(.variable("DRAY_SERVE_SECRET", value: "x")), nil),
    ] as [(Bool, String?, [String: String], SecretPlace?, String?)])
  func shownSecret(
    hasSecret: Bool, file: String?, environment: [String: String], place: SecretPlace?, words: String?
  ) throws {
    let record = ServiceRecord(
      pid: 3, version: "1", startedAt: 4, listening: ["127.0.0.1:1"], hasSecret: hasSecret, secretFile: file, roots: [],
      directory: "/a", log: nil)
    do throws(Failure) {
      let found = try SecretPlace.of(record, environment)
      #expect(found == place)
    } catch {
      #expect(place == nil && words.map(error.reason.contains) == true, "\(error)")
    }
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
    #expect(ServiceSetup.downloads(["XDG_DOWNLOAD_DIR": "/d", "HOME": "/h"]) == "/d")
    #expect(ServiceSetup.downloads(["XDG_DOWNLOAD_DIR": "d", "HOME": "/h"]) == "/h/Downloads")
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
