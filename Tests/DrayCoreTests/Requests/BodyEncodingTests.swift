// How parameters, forms and multipart bodies are written.

import DrayCore
import TestSupport
import Testing

@Suite struct BodyEncodingTests {
  @Test(arguments: [
    ("http://h/p", "q", "a b", "http://h/p?q=a%20b"),
    ("http://h/p?x=1", "q", "&=+%#?/", "http://h/p?x=1&q=%26%3D%2B%25%23%3F%2F"),
    ("http://h/p?", "ä", "ü", "http://h/p?%C3%A4=%C3%BC"),
    ("http://h/p?x&", "q", "", "http://h/p?x&q="),
    ("http://h/p", "q", "%41", "http://h/p?q=%2541"),
    ("http://h/p", "a~._-z", nil, "http://h/p?a~._-z"),
  ])
  func parameterIsAppended(url: String, name: String, value: String?, expected: String) throws {
    #expect(try RequestURL.parse(url).url.appending(queryName: name, value: value).string == expected)
  }

  @Test(arguments: [
    ("http://h/", "a b.iso", "http://h/a%20b.iso"), ("http://h/d/", "x?#", "http://h/d/x%3F%23"),
    ("http://h/d/name", "x", "http://h/d/name"),
    // A query makes the URL complete, as in curl.
    ("http://h/d/?k=1", "x", "http://h/d/?k=1"), ("http://h/425/?q", "x", "http://h/425/?q"),
    ("http://h/?/", "x", "http://h/?/"), ("http://h/d?p=/", "x", "http://h/d?p=/"),
    ("http://h/d/?", "x", "http://h/d/x?"),
  ])
  func fileNameIsAppended(url: String, name: String, expected: String) throws {
    #expect(try RequestURL.parse(url).url.appending(fileName: name).string == expected)
  }

  @Test func aURLThatGetsTooLongIsRefused() throws {
    let url = try RequestURL.parse("http://h/").url
    #expect(throws: URLParseError.self) {
      try url.appending(queryName: "q", value: String(repeating: "x", count: RequestURL.longest))
    }
  }

  @Test(arguments: [
    ("a b", "a+b"), ("&=+%", "%26%3D%2B%25"), ("*-._", "*-._"), ("~", "%7E"), ("\u{FC}", "%C3%BC"), ("\0", "%00"),
  ])
  func bytesOfAForm(text: String, expected: String) {
    #expect(String(decoding: FormEncoding.encoded(text.utf8), as: UTF8.self) == expected)
  }

  @Test(arguments: [
    ("a\nb", "a%0D%0Ab"), ("a\r\nb", "a%0D%0Ab"), ("a\rb", "a%0D%0Ab"), ("\r\r", "%0D%0A%0D%0A"),
    ("\n\n", "%0D%0A%0D%0A"),
    ("\r", "%0D%0A"), ("", ""),
  ])
  func lineEndsOfAForm(text: String, expected: String) {
    let body = FormEncoding.body([FormField("n", text), FormField("m&", "1")])
    #expect(String(decoding: body, as: UTF8.self) == "n=\(expected)&m%26=1")
  }

  @Test func partsAreFramed() {
    var random = SplitMix(seed: 1)
    let framing = MultipartFraming(using: &random)
    let boundary = framing.boundary
    #expect(boundary.utf8.count <= 70, "RFC 2046 allows no more")
    #expect(framing.contentType == "multipart/form-data; boundary=\(boundary)")
    let head = MultipartHead(
      name: "a\"b\r\nX: y", fileName: "ü\".txt", contentType: "text/plain", headers: [HeaderField("X-Own", "1")])
    #expect(
      String(decoding: framing.opening(head), as: UTF8.self)
        == "--\(boundary)\r\nContent-Disposition: form-data; name=\"a%22b%0D%0AX: y\"; filename=\"ü%22.txt\"\r\n"
        + "Content-Type: text/plain\r\nX-Own: 1\r\n\r\n")
    #expect(String(decoding: framing.closing, as: UTF8.self) == "--\(boundary)--\r\n")
  }

  @Test func noTwoBoundariesAreTheSame() {
    var random = SplitMix(seed: 1)
    let boundaries = (0..<1000).map { _ in MultipartFraming(using: &random).boundary }
    #expect(Set(boundaries).count == 1000)
  }

  @Test(arguments: [
    ("x.TXT", "text/plain"), ("x.tar.gz", "application/gzip"), ("x.json", "application/json"),
    ("x", "application/octet-stream"), ("x.", "application/octet-stream"), (".jpg", "image/jpeg"),
  ])
  func typeIsGuessed(name: String, type: String) {
    #expect(MediaType.guess(fileName: name) == type)
  }

  @Test(arguments: [
    ("text/plain", true), ("text/plain; charset=utf-8", true), ("a/b+c", true), ("text", false), ("text/", false),
    ("/x", false), ("a/b/c", false), ("text/plain\r\nX: y", false), ("te xt/plain", false), ("", false),
  ])
  func typedTypeIsChecked(text: String, isValid: Bool) {
    #expect(MediaType.isValid(text) == isValid)
  }
}
