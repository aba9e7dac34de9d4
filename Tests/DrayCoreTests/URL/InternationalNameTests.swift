// Host names in other scripts.

import Testing

@testable import DrayCore

@Suite struct InternationalNameTests {
  @Test(arguments: [
    ("Bücher.example", "xn--bcher-kva.example"), ("faß.de", "xn--fa-hia.de"), ("日本語。jp", "xn--wgv71a119e.jp"),
    ("пример.испытание", "xn--e1afmkfd.xn--80akhbyknj4f"), ("e\u{301}.com", "xn--9ca.com"), ("ｅx.com", "ex.com"),
    ("o\u{FB03}ce.com", "office.com"), ("a_b.ä.com", "a_b.xn--4ca.com"), ("ä.com.", "xn--4ca.com."),
    ("１.ä", "1.xn--4ca"), ("xn--bcher-kva.ä", "xn--bcher-kva.xn--4ca"), ("\u{1112}\u{1161}\u{11AB}", "xn--6q8b"),
  ])
  func ascii(_ name: String, _ expected: String) throws {
    #expect(try InternationalName.ascii(name) == expected)
  }

  @Test(arguments: [
    "ex／y.com", "a℀b.com", "a\u{202E}b", "☃.net", "ä b", "ä@b", "ä\0b", "-ä.com", "xn--zz.ä",
    String(repeating: "ä", count: 70),
  ])
  func refuses(_ name: String) {
    let error = #expect(throws: URLParseError.self) { try InternationalName.ascii(name) }
    #expect(error?.message.contains("xn--") == true)
  }
}
