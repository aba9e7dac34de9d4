// Finds the lines of a host in known_hosts.

import DrayCore
import FoundationEssentials
import Testing

@Suite struct KnownHostsTests {
  /// A key of a type, in the form of a line.
  private static func key(_ type: String, _ mark: UInt8 = 1) -> String {
    Data([0, 0, 0, UInt8(type.utf8.count)] + Array(type.utf8) + [0, 0, 0, 1, mark]).base64EncodedString()
  }

  private static let ed = "ssh-ed25519 " + key("ssh-ed25519")
  private static let rsa = "ssh-rsa " + key("ssh-rsa")
  private static let security = "sk-ssh-ed25519@openssh.com " + key("sk-ssh-ed25519@openssh.com")

  /// The lines found for a host. The hash joins key and text instead of hashing them.
  private static func lines(_ text: String, _ host: String = "h.example", _ port: Int = 22) -> String {
    KnownHosts.lines(in: Array(text.utf8), host: host, port: port) { $0 + $1 }
  }

  private static func hashed(_ name: String, salt: String = "s") -> String {
    "|1|" + Data(salt.utf8).base64EncodedString() + "|" + Data((salt + name).utf8).base64EncodedString()
  }

  /// Replaces the words in braces with keys and hashed names.
  private static func filled(_ text: String) -> String {
    let words: [(String, String)] = [
      ("{RSAKEY}", key("ssh-rsa")), ("{UPPERHASH}", hashed("H.EXAMPLE")), ("{OTHERHASH}", hashed("other")),
      ("{HASHED}", hashed("h.example")), ("{RSA}", rsa), ("{ED}", ed), ("{SK}", security),
    ]
    return words.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  @Test(arguments: [
    "h.example {ED}", "h.example {ED} comment here", "other,h.example,192.0.2.1 {ED}", "H.Example {ED}",
    "*.example {ED}", "h.exampl? {ED}", "* {ED}", "\th.example\t{ED}", "h.example {ED}\r\n",
    "# comment\r\n\r\nh.example {ED}\r\n", "nonsense\nh.example {ED}", "h.example ssh-ed25519\nh.example {ED}",
    "h.example ssh-ed25519 %%%\nh.example {ED}", "h.example {SK}\nh.example {ED}",
    "h.example ssh-ed25519 {RSAKEY}\nh.example {ED}", "{HASHED} {ED}",
    "{OTHERHASH} {RSA}\nh.example {ED}", "|2|x|y {RSA}\nh.example {ED}", "!other,*.example {ED}",
    "@cert-authority *.example {RSA}\nh.example {ED}", "@revoked h.example {RSA}\nh.example {ED}",
    "[h.example]:22 {RSA}\nh.example {ED}", "[h.example]:2222 {RSA}\nh.example {ED}",
  ])
  func oneKey(text: String) {
    #expect(Self.lines(Self.filled(text)) == "h.example \(Self.ed)\n")
  }

  @Test(arguments: [
    "", "other {ED}", "!h.example,*.example {ED}", "*.example,!h.* {ED}", "xh.example {ED}", "h.example.org {ED}",
    "@cert-authority h.example {ED}", "@revoked h.example {ED}\nh.example {ED}", "#h.example {ED}",
    "h.example {SK}", "{UPPERHASH} {ED}",
  ])
  func noKey(text: String) {
    #expect(Self.lines(Self.filled(text)) == "")
  }

  @Test func allOfItsKeysInTheirOrder() {
    let text = "h.example \(Self.rsa)\nother \(Self.ed)\n*.example \(Self.ed)\n"
    #expect(Self.lines(text) == "h.example \(Self.rsa)\nh.example \(Self.ed)\n")
  }

  @Test func anotherPort() {
    let text = "[h.example]:2222 \(Self.rsa)\nh.example \(Self.ed)\n"
    #expect(Self.lines(text, "h.example", 2222) == "[h.example]:2222 \(Self.rsa)\n")
    #expect(Self.lines(text, "h.example", 2223) == "[h.example]:2223 \(Self.ed)\n")
    #expect(Self.lines("[*.example]:* \(Self.ed)", "h.example", 2222) == "[h.example]:2222 \(Self.ed)\n")
    #expect(
      Self.lines("\(Self.hashed("[h.example]:2222")) \(Self.ed)", "h.example", 2222).hasPrefix("[h.example]:2222"))
  }

  @Test func addressesOfIPv6() {
    #expect(Self.lines("::1 \(Self.ed)", "[::1]") == "::1 \(Self.ed)\n")
    #expect(Self.lines("[::1]:2222 \(Self.ed)", "[::1]", 2222) == "[::1]:2222 \(Self.ed)\n")
  }

  @Test func bytesThatAreNoText() {
    let lines = KnownHosts.lines(in: [0xFF, 0x0A] + Array("h \(Self.ed)".utf8), host: "h", port: 22) { $0 + $1 }
    #expect(lines == "h \(Self.ed)\n")
  }
}
