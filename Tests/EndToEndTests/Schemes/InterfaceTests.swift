// --interface with several interfaces: files and their connections are spread over all of them, and an interface that
// fails gives its ranges back.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Interfaces")
struct InterfaceTests {
  @Test("an interface that does not exist is told once, and the other fetches the file")
  func missing() async throws {
    try await Sandbox.use { sandbox in
      let version = FaultServer.Version.named("v1", size: 4 << 20)
      sandbox.server["/f"] = .init(version, script: [Answer { $0.rate = 1 << 20 }])
      let finished = try await sandbox.dray(
        "get", "--interface", "lo,dray-none0", "--retry-wait", "0.05", sandbox.server.url("/f"))
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": version.content], finished)
      #expect(finished.errors.components(separatedBy: "dray-none0 is not used for now").count == 2, "\(finished)")
    }
  }

  @Test("if the first one is missing, the retry goes over the other")
  func firstMissing() async throws {
    try await Sandbox.use { sandbox in
      let version = FaultServer.Version.named("v1", size: 100_000)
      sandbox.server["/f"] = .init(version)
      let finished = try await sandbox.dray(
        "get", "--interface", "dray-none0,lo", "--retry-wait", "0.05", sandbox.server.url("/f"))
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": version.content], finished)
    }
  }

  @Test("if none exists, it is said at once", arguments: ["dray-none0", "dray-none0,dray-none1"])
  func noneExists(_ names: String) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(.named("v1", size: 1000))
      let finished = try await sandbox.dray("get", "--interface", names, sandbox.server.url("/f"))
      expect(finished, exits: 4)
      #expect(finished.errors.contains("dray-none0") && finished.errors.contains("choose one with --interface"))
      #expect(!finished.errors.contains("retrying"), "\(finished)")
      // The same command with an interface that exists starts the job again.
      expect(try await sandbox.dray("get", "--interface", "lo", sandbox.server.url("/f")), exits: 0)
    }
  }

  @Test(
    "requests for documents use the first interface or address that this machine has",
    arguments: ["dray-none0,lo", "dray-none0,127.0.0.1", "127.0.0.1,dray-none0", "192.0.2.1,127.0.0.1"])
  func ofDocuments(_ names: String) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(.named("v1", size: 1000))
      expect(try await sandbox.dray("info", "--interface", names, sandbox.server.url("/f")), exits: 0)
    }
  }

  @Test("a file comes over two lines; one is cut in the middle, and comes back", .needs(.network))
  func twoLines() async throws {
    try await Sandbox.use { sandbox in
      let content = Content.generated(seed: 3, size: 64 << 20)
      let lines = try await TwoLines(in: sandbox, serving: content, rate: 256 << 10)
      let program = try lines.start(["get", "-x", "8", "--interface", "a0,b0", lines.url])
      try await program.wait(for: "both lines") { Set(lines.clients) == ["10.81.1.1", "10.81.2.1"] }
      try await lines.ip("link set b0 down")
      try await program.wait(for: "the loss") { program.errors.contains("b0 is not used for now") }
      try await lines.ip("link set b0 up")
      try await lines.ip("route replace 10.81.9.1 via 10.81.2.2 dev b0 metric 20")
      try await program.wait(for: "the return") { program.errors.contains("b0 is used again") }
      try lines.open()
      let finished = try await program.finish()
      expect(finished, exits: 0)
      sandbox.expectFiles(["file": content], finished)
      #expect(finished.errors.components(separatedBy: "b0 is not used for now").count == 2, "\(finished)")
    }
  }

  @Test("a mirror's bytes are compared over the other line, after that of the first answer is cut", .needs(.network))
  func mirror() async throws {
    try await Sandbox.use { sandbox in
      let content = Content.generated(seed: 3, size: 64 << 20)
      let lines = try await TwoLines(in: sandbox, serving: content, rate: 256 << 10)
      let words = ["get", "-x", "8", "--interface", "a0,b0", "--mirror", lines.mirror, lines.url]
      let program = try lines.start(words)
      try await program.wait(for: "a comparison") { lines.comparisons(by: "10.81.1.1") > 0 }
      try await lines.ip("link set a0 down")
      try await program.wait(for: "the loss") { program.errors.contains("a0 is not used for now") }
      try await program.wait(for: "a comparison over the other line") { lines.comparisons(by: "10.81.2.1") > 0 }
      try lines.open()
      let finished = try await program.finish()
      expect(finished, exits: 0)
      sandbox.expectFiles(["file": content], finished)
      #expect(!finished.errors.contains("the mirror"), "\(finished)")
    }
  }

  @Test("small files of a queue alternate between the lines", .needs(.network))
  func alternate() async throws {
    try await Sandbox.use { sandbox in
      let lines = try await TwoLines(in: sandbox, serving: .generated(seed: 3, size: 100_000), rate: 256 << 10)
      let urls = (0..<8).map { lines.url + "?\($0)" }
      let words = ["get", "-j", "4", "--on-conflict", "rename", "--interface", "a0,b0"]
      let finished = try await lines.start(words + urls).finish()
      expect(finished, exits: 0)
      #expect(Set(lines.clients) == ["10.81.1.1", "10.81.2.1"], "\(lines.clients)")
    }
  }
}

