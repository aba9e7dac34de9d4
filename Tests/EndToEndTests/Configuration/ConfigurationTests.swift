// The configuration file and the environment: precedence, refusals, messages.

import FaultServer
import Foundation
import Testing

extension Sandbox {
  /// The configuration file of programs in the sandbox.
  var configuration: String { root + "/user/.config/dray/config.toml" }

  /// Writes the configuration.
  func configure(_ text: String, mode: Int = 0o600) throws {
    let directory = (configuration as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: configuration))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: configuration)
  }

  /// Runs `dray` to its end with more in its environment.
  func dray(_ arguments: [String], with variables: [String: String]) async throws -> Finished {
    try await start(arguments) { $0.environment.merge(variables) { $1 } }.finish()
  }
}

@Suite("Configuration")
struct ConfigurationTests {
  static let version = AnswerCase.version

  @Test("precedence: a flag, the environment, a section, the top, the default")
  func precedence() async throws {
    try await Sandbox.use { sandbox in
      func agent(_ arguments: [String] = [], _ variables: [String: String] = [:]) async throws -> String? {
        sandbox.server["/f"] = .init(Self.version)
        expect(
          try await sandbox.dray(
            ["get", "--on-conflict", "overwrite", "-o", UUID().uuidString, sandbox.server.url("/f")] + arguments,
            with: variables), exits: 0)
        return sandbox.server.requests("/f").last?.fields.first { $0.name.lowercased() == "user-agent" }?.value
      }
      #expect(try await agent()?.hasPrefix("dray/") == true)
      try sandbox.configure("user-agent = \"top\"\n")
      #expect(try await agent() == "top")
      try sandbox.configure("user-agent = \"top\"\n[get]\nuser-agent = \"section\"\n[add]\nuser-agent = \"other\"\n")
      #expect(try await agent() == "section")
      #expect(try await agent([], ["DRAY_USER_AGENT": "variable"]) == "variable")
      #expect(try await agent(["-A", "flag"], ["DRAY_USER_AGENT": "variable"]) == "flag")
      #expect(try await agent(["--no-user-agent"])?.hasPrefix("dray/") == true)
      #expect(try await agent(["--no-config"])?.hasPrefix("dray/") == true)
      let other = try sandbox.write("user-agent = \"named\"\n", to: "other.toml")
      #expect(try await agent(["--config", other]) == "named")
      #expect(try await agent([], ["DRAY_CONFIG": other]) == "named")
      #expect(try await agent([], ["XDG_CONFIG_HOME": sandbox.root + "/nowhere"])?.hasPrefix("dray/") == true)
    }
  }

  @Test("options that may be repeated add up, and --no-NAME takes them back")
  func repeated() async throws {
    try await Sandbox.use { sandbox in
      try sandbox.configure("header = [\"X-A: 1\"]\nquiet = true\n[get]\nheader = \"X-B: 2\"\n")
      sandbox.server["/f"] = .init(Self.version)
      let url = sandbox.server.url("/f")
      expect(try await sandbox.dray("get", url, "-o", "a", "-H", "X-C: 3"), exits: 0)
      expect(try await sandbox.dray("get", url, "-o", "b", "--no-header"), exits: 0)
      let names = sandbox.server.requests("/f").map { $0.fields.map { $0.name.lowercased() } }
      #expect(Set(names[0]).isSuperset(of: ["x-a", "x-b", "x-c"]))
      #expect(Set(names[1]).isDisjoint(with: ["x-a", "x-b"]))
    }
  }

  @Test("a flag of the file is switched off by the environment and the command line")
  func flags() async throws {
    try await Sandbox.use { sandbox in
      try sandbox.configure("quiet = true\n")
      sandbox.server["/f"] = .init(Self.version)
      for name in ["a", "b", "c"] { try sandbox.write("", to: name) }
      let get = ["get", sandbox.server.url("/f"), "--on-conflict", "skip", "-o"]
      #expect(try await sandbox.dray(get + ["a"]).errors.isEmpty)
      #expect(try await sandbox.dray(get + ["b"], with: ["DRAY_QUIET": "no"]).errors.contains("skipped"))
      #expect(try await sandbox.dray(get + ["c", "--no-quiet"]).errors.contains("skipped"))
    }
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    let text: String
    var said: [String]
    var testDescription: String { text }
  }

