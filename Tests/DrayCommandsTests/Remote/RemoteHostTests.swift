// `--host`: where it may stand, what it may name, and the command for ssh.

import DrayCore
import Testing

@testable import DrayCommands

@Suite("Another host")
struct RemoteHostTests {
  @Test(
    "--host is taken from anywhere on the line, and the other words stay",
    arguments: [
      ("--host nas list", "nas", "list"), ("list --host nas --json", "nas", "list --json"),
      ("--host=ann@nas.example.org add URL", "ann@nas.example.org", "add URL"),
      ("--config --host list --host nas", "nas", "--config --host list"),
      ("--no-config --host ssh://ann@nas:2222 run", "ssh://ann@nas:2222", "--no-config run"),
      ("--host nas cookies add --host example.org a=b", "nas", "cookies add --host example.org a=b"),
      ("--host a --host b list", "b", "list"), ("--host nas", "nas", ""),
      ("--host [::1] add -- --host", "[::1]", "add -- --host"),
    ])
  func taken(line: String, host: String, words: String) throws {
    let found = try RemoteHost.take(from: line.split(separator: " ").map(String.init))
    #expect(found?.host.destination == host)
    #expect(found?.words == words.split(separator: " ").map(String.init))
  }

  @Test(
    "a command of this machine",
    arguments: ["list", "cookies add --host example.org a=b", "get -- --host", "curl --host x", "--config --host list"])
  func absent(line: String) throws {
    let found = try RemoteHost.take(from: line.split(separator: " ").map(String.init))
    #expect(found == nil)
  }

  @Test(
    "what is no host is refused",
    arguments: ["", "-oProxyCommand=sh", "a b", "a\nb", "ftp://nas/", "a\u{1B}[2J"])
  func refused(text: String) {
    let failure = #expect(throws: Failure.self) { try RemoteHost(text) }
    #expect(failure?.kind == .usage)
    #expect(failure?.message.contains("\u{1B}") == false)
  }

  private func command(
    _ words: [String], isInteractive: Bool = false, _ environment: [String: String] = [:]
  ) throws -> [String] {
    try RemoteHost("nas").command(words, isInteractive: isInteractive, environment)
  }

  @Test("ssh gets a terminal where there is one, and standard input only for a command that reads it")
  func streams() throws {
    let interactive = try command(["watch"], isInteractive: true).dropLast()
    #expect(interactive == ["ssh", "-t", "-o", "LogLevel=ERROR", "--", "nas"])
    #expect(try command(["list"]).dropLast() == ["ssh", "-T", "-n", "--", "nas"])
    let reading = [
      "add -i -", "add -i-", "add --input-file=-", "import", "get --json-body @- URL", "get --password-stdin URL",
    ]
    for line in reading {
      let words = line.split(separator: " ").map(String.init)
      #expect(try command(words).dropLast() == ["ssh", "-T", "--", "nas"], "\(line)")
    }
  }

  @Test("DRAY_SSH names the program that connects, DRAY_HOST_PROGRAM the one there")
  func programs() throws {
    let variables = ["DRAY_SSH": "ssh -F '~/my config'", "DRAY_HOST_PROGRAM": "/opt/my dray", "HOME": "/home/ann"]
    let line = try command(["list"], variables)
    #expect(line.prefix(3) == ["ssh", "-F", "~/my config"])
    #expect(line.last?.hasSuffix(" '/opt/my dray' list") == true)
    let failure = #expect(throws: Failure.self) { _ = try command(["list"], ["DRAY_SSH": "ssh 'x"]) }
    #expect(failure?.subject == "DRAY_SSH")
  }

  @Test("the line is one that a shell splits into the same words")
  func quoted() throws {
    let words = ["dray", "get", "https://h/a b?x=1&y='z'", "-H", "A: $HOME `x` \\ \"", "", "ä\n"]
    let line = RemoteHost.line(words)
    let split = try CommandWords.split(line)
    #expect(split.prefix(2) == ["sh", "-c"])
    #expect(Array(split.dropFirst(3)) == words)
  }
}
