// The meaning of a URL without a scheme.

import DrayCore
import Testing

@Suite struct SchemeGuessTests {
  @Test(
    "a name gets https, localhost and addresses get http",
    arguments: [
      ("example.org", "https://example.org"), ("example.org/a b?c=d", "https://example.org/a b?c=d"),
      ("  Example.ORG:8443/f ", "https://Example.ORG:8443/f"), ("u:p@example.org/f", "https://u:p@example.org/f"),
      ("bücher.example/f", "https://bücher.example/f"), ("example.org#x", "https://example.org#x"),
      ("localhost", "http://localhost"), ("localhost:8000/f", "http://localhost:8000/f"),
      ("a.localhost/f", "http://a.localhost/f"), ("127.0.0.1/f", "http://127.0.0.1/f"),
      ("[::1]:80/f", "http://[::1]:80/f"), ("192.168.0.7:9", "http://192.168.0.7:9"),
    ])
  func guessed(_ typed: String, _ url: String) {
    let guess = SchemeGuess(typed)
    #expect(guess?.text == url)
    #expect(guess?.isAssumed == url.hasPrefix("https"))
  }

  @Test(
    "ambiguous input is unchanged",
    arguments: [
      "http://h/f", "file", "list.", ".hidden", "-x.y", "a..b", "3", "12", "", " ", "a b.c", "host:8000/f",
      "mailto:a@b.c",
      "magnet:?xt=urn:btih:0", "/etc/hosts", "./f.txt", "~/f.txt", "example.org:port/f", "[::1", "a.b:123456", "?a=b.c",
      "urn:isbn:1", "a.1", "x.y\u{1B}[2J",
    ])
  func others(_ typed: String) {
    #expect(SchemeGuess(typed) == nil)
  }
}
