// Which hosts are this machine, and which tokens can be sent.

import DrayDocuments
import Testing

@Suite struct ServiceAddressTests {
  @Test(
    "P7: plain http is only for hosts that are this machine by their names, for all services alike",
    arguments: [
      ("localhost", true), ("LOCALHOST:8080", true), ("127.0.0.1", true), ("127.0.0.1:5000", true),
      ("127.255.0.9", true), ("[::1]", true), ("[::1]:443", true), ("127.1", false), ("127.0.0.999", false),
      ("127.0.0.+1", false), ("127.0.0.", false), ("127.example.org", false), ("127.0.0.1.example.org", false),
      ("localhost.example.org", false), ("[::2]", false), ("::1", false), ("", false), (":80", false),
    ])
  func local(host: String, isLocal: Bool) {
    #expect(ServiceAddress.isLocal(host) == isLocal)
  }

  @Test(
    "P7: a token is cleaned alike for all services, and never breaks a header field",
    arguments: [
      ("t0ken~", "t0ken~"), (" \tt\r\n", "t"), ("\n", nil), ("", nil), ("a b", nil), ("a\r\nX: b", nil),
      ("a\u{7F}", nil), ("\u{E4}", nil),
    ] as [(String, String?)])
  func token(text: String, usable: String?) {
    #expect(TokenText.usable(text) == usable)
    #expect(TokenText.isUsable(text) == (text == usable))
  }

  @Test("P13: a token has at most 64 KiB")
  func long() {
    let longest = String(repeating: "a", count: 64 << 10)
    #expect(TokenText.isUsable(longest) && !TokenText.isUsable(longest + "a"))
  }
}
