// The user name and password of a .netrc for a host: the files of curl's tests, and the rules of ftp(1).

import Testing

@testable import DrayCore

@Suite struct NetrcTests {
  /// A file's entry for a host, as `user:password`.
  func found(_ text: String, _ host: String, _ user: String?) -> String? {
    Netrc(text.utf8).credentials(for: host, user: user).map { "\($0.user):\($0.password)" }
  }

  static let several = """

    machine github.com
    password weird
    password firstone
    login daniel

    machine github.com

    machine github.com
    login debbie

    machine github.com
    password weird
    password "second\\r"
    login debbie

    """
  static let two = """
    machine h login user1 password passwd1
    machine h login user2 password passwd2
    """

  @Test(
    arguments: [
      // curl's tests 478, 682, 683, 685, 2005, 486.
      (several, "github.com", "debbie", "debbie:second\r"), (several, "github.com", "daniel", "daniel:firstone"),
      (several, "github.com", nil, "daniel:firstone"),
      (two, "h", "user1", "user1:passwd1"), (two, "h", "user2", "user2:passwd2"), (two, "h", nil, "user1:passwd1"),
      (two, "h", "user3", nil), (two, "h", "USER1", nil), (two, "h", "user", nil), (two, "other", "user1", nil),
      ("machine h password 5up3r53cr37", "h", "user", "user:5up3r53cr37"),
      ("machine h password x", "h", nil, nil),
      ("machine a login u password p default", "b", nil, nil), ("machine a login u password p default", "b", "u", nil),
      ("machine a login u\nmachine b login v password w", "a", nil, "u:"),
      // An entry without a name applies to any user, unless another entry precedes it.
      ("machine h login a password 1\nmachine h password 2", "h", "b", "b:2"),
      ("machine h password 2\nmachine h login a password 1", "h", "a", "a:2"),
      ("machine h login a\nmachine h login a password 1", "h", nil, "a:1"),
      ("machine h login a\ndefault login x password y", "h", nil, "a:"),
      ("default login anonymous password me@here", "any", nil, "anonymous:me@here"),
      ("default password p", "any", "u", "u:p"),
      ("machine h login a password 1 default login b password 2", "g", nil, "b:2"),
      // Words: any white space separates them, quotes hold them together, host names ignore case.
      ("machine\n\tH.example\r\nlogin a\r\npassword b", "h.EXAMPLE", nil, "a:b"),
      (#"machine h login "a b" password "c\"d\\e\n""#, "h", nil, "a b:c\"d\\e\n"),
      (#"machine h login "" password """#, "h", nil, ":"), (#"machine h login a password "open"#, "h", nil, "a:open"),
      ("machine h account x login a account login password b", "h", nil, "a:b"),
      ("machine h login machine password default", "h", nil, "machine:default"),
      ("machine h login a password #b", "h", nil, "a:#b"),
      ("# machine h login no password no\n  # machine h\nmachine h login a password b", "h", nil, "a:b"),
      ("machine ::1 login a password b", "[::1]", nil, "a:b"),
      // Macros end at an empty line.
      ("macdef init\nmachine h login no password no\n\nmachine h login a password b", "h", nil, "a:b"),
      ("machine g macdef x\ncd /\n\r\nmachine h login a password b", "h", nil, "a:b"),
      ("macdef init\nx", "h", nil, nil),
      // Truncated or empty entries.
      ("", "h", nil, nil), ("machine", "h", nil, nil), ("machine h login", "h", nil, nil), ("login a", "h", nil, nil),
      ("machine h login a password", "h", nil, "a:"), ("password \"", "h", "u", nil),
    ] as [(String, String, String?, String?)])
  func credentials(text: String, host: String, user: String?, expected: String?) {
    #expect(found(text, host, user) == expected)
  }

  @Test(
    arguments: [
      ("default login x password y", nil, nil), ("default login x password y", "u", nil),
      ("default password y", "u", nil), ("machine h login a password b\ndefault login x password y", nil, "a:b"),
      ("machine g login a password b\ndefault login x password y", nil, nil),
      ("machine h login a\ndefault login a password y", nil, "a:"),
    ] as [(String, String?, String?)])
  func theDefaultDoesNotCountWhereNoUserNamedTheHost(text: String, user: String?, expected: String?) {
    let found = Netrc(text.utf8).credentials(for: "h", user: user, skippingDefault: true)
    #expect(found.map { "\($0.user):\($0.password)" } == expected)
  }

  @Test func noMoreIsReadThanABound() {
    let long = String(repeating: " ", count: Netrc.longest) + "machine h login a password b"
    #expect(found(long, "h", nil) == nil)
  }
}
