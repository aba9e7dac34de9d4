// [source.NAME]: files by a program. The examples of docs/sources.md run as they stand there.

import FaultServer
import Foundation
import Synchronization
import TestSupport
import Testing

/// An example of docs/sources.md: a section of the configuration, and the program after it.
private struct SourceExample {
  let section: String
  let program: String
  private let name: String

  init(_ name: String) throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/sources.md")
    let text = try String(contentsOf: page.standardizedFileURL, encoding: .utf8)
    let part = try #require(text.components(separatedBy: "```toml\n[source.\(name)]\n").dropFirst().first)
    let blocks = part.components(separatedBy: "```")
    section = "[source.\(name)]\n" + (try #require(blocks.first))
    let code = try #require(blocks.dropFirst().first { $0.hasPrefix("python\n") })
    (program, self.name) = (String(code.dropFirst("python\n".count)), name)
  }

  /// Puts both where the page says they are.
  func install(in sandbox: Sandbox, _ change: (String) -> String = { $0 }) throws {
    try sandbox.configure(section)
    #expect(program.contains("# ~/.config/dray/\(name).py:") && section.contains("~/.config/dray/\(name).py"))
    try Data(change(program).utf8).write(to: URL(fileURLWithPath: sandbox.root + "/user/.config/dray/\(name).py"))
  }
}

@Suite("Sources by a program", .needs(.programs("python3")))
struct ProgramSourceTests {
  private static let version = Version.named("report", size: 300_000)

  /// Configures a source `own` whose program is a line of sh.
  private func configure(_ sandbox: Sandbox, _ script: String, _ more: String = "") throws {
    let path = try sandbox.write(script, to: "../user/own.sh")
    try sandbox.configure("[source.own]\ncommand = [\"sh\", \"\(path)\"]\n\(more)")
  }

  // MARK: The examples

  /// A site whose links expire: a link is valid until its number is no longer `valid`.
  private func openSite(_ sandbox: Sandbox, _ valid: SharedNumber) {
    let size = Self.version.content.size
    let hex = Sandbox.sha256(Self.version.content)
    var list = Resource(Version(.fixed("{}".utf8)))
    list.contentType = "application/json"
    list.credentials = "ann:geheim"
    list.decide = { _ in
      let link = "/files/q3.bin?key=\(valid.value)"
      let file = #"{"name":"2026/q3.bin","link":"\#(link)","bytes":\#(size),"sha256":"\#(hex)"}"#
      return .changed(to: Version(.fixed(#"{"version":"7","files":[\#(file)]}"#.utf8)))
    }
    sandbox.server["/api/reports/2026/q3"] = list
    var file = Resource(Self.version)
    file.decide = { request in
      guard request.target.hasSuffix("?key=\(valid.value)") else { return .status(403) }
      guard valid.value == 1 else { return .normal }
      valid.value = 2
      return .cut(after: 200_000)
    }
    sandbox.server["/files/q3.bin"] = file
  }

  @Test("a link behind a login: it expires in the middle, and the bytes are kept")
  func login() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let valid = SharedNumber(1)
      openSite(sandbox, valid)
      try SourceExample("reports").install(in: sandbox) { program in
        program.replacing("https://reports.example.org", with: sandbox.server.url(""))
      }
      let login = ["REPORTS_USER": "ann", "REPORTS_PASSWORD": "geheim"]
      expect(try await sandbox.dray(["info", "reports:2026/q3"], with: login), exits: 0, saying: "q3.bin")
      #expect(sandbox.server.requests("/files/q3.bin").isEmpty)
      let finished = try await sandbox.dray(["get", "reports:2026/q3", "--retry-wait", "0.1"], with: login)
      expect(finished, exits: 0)
      #expect(Self.version.content.difference(fromFileAt: sandbox.path("2026/q3.bin")) == nil, "\(finished)")
      let requests = sandbox.server.requests("/files/q3.bin")
      #expect(
        requests.map(\.status).contains(403) && requests.last?["range"]?.hasPrefix("bytes=") == true, "\(requests)")
      #expect(sandbox.server.bytesSent("/files/q3.bin") < 300_000 + 100_000)
      #expect(!finished.text.contains("geheim"))
    }
  }

