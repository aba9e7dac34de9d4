// The systemd unit: the quoting of words, and the rules that it shares with the packages' unit.

import Foundation
import Testing

@testable import DrayCommands

@Suite struct ServiceUnitTests {
  @Test(arguments: [
    ("/usr/bin/dray", "/usr/bin/dray"), ("a b", "\"a b\""), ("", "\"\""), ("100%", "100%%"), ("$HOME", "$$HOME"),
    ("a\"b", "\"a\\\"b\""), ("a\\b", "\"a\\\\b\""), ("a;b", "\"a;b\""), ("ü", "\"ü\""), ("it's", "\"it's\""),
  ])
  func words(word: String, written: String) {
    #expect(ServiceUnit.word(word) == written)
  }

  @Test func text() {
    var unit = ServiceUnit(command: ["/usr/bin/dray", "serve", "--root", "/my files"], workingDirectory: "/home/u")
    unit.environment = [("DRAY_HOME", "/state $x")]
    let lines = unit.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.contains("ExecStart=/usr/bin/dray serve --root \"/my files\""))
    #expect(lines.contains("WorkingDirectory=/home/u"))
    #expect(lines.contains("Environment=\"DRAY_HOME=/state $x\""))
    #expect(lines.contains("WantedBy=default.target"))
  }

  @Test func cronLine() {
    var unit = ServiceUnit(command: ["/usr/bin/dray", "serve", "--root", "100% mine"], workingDirectory: "/home/u v")
    #expect(unit.cronLine == "@reboot cd '/home/u v' && /usr/bin/dray serve --root '100\\% mine' --detach")
    (unit.workingDirectory, unit.environment) = (nil, [("DRAY_HOME", "/state $x")])
    #expect(unit.cronLine == "@reboot DRAY_HOME='/state $x' /usr/bin/dray serve --root '100\\% mine' --detach")
  }

  @Test("the unit of the packages has the same rules")
  func packaged() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
      .standardized
    let text = try String(contentsOf: root.appendingPathComponent("systemd/dray.service"), encoding: .utf8)
    let lines = Set(text.split(separator: "\n"))
    for rule in ServiceUnit.rules where !rule.hasPrefix("#") { #expect(lines.contains(rule[...]), "\(rule)") }
  }
}
