// The configuration without files: its places, its keys as arguments, and the precedence of typed options.

import DrayCore
import DrayDocuments
import Foundation
import Testing

@testable import DrayCommands

@Suite("Configuration tables")
struct ConfigurationTableTests {
  private static let catalog = Result { try OptionCatalog.read(DrayRoot.self) }

  private func settings(_ text: String, _ environment: [String: String] = [:]) throws -> OptionSettings {
    try OptionSettings(
      try ConfigurationDocument.parse(text), ValuePaths(file: "/c/config.toml", home: "/home/u"),
      try Self.catalog.get(), environment: environment)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var typed: String
    var file = ""
    var environment: [String: String] = [:]
    var arguments: String
    var testDescription: String { "\(typed) | \(file)" }
  }

  static let rows: [Row] = [
    Row(typed: "get u", arguments: "get u"),
    Row(typed: "get u -q", file: "limit-rate = \"5k\"\nretries = 3", arguments: "get --limit-rate=5k --retries=3 u -q"),
    Row(typed: "list", file: "limit-rate = \"5k\"", arguments: "list"),
    Row(typed: "get u", file: "retries = 3\n[get]\nretries = 4\n[add]\nretries = 5", arguments: "get --retries=4 u"),
    Row(typed: "get u", file: "retries = 3", environment: ["DRAY_RETRIES": "9"], arguments: "get --retries=9 u"),
    Row(typed: "get u", file: "quiet = true", arguments: "get --quiet u"),
    Row(typed: "get u", file: "quiet = false", arguments: "get u"),
    Row(typed: "get u", file: "quiet = true", environment: ["DRAY_QUIET": "0"], arguments: "get u"),
    Row(typed: "get u", environment: ["DRAY_QUIET": "on"], arguments: "get --quiet u"),
    Row(typed: "get --no-quiet u", file: "quiet = true", arguments: "get u"),
    Row(typed: "get --quiet --no-quiet u", arguments: "get u"),
    Row(typed: "get u -- --no-quiet", file: "quiet = true", arguments: "get --quiet u -- --no-quiet"),
    Row(
      typed: "get u", file: "header = [\"A: 1\", \"B: 2\"]\n[get]\nheader = \"C: 3\"",
      arguments: "get --header=A: 1 --header=B: 2 --header=C: 3 u"),
    Row(typed: "get u", file: "proxy = \"\"", arguments: "get --proxy  u"),
    Row(
      typed: "get u", file: "cacert = \"ca.pem\"\ndir = \"~/d\"", arguments: "get --cacert=/c/ca.pem --dir=/home/u/d u"),
    Row(typed: "get u", file: "dir = \"d\"", arguments: "get --dir=d u"),
    Row(typed: "config show", file: "quiet = true", arguments: "config show"),
  ]

  @Test("a command line with the additions of file and environment", arguments: rows)
  func arguments(_ row: Row) throws {
    let typed = row.typed.split(separator: " ").map(String.init)
    let found = try CommandSettings(typed: typed, try settings(row.file, row.environment))
    #expect(found.arguments.joined(separator: " ") == row.arguments)
  }

  @Test("an error in a value from file or environment names its place, one in a typed value does not")
  func places() throws {
    let all = try settings("retries = 3\nmax-concurrent-downloads = 0")
    let failure = Failure(.usage, "--retries", "no")
    #expect(try CommandSettings(typed: ["get", "u"], all).placing(failure).subject == "/c/config.toml:1: retries")
    #expect(try CommandSettings(typed: ["get", "--retries=x"], all).placing(failure).subject == "--retries")
    let short = Failure(.usage, "--max-concurrent-downloads", "no")
    #expect(try CommandSettings(typed: ["get", "-j0"], all).placing(short).subject == "--max-concurrent-downloads")
    #expect(try CommandSettings(typed: ["get"], all).placing(Failure(.file, "--retries", "no")).subject == "--retries")
  }

  /// Otherwise a variable of the gate would change, or stop, each program that a test starts.
  @Test("the environment of the tests sets no option")
  func testEnvironment() throws {
    let set = ProcessInfo.processInfo.environment.keys
    for variable in try Self.catalog.get().names.map(OptionSettings.variable) where OptionSettings.isOption(variable) {
      #expect(!set.contains(variable))
    }
  }

  @Test("every refused key has a reason, and every other key can be set at the top")
  func keys() throws {
    let catalog = try Self.catalog.get()
    for name in catalog.names.sorted() where ConfigurationKeys.refusal(name) == nil {
      let option = try #require(catalog.option(name))
      let value = option.isFlag ? "true" : "\"\(option.allValues?.first ?? "1")\""
      #expect(try settings("\(ConfigurationKeys.text(name)) = \(value)").file.count == 1, "\(name)")
    }
    for name in ["output", "user", "cookie", "json", "data"] where catalog.names.contains(name) {
      #expect(throws: Failure.self) { try settings("\(name) = \"x\"") }
    }
  }

  @Test("the template sets nothing, and is valid when its examples are uncommented")
  func template() throws {
    let text = ConfigurationTemplate.text(try Self.catalog.get())
    #expect(try ConfigurationDocument.parse(text).entries.isEmpty)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") && $0 != "#" }
    let document = try ConfigurationDocument.parse(lines.map { $0.dropFirst() }.joined(separator: "\n"))
    let headings = lines.count { $0.hasPrefix("#[") }
    #expect(headings > 0 && document.entries.count == lines.count - headings, "each other line is a key")
  }