  @Test("a login that is refused, a name that does not exist, and a site that is gone have the program's own words")
  func refusals() async throws {
    try await Sandbox.use { sandbox in
      openSite(sandbox, SharedNumber(1))
      let example = try SourceExample("reports")
      try example.install(in: sandbox) { program in
        program.replacing("https://reports.example.org", with: sandbox.server.url(""))
      }
      let bad = try await sandbox.dray(["get", "reports:2026/q3"], with: ["REPORTS_USER": "ann"])
      expect(bad, exits: 1, saying: "the login was refused; set REPORTS_USER")
      let login = ["REPORTS_USER": "ann", "REPORTS_PASSWORD": "geheim"]
      expect(try await sandbox.dray(["get", "reports:2027"], with: login), exits: 1, saying: "no such report: 2027")
      try example.install(in: sandbox) { program in
        program.replacing("https://reports.example.org", with: "http://127.0.0.1:1")
      }
      expect(try await sandbox.dray(["get", "reports:2026/q3"], with: login), exits: 1, saying: "cannot be reached")
      sandbox.expectNoFiles()
    }
  }

  /// What `yt-dlp -J` prints for a page with one video, shortened: the chosen format is merged into the whole.
  private static func page(_ url: String) -> String {
    """
    {"id": "v1", "title": "A film / part 1", "ext": "mp4", "url": "\(url)", "protocol": "http", "format_id": "18", \
    "filesize": 300000, "filesize_approx": null, "_type": "video", "extractor": "example", "playlist": null, \
    "http_headers": {"User-Agent": "Browser/1", "Accept": "*/*", "Sec-Fetch-Mode": "navigate"}, \
    "formats": [{"format_id": "18", "url": "\(url)", "vcodec": "avc1", "acodec": "mp4a"}], \
    "requested_downloads": [{"format_id": "18", "filepath": "/x/A film [v1].mp4"}], "_version": {"version": "2026.01.01"}}
    """
  }

  /// Installs a program named yt-dlp that prints `$HOME/page.json`, and returns the search path with it.
  private func installStub(_ sandbox: Sandbox, _ page: String) async throws -> String {
    let directory = sandbox.root + "/user/bin"
    try sandbox.write(page, to: "../user/page.json")
    // Another process writes it: a file that a fork of this one has open for writing cannot be executed.
    let made = try await sandbox.shell(
      """
      mkdir -p \(directory) && printf '%s\\n' '#!/bin/sh' 'echo "$*" > "$HOME/words"' '[ -s "$HOME/page.json" ] || exit 1' \
      'cat "$HOME/page.json"' > \(directory)/yt-dlp && chmod +x \(directory)/yt-dlp
      """)
    expect(made, exits: 0)
    return directory + ":" + (sandbox.environment["PATH"] ?? "")
  }

  @Test("the example with yt-dlp: a page's video, its name and its header fields")
  func stub() async throws {
    try await Sandbox.use { sandbox in
      let version = Self.version
      sandbox.server["/film"] = .init(version)
      sandbox.server["/film"]?.required = ["User-Agent": "Browser/1", "Sec-Fetch-Mode": "navigate"]
      try SourceExample("video").install(in: sandbox)
      let path = try await installStub(sandbox, Self.page(sandbox.server.url("/film")))
      let address = "https://example.org/watch?v=1"
      let finished = try await sandbox.dray(["get", "video:\(address)"], with: ["PATH": path])
      expect(finished, exits: 0)
      sandbox.expectFiles(["A film _ part 1 [v1].mp4": version.content], finished)
      #expect(sandbox.read("../user/words")?.hasSuffix("-- \(address)\n") == true)
      try sandbox.write("", to: "../user/page.json")
      let streams = try await sandbox.dray(["get", "video:\(address)"], with: ["PATH": path])
      expect(streams, exits: 1, saying: "yt-dlp --downloader")
    }
  }