  static let mistakes: [Wrong] = [
    .init(text: "limit_rate = 5", said: [":1", "limit-rate"]),
    .init(text: "\nlimit-raet = \"5k\"", said: [":2", "did you mean limit-rate?"]),
    .init(text: "[gte]\nquiet = true", said: [":1", "[get]"]),
    .init(text: "[get]\nstate = \"failed\"", said: [":2", "dray list"]),
    .init(text: "limit-rate = \"fast\"", said: [":1: limit-rate", "fast"]),
    .init(text: "limit-rate = true", said: [":1: limit-rate", "true"]),
    .init(text: "quiet = \"yes\"", said: [":1: quiet", "true or false"]),
    .init(text: "user-agent = [\"a\", \"b\"]", said: [":1: user-agent", "one value"]),
    .init(text: "on-conflict = \"skipp\"", said: [":1: on-conflict", "did you mean skip?"]),
    .init(text: "retries = -1", said: [":1: retries", "-1"]),
    .init(text: "output = \"x\"", said: [":1: output", "command line"]),
    .init(text: "user = \"a:planted\"", said: [":1: user", "[host."]),
    .init(text: "header = \"Authorization: planted\"", said: [":1: header", "[host."]),
    .init(text: "a = \nb = 1", said: [":1", "column"]),
    .init(text: "[host.\"*x\"]", said: [":1", "*.example.org"]),
    .init(text: "[host.\"x.org\"]\nhaeder = \"A: 1\"", said: [":2", "did you mean header?"]),
    .init(text: "[host.\"x.org\"]\nuser = \"a\"", said: [":1", "password"]),
    .init(text: "[host.\"x.org\"]\ncacert = \"none.pem\"", said: [":2: cacert", "none.pem"]),
    .init(text: "cacert = \"none.pem\"", said: [":1: cacert", "none.pem"]),
    .init(text: "max-connections = 1000000", said: [":1: max-connections"]),
    .init(text: "[list]\nsince = \"once upon a time\"", said: [":2: since"]),
    .init(text: "[wait]\ntimeout = \"long\"", said: [":2: timeout", "long"]),
    .init(text: "[feed]\nlimit = 0", said: [":2: limit"]),
    .init(text: "hook-timeout = \"never\"", said: [":1: hook-timeout", "never"]),
    .init(text: "max-overall-rate = \"fast\"", said: [":1: max-overall-rate", "fast"]),
  ]