  @Test(
    "where the file is",
    arguments: [
      ([], [:], "/h/.config/dray/config.toml", false), ([], ["XDG_CONFIG_HOME": "/x"], "/x/dray/config.toml", false),
      ([], ["XDG_CONFIG_HOME": "x"], "/h/.config/dray/config.toml", false), ([], ["DRAY_CONFIG": "f"], "/cwd/f", true),
      (["--config", "/g", "list"], ["DRAY_CONFIG": "f"], "/g", true), (["list", "--config=g"], [:], "/cwd/g", true),
      (["list", "--config=~/g"], [:], "/h/g", true),
      (["list", "--no-config"], ["DRAY_CONFIG": "f"], nil, false),
      (["list", "--", "--no-config"], [:], "/h/.config/dray/config.toml", false),
    ] as [([String], [String: String], String?, Bool)])
  func place(_ typed: [String], _ environment: [String: String], _ path: String?, _ isNamed: Bool) throws {
    let (globals, rest) = try GlobalOptions.take(from: typed)
    let place = ConfigurationPlace.locate(
      globals, environment: environment.merging(["HOME": "/h"]) { $1 }, currentDirectory: "/cwd",
      passwordDatabaseHome: { nil })
    #expect(place == ConfigurationPlace(path: path, isNamed: isNamed))
    #expect(rest.first == (typed.isEmpty ? nil : "list"))
  }

  @Test(
    "the job store: the command line, the environment, the file",
    arguments: [
      (["list"], [:], nil), (["--store", "/s", "list"], ["DRAY_STORE": "/e"], .directory("/s")),
      (["list", "--store=postgres://h/d"], [:], .database("postgres://h/d")),
      (["list"], ["DRAY_STORE": "~/s"], .directory("/h/s")), (["list"], ["DRAY_STORE": ""], nil),
      (["list", "--", "--store", "/s"], [:], nil),
    ] as [([String], [String: String], StoreAddress?)])
  func store(_ typed: [String], _ environment: [String: String], _ expected: StoreAddress?) throws {
    let (globals, _) = try GlobalOptions.take(from: typed)
    #expect(try StoreChoice.choose(globals.store, environment: environment.merging(["HOME": "/h"]) { $1 }) == expected)
  }

  @Test("an unknown store is refused without its password, and a typed password gets a warning")
  func storeSecrets() throws {
    let failure = #expect(throws: Failure.self) {
      try StoreChoice.choose("mysql://u:s3cret@h/d", environment: [:])
    }
    #expect(failure?.kind == .usage && failure?.message.contains("s3cret") == false)
    #expect(StoreChoice.warning("postgresql://u:s3cret@h/d")?.contains("s3cret") == false)
    #expect(StoreChoice.warning("postgresql://u@h/d") == nil && StoreChoice.warning(nil) == nil)
    #expect(ConfigurationKeys.shown("store", "postgresql://u:s3cret@h/d") == "…")
  }

  @Test(
    "the directories that machines share",
    arguments: [
      (["run"], [:], TargetReach()), (["run", "--local-targets"], [:], TargetReach(allowsLocal: true)),
      (["--shared-dir", "a", "run", "--shared-dir=/b"], [:], TargetReach(shared: ["/cwd/a", "/b"])),
      (
        ["run"], ["DRAY_SHARED_DIR": "~/c", "DRAY_LOCAL_TARGETS": "yes"],
        TargetReach(allowsLocal: true, shared: ["/h/c"])
      ),
      (["run"], ["DRAY_LOCAL_TARGETS": "0"], TargetReach()),
    ] as [([String], [String: String], TargetReach)])
  func reach(_ typed: [String], _ environment: [String: String], _ expected: TargetReach) throws {
    let (globals, rest) = try GlobalOptions.take(from: typed)
    let environment = environment.merging(["HOME": "/h"]) { $1 }
    #expect(try StoreChoice.reach(globals, environment: environment, currentDirectory: "/cwd") == expected)
    #expect(rest == ["run"])
    #expect(try GlobalOptions.take(from: globals.words + rest).0 == globals)
  }

  @Test("keys of the file about the job store")
  func storeKeys() throws {
    let text = """
      store = "~/s"
      local-targets = true
      shared-dir = ["/a", "~/b"]
      """
    let all = try OptionSettings(
      try ConfigurationDocument.parse(text), ValuePaths(file: "/c/config.toml", home: "/h"), try Self.catalog.get(),
      environment: [:])
    #expect(all.store == .directory("/h/s") && all.reach == TargetReach(allowsLocal: true, shared: ["/a", "/h/b"]))
    for bad in [
      "store = 1", "store = \"ftp://h\"", "local-targets = \"x\"", "shared-dir = \"a\"", "[get]\nstore = \"/s\"",
    ] {
      #expect(throws: Failure.self, "\(bad)") {
        try OptionSettings(
          try ConfigurationDocument.parse(bad), ValuePaths(file: "/c/config.toml", home: "/h"), try Self.catalog.get(),
          environment: [:])
      }
    }
  }

  @Test(
    "displayed values",
    arguments: [
      ("user", "ann:pw", "ann:…"), ("user", "ann", "ann"), ("password", "pw", "…"), ("oauth2-bearer", "t", "…"),
      ("header", "X-Key: 7", "X-Key: …"), ("header", "Accept: a", "Accept: a"), ("proxy", "http://h:1", "http://h:1"),
      ("proxy", "socks5://u:p@h:1", "socks5://…@h:1"), ("proxy", "u:p@h", "…@h"), ("user-agent", "a\u{1B}", "a\\u{1B}"),
      ("referer", "https://h/?token=x", "https://h/?token=…"),
    ])
  func shown(_ name: String, _ value: String, _ expected: String) {
    #expect(ConfigurationKeys.shown(name, value) == expected)
  }
}