  @Test("the example with yt-dlp itself", .needs(.ytDlp))
  func ytDlp() async throws {
    try await Sandbox.use { sandbox in
      let program = try #require(YtDlp.program)
      var film = Resource(Self.version)
      film.contentType = "video/mp4"
      sandbox.server["/film.mp4"] = film
      try SourceExample("video").install(in: sandbox)
      let path = (program as NSString).deletingLastPathComponent + ":" + (sandbox.environment["PATH"] ?? "")
      let finished = try await sandbox.dray(["get", "video:\(sandbox.server.url("/film.mp4"))"], with: ["PATH": path])
      expect(finished, exits: 0)
      sandbox.expectFiles(["film [film].mp4": Self.version.content], finished)
    }
  }

  // MARK: Lies and limits

  static let lies: [(script: String, status: Int32, says: String)] = [
    (#"echo '{"path":"../f","url":"URL"}'"#, 7, "line 1: the path"),
    (#"echo '{"path":"/tmp/f","url":"URL"}'"#, 7, "must be relative"),
    (#"echo '{"path":"f","url":"file:///etc/passwd"}'"#, 7, "cannot be used"),
    (#"echo '{"path":"f","url":"URL","size":-1}'"#, 7, "number of bytes"),
    (#"echo '{"path":"f","url":"URL","digest":{"sha-256":"00"}}'"#, 7, "64 hexadecimal digits"),
    (#"echo '{"path":"f","url":"URL"}'; echo oops"#, 7, "line 2: it is not JSON"),
    (#"echo '{"path":"f","url":"URL"}'; echo bad >&2; exit 3"#, 1, "sh ended with exit status 3: bad"),
    ("exit 0", 1, "sh gave no file"), ("kill -9 $$", 1, "signal 9"), ("sleep 600", 1, "took more than"),
    (#"yes '{"path":"f","url":"URL"}'"#, 7, "wrote more than 32 MiB"),
    (#"printf '{"error":"\\u001b[31mno","advice":"ask ann"}'"#, 1, "no; ask ann"),
  ]

  @Test("a program that lies or fails is told with its name, and nothing is fetched", arguments: lies)
  func lie(script: String, status: Int32, says: String) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let line = script.replacing("URL", with: sandbox.server.url("/f"))
      try configure(sandbox, line, script.hasPrefix("sleep") ? "timeout = 1" : "")
      let finished = try await sandbox.dray("get", "own:x")
      expect(finished, exits: status, saying: says)
      #expect(finished.errors.contains("own:x") && !finished.text.contains("\u{1B}[31m"), "\(finished)")
      #expect(sandbox.server.requests.isEmpty)
      sandbox.expectNoFiles(finished)
    }
  }

  @Test("a size or a digest that is wrong is found, and the file is not published")
  func wrongFacts() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      for fact in [#""size":7"#, #""digest":{"md5":"00000000000000000000000000000000"}"#] {
        try configure(sandbox, #"echo '{"path":"f","url":"\#(sandbox.server.url("/f"))",\#(fact)}'"#)
        let finished = try await sandbox.dray("get", "own:x", "--retries", "0")
        #expect(finished.exit != .code(0), "\(finished)")
        #expect(!sandbox.names().contains("f"), "\(finished)")
        expect(try await sandbox.dray("remove", "--all"), exits: 0)
      }
    }
  }

  @Test("the program gets no secret of dray, and its remarks are shown without control characters")
  func environment() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let line = #"env > "$HOME/env"; cat > "$HOME/in"; printf 'note \033[31m\n' >&2; "#
      try configure(
        sandbox, line + #"echo '{"path":"f","url":"\#(sandbox.server.url("/f"))"}'"#, "environment = [\"OWN_TOKEN\"]")
      let finished = try await sandbox.dray(
        ["get", "own:a b"], with: ["DRAY_PASSWORD": "PLANTED", "HF_TOKEN": "PLANTED", "OWN_TOKEN": "mine"])
      expect(finished, exits: 0, saying: #"note \u{1B}[31m"#)
      let environment = try #require(sandbox.read("../user/env"))
      #expect(!environment.contains("PLANTED") && environment.contains("OWN_TOKEN=mine"), "\(environment)")
      #expect(!environment.contains("DRAY_"), "\(environment)")
      #expect(
        sandbox.read("../user/in") == #"{"version":1,"action":"find","name":"own:a b","scheme":"own","rest":"a b"}"#
          + "\n")
    }
  }

  @Test("a signal that ends a command ends the program that it asks", arguments: [SIGINT, SIGTERM, SIGHUP])
  func signals(number: Int32) async throws {
    try await Sandbox.use { sandbox in
      try configure(sandbox, #"echo $$ > "$HOME/pid~"; mv "$HOME/pid~" "$HOME/pid"; exec sleep 600"#)
      let program = try sandbox.start(["get", "own:x"])
      try await program.wait(for: "the program") { sandbox.read("../user/pid") != nil }
      program.send(number)
      expect(try await program.finish(), exits: 128 + number)
      let text = try #require(sandbox.read("../user/pid")).trimmingCharacters(in: .whitespacesAndNewlines)
      let isGone = { () -> Bool in
        let stat = try? String(contentsOfFile: "/proc/\(text)/stat", encoding: .utf8)
        return stat.map { $0.contains(") Z") } ?? true
      }
      for _ in 0..<100 where !isGone() { try await Task.sleep(for: .milliseconds(50)) }
      #expect(isGone())
      sandbox.expectNoFiles()
    }
  }

  // MARK: Who can start it

  @Test("a client of the service cannot start it, and cannot define one")
  func clients() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      try configure(
        sandbox, #"touch "$HOME/ran"; echo '{"path":"f","url":"\#(sandbox.server.url("/f"))"}'"#)
      let service = try await Service.start(in: sandbox)
      let answer = try await service.call("aria2.addUri", [["own:x"]]) as? String
      #expect(answer?.hasPrefix("!") == true, "\(answer ?? "")")
      for body in [
        #"{"jobs":[{"url":"own:x"}]}"#, #"{"list":"own:x"}"#,
        #"{"jobs":[{"url":"\#(sandbox.server.url("/g"))","source":{"command":["touch","ran"]}}]}"#,
      ] {
        let refused = try await service.api("POST", "/jobs", body)
        #expect(["400", "403"].contains(refused.status), "\(body): \(refused)")
      }
      #expect(try await sandbox.jobs().isEmpty)
      try await service.stop()
      #expect(!FileManager.default.fileExists(atPath: sandbox.root + "/user/ran"))
    }
  }

  @Test("only the configuration defines a source: neither a variable, an option nor the working directory")
  func configurationOnly() async throws {
    try await Sandbox.use { sandbox in
      let section = "[source.own]\ncommand = [\"touch\", \"\(sandbox.path("ran"))\"]\n"
      try sandbox.write(section, to: "config.toml")
      try sandbox.write(section, to: ".dray.toml")
      let finished = try await sandbox.dray(["get", "own:x"], with: ["DRAY_SOURCE": "touch ran"])
      #expect(finished.exit != .code(0) && !sandbox.names().contains("ran"), "\(finished)")
    }
  }

  @Test("config check, show and doctor know the section")
  func checks() async throws {
    try await Sandbox.use { sandbox in
      try sandbox.configure("[source.own]\ncommand = [\"prog\", \"a b\"]\ntimeout = 30\n")
      expect(try await sandbox.dray("config", "check"), exits: 0, saying: "2 values, 1 section")
      expect(try await sandbox.dray("config", "show"), exits: 0, saying: "[source.own] command")
      #expect(try await sandbox.dray("doctor").text.contains("own: prog was not found"))
      try sandbox.configure("[source.own]\ncommand = \"prog\"\n")
      for command in [["config", "check"], ["list"]] {
        expect(try await sandbox.dray(command), exits: 2, saying: "config.toml:2: command: it must be an array")
      }
      try sandbox.configure("[source.https]\ncommand = [\"prog\"]\n")
      expect(try await sandbox.dray("config", "check"), exits: 2, saying: "[source.https]")
    }
  }
}

/// A number that closures share.
private final class SharedNumber: Sendable {
  private let number: Mutex<Int>

  init(_ value: Int) { number = Mutex(value) }

  var value: Int {
    get { number.withLock(\.self) }
    set { number.withLock { $0 = newValue } }
  }
}