/// Two network namespaces with two lines between them. The server's namespace runs `lines.py`, whose address both lines
/// lead to. Ends with its sandbox.
struct TwoLines {
  private let sandbox: Sandbox
  private let server: RunningProgram
  /// Holds the namespace of clients.
  private let client: RunningProgram
  let url = "http://10.81.9.1:8000/file"
  /// The same file, of which nothing identifies the version.
  let mirror = "http://10.81.9.1:8000/mirror"

  init(in sandbox: Sandbox, serving content: Content, rate: Int) async throws {
    self.sandbox = sandbox
    let path = sandbox.root + "/streams/content"
    try content.write(toFileAt: path)
    client = try sandbox.launch(
      toolPath("unshare"), ["-n", "bash", "-c", "ip link set lo up; echo ready; exec sleep 600"])
    try await client.wait(for: "the namespace") { [client] in client.output.contains("ready") }
    // The devices are made from the server's namespace, and their other ends are moved.
    let other = "nsenter -t \(client.pid) -n ip"
    var lines = ["set -e", "ip link set lo up", "ip address add 10.81.9.1/32 dev lo"]
    for (number, name) in [(1, "a"), (2, "b")] {
      lines += [
        "ip link add \(name)1 type veth peer name \(name)0 netns \(client.pid)",
        "ip address add 10.81.\(number).2/24 dev \(name)1", "ip link set \(name)1 up",
        "\(other) address add 10.81.\(number).1/24 dev \(name)0", "\(other) link set \(name)0 up",
        "\(other) route add 10.81.9.1 via 10.81.\(number).2 dev \(name)0 metric \(number)0",
      ]
    }
    lines.append("exec python3 \(ObjectServer.script("lines.py")) \(path) 10.81.9.1 \(rate)")
    server = try sandbox.launch(toolPath("unshare"), ["-n", "bash", "-c", lines.joined(separator: "\n")])
    try await server.wait(for: "the server") { [server] in server.output.contains("ready") }
  }

  /// The addresses of the clients, one for each request.
  var clients: [String] {
    server.output.split(separator: "\n").filter { $0 != "ready" }.compactMap { $0.split(separator: " ").first }
      .map(String.init)
  }

  /// The number of short parts of the file that a client has asked for: they are compared with a mirror's bytes.
  func comparisons(by client: String) -> Int {
    server.output.split(separator: "\n").count { line in
      let words = line.split(separator: " ")
      guard words.count == 3, words[0] == client, words[2] == "/file" else { return false }
      let ends = words[1].dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
      return ends.count == 2 && ends[1] - ends[0] < 16 << 10
    }
  }

  /// Lets everything go at full speed.
  func open() throws { try sandbox.write("", to: "../streams/content.open") }

  /// Runs `ip` where clients are.
  func ip(_ words: String) async throws {
    let arguments = ["-t", "\(client.pid)", "-n", try toolPath("ip")] + words.split(separator: " ").map(String.init)
    expect(try await sandbox.tool("nsenter", arguments), exits: 0)
  }

  /// Starts dray where clients are.
  func start(_ arguments: [String]) throws -> RunningProgram {
    try sandbox.launch(toolPath("nsenter"), ["-t", "\(client.pid)", "-n", try programPath()] + arguments)
  }
}
