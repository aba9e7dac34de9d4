// Messages about refused redirects, and the owners of secrets: H3 of the cases, P7, P8.

import Testing

@testable import DrayCore

@Suite struct RefusalTests {
  @Test(
    arguments: [
      "http://u:hunter2@h/?token=hunter2", "http://h\u{1B}[2J?token=hunter2", "http://h:\u{202E}/?key=hunter2",
      "http://u:hunter2@h:x/",
    ])
  func refusalsAreFitToPrint(location: String) throws {
    let decision = RedirectPolicy.decide(from: try url("https://h/"), status: 302, location: [location], hop: 0)
    guard case .refuse(let why) = decision else {
      Issue.record("\(decision)")
      return
    }
    #expect(!why.contains("hunter2"))
    #expect(!why.unicodeScalars.contains { $0.isUnprintable })
  }

  @Test(
    arguments: [
      ("http://h/a", "http://H:80/b?c", true), ("http://h/", "https://h/", false), ("http://h/", "http://h:81/", false),
      ("http://h/", "http://i/", false), ("https://h:443/", "https://h/", true),
      ("https://h:443/", "http://h:443/", false), ("http://münchen.de/", "http://xn--mnchen-3ya.de/", true),
      ("http://h.x/", "http://x/", false),
    ])
  func sameOrigin(one: String, other: String, areEqual: Bool) throws {
    #expect((try url(one).origin == url(other).origin) == areEqual)
  }
}