  @Test("an error names file, line and key; nothing is done, and help still works", arguments: mistakes)
  func wrong(_ wrong: Wrong) async throws {
    try await Sandbox.use { sandbox in
      try sandbox.configure(wrong.text + "\n")
      let commands = [
        ["get", sandbox.server.url("/f")], ["list"], ["pause", "1"], ["verify", "x"], ["config", "check"],
      ]
      for arguments in commands {
        let finished = try await sandbox.dray(arguments)
        expect(finished, exits: 2)
        for word in wrong.said + [sandbox.configuration] { #expect(finished.errors.contains(word), "\(finished)") }
        #expect(!finished.text.contains("planted"), "\(finished)")
      }
      #expect(!FileManager.default.fileExists(atPath: sandbox.home))
      for arguments in [
        ["get", "--help"], ["help", "get"], ["--version"], ["config", "path"], ["list", "--no-config"],
      ] {
        expect(try await sandbox.dray(arguments), exits: 0)
      }
    }
  }

  /// Only the command that uses a value asks questions for it.
  @Test("valid values are tried without a question, and without reading other programs' files")
  func nobodyIsAsked() async throws {
    try await Sandbox.use { sandbox in
      try sandbox.configure("proxy-user = \"ann\"\ncookies-from-browser = \"firefox\"\nnetrc-file = \"netrc\"\n")
      try sandbox.write("", to: "../user/.config/dray/netrc")
      expect(try await sandbox.dray("list"), exits: 0)
      expect(try await sandbox.dray("config", "check"), exits: 0)
    }
  }

  @Test("errors in the environment name the variable")
  func wrongVariable() async throws {
    try await Sandbox.use { sandbox in
      for (name, value) in [("DRAY_LIMIT_RATE", "fast"), ("DRAY_QUIET", "perhaps"), ("DRAY_OUTPUT", "x")] {
        for arguments in [["get", sandbox.server.url("/f")], ["list"]] {
          let finished = try await sandbox.dray(arguments, with: [name: value])
          expect(finished, exits: 2)
          #expect(finished.errors.contains(name), "\(finished)")
        }
      }
      // The variables of hooks are not options.
      expect(try await sandbox.dray(["list"], with: ["DRAY_JOB_STATE": "x", "DRAY_OTHER": "y"]), exits: 0)
    }
  }

  @Test(
    "a file with secrets that others can read is refused, and so is one that anybody can change",
    arguments: [
      ("[host.\"x.org\"]\nuser = \"a:planted\"\n", 0o640, 2), ("[host.\"x.org\"]\nuser = \"a:planted\"\n", 0o600, 0),
      ("proxy = \"http://a:planted@127.0.0.1:1\"\n", 0o604, 2), ("quiet = true\n", 0o644, 0),
      ("quiet = true\n", 0o646, 2), ("[host.\"x.org\"]\nheader = [\"Authorization: planted\"]\n", 0o644, 2),
      ("[host.\"x.org\"]\noauth2-bearer = \"planted\"\n", 0o644, 2),
      ("[host.\"x.org\"]\nheader = \"X-A: 1\"\n", 0o644, 0),
    ] as [(String, Int, Int32)])
  func permissions(_ text: String, _ mode: Int, _ status: Int32) async throws {
    try await Sandbox.use { sandbox in
      try sandbox.configure(text, mode: mode)
      let finished = try await sandbox.dray("list")
      expect(finished, exits: status)
      #expect(!finished.text.contains("planted"))
      if status != 0 { #expect(finished.errors.contains("chmod 600 \(sandbox.configuration)"), "\(finished)") }
    }
  }

  @Test("config show prints each value with its source, and no secret")
  func show() async throws {
    try await Sandbox.use { sandbox in
      try sandbox.configure(
        """
        limit-rate = "500k"
        proxy = "http://u:planted@127.0.0.1:1"
        [get]
        quiet = true
        [host."x.org"]
        user = "ann:planted"
        header = ["X-Key: planted"]
        """)
      let finished = try await sandbox.dray(["config", "show"], with: ["DRAY_RETRIES": "9"])
      expect(finished, exits: 0)
      let lines = finished.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
      let file = sandbox.configuration
      for line in [
        "limit-rate 500k \(file):1", "proxy http://…@127.0.0.1:1 \(file):2", "[get] quiet true \(file):4",
        "retries 9 DRAY_RETRIES", "[host.\"x.org\"] user ann:… \(file):6",
        "[host.\"x.org\"] header X-Key: … \(file):7",
      ] { #expect(lines.contains(line), "\(line) in \(finished)") }
      let json = try await sandbox.dray("config", "show", "--json", "--defaults")
      expect(json, exits: 0)
      #expect(!(finished.text + json.text).contains("planted"))
      let rows = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
      #expect(rows.contains { $0["key"] as? String == "limit-rate" && $0["line"] as? Int == 1 })
      #expect(rows.contains { $0["key"] as? String == "on-conflict" && $0["source"] as? String == "default" })
    }
  }

  @Test("config edit makes the file, runs the editor, and checks what it wrote")
  func edit() async throws {
    try await Sandbox.use { sandbox in
      let good = try sandbox.write(
        "#!/bin/sh\ngrep -q '^#limit-rate' \"$2\" && echo 'retries = 7' >> \"$2\"\n", to: "good")
      let bad = try sandbox.write("#!/bin/sh\necho 'retrys = 7' >> \"$1\"\n", to: "bad")
      for path in [good, bad] {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      }
      expect(
        try await sandbox.dray(["config", "edit"], with: ["EDITOR": "false", "VISUAL": "sh '\(good)' -x"]), exits: 0)
      #expect(sandbox.mode(of: sandbox.configuration) == 0o600)
      #expect(try await sandbox.dray("config", "show").output.contains("retries"))
      let finished = try await sandbox.dray(["config", "edit"], with: ["EDITOR": "sh '\(bad)'"])
      expect(finished, exits: 2)
      #expect(finished.errors.contains("did you mean retries?"), "\(finished)")
      expect(try await sandbox.dray(["config", "edit"], with: ["EDITOR": "false"]), exits: 1)
    }
  }
}
