// The file name that a server suggests: N1 of the cases (RFC 6266, RFC 8187).

import Testing

@testable import DrayCore

@Suite struct ContentDispositionTests {
  @Test(
    arguments: [
      (#"attachment; filename=x.iso"#, "x.iso"), (#"attachment; filename="x y.iso""#, "x y.iso"),
      (#"ATTACHMENT;FILENAME="x""#, "x"), (#"attachment ; filename = "x" ; size=3"#, "x"),
      (#"inline; filename="a;b=c.txt""#, "a;b=c.txt"), (#"attachment; filename="a\"b\\c""#, #"a"b\c"#),
      (#"attachment; filename="C:\temp\x.txt""#, #"C:\temp\x.txt"#),
      (#"attachment; filename="..\x.txt""#, #"..\x.txt"#), (#"attachment; filename="f\oo.txt""#, "foo.txt"),
      (#"attachment; filename=a b c.txt"#, "a b c.txt"),
      (#"filename="x""#, "x"), (#"filename=x; size=3"#, "x"),
      // filename* wins at any position, if it can be decoded.
      (#"attachment; filename="e.txt"; filename*=UTF-8''%e2%82%ac.txt"#, "€.txt"),
      (#"attachment; filename=e; filename*=UTF8''%e2%82%ac.txt"#, "€.txt"), (#"attachment; filename*=utf8''%FF"#, nil),
      (#"attachment; filename*=utf-8'en'%E2%82%AC%20x; filename=e"#, "€ x"),
      (#"attachment; filename*=ISO-8859-1''na%EFve"#, "naïve"),
      (#"attachment; filename=e; filename*=UTF-8''%FF"#, "e"),
      (#"attachment; filename=e; filename*=koi8-r''%C1"#, "e"),
      (#"attachment; filename=e; filename*=UTF-8''%4"#, "e"), (#"attachment; filename=e; filename*=x"#, "e"),
      (#"attachment; filename=e; filename*=UTF-8''"#, "e"), (#"attachment; filename*=UTF-8''it's"#, "it's"),
      // Raw bytes of Latin-1 or UTF-8, as the head's reader decoded them.
      ("attachment; filename=\"naïve.txt\"", "naïve.txt"),
      // The value is not a name.
      (#"attachment; filename=a; filename=b"#, nil), (#"attachment; filename*=UTF-8''a; filename*=UTF-8''b"#, nil),
      (#"attachment"#, nil), (#""#, nil), (#"attachment; filename="#, nil),
      (#"attachment; filename="""#, nil),
      (#"attachment; filename="abc"#, nil), (#"attachment; filename="abc\"#, nil),
      (#"attachment; name=x"#, nil),
      (#"attachment; filename"#, nil), (#";;;"#, nil), (#"="#, nil), (#"attachment; =x; filename=y"#, "y"),
      (#"attachment; filename*=UTF-8''%zz"#, nil),
      // Several parameters, or several fields in one, joined by a comma: the name is ambiguous.
      (#"filename=foo.html, filename=bar.html"#, nil),
      (#"attachment; filename=foo.html, attachment; filename=bar.html"#, nil),
      (#"attachment; filename=foo.html,filename=bar.html"#, nil), (#"attachment; filename=bar foo=foo"#, nil),
      (#"attachment; foo=foo filename=bar"#, nil), (#"attachment filename=bar"#, nil),
      (#"attachment; filename=a size = 3"#, nil),
      (#"attachment; filename=foo"bar;baz"qux"#, nil), (#"attachment; filename=a"b"#, nil),
      (#"filename="foo.html", filename="bar.html""#, nil), (#"attachment; filename="foo.html".txt"#, nil),
      (#"attachment; filename="a "b".txt""#, nil),
      (#"attachment; inline; filename=foo.html"#, nil), (#"attachment; xfilename=foo.html"#, nil),
      (#""foo; filename=bar;baz"; filename=qux"#, nil),
      // Read as one value, although the grammar does not allow it.
      (#"attachment; filename=foo,bar.html"#, "foo,bar.html"),
      (#"attachment; filename=foo[1](2).html"#, "foo[1](2).html"),
      (#"attachment; filename=a=b.txt"#, "a=b.txt"), (#"attachment; filename='foo.bar'"#, "'foo.bar'"),
      (#"attachment; filename=Report, final.pdf"#, "Report, final.pdf"),
      (#"attachment; filename=foo.html ;"#, "foo.html"), (#"attachment; ;filename=foo"#, "foo"),
    ] as [(String, String?)])
  func suggestedNames(value: String, expected: String?) {
    #expect(ContentDisposition.fileName([value]) == expected)
  }

  @Test func theFirstOfSeveralCounts() {
    #expect(ContentDisposition.fileName([]) == nil)
    #expect(ContentDisposition.fileName(["attachment; filename=a", "attachment; filename=b"]) == "a")
  }

  /// The suggestion is raw. Once it is made safe, it stays inside the directory (N2).
  @Test(
    arguments: [
      (#"attachment; filename="../../x""#, "x"), (#"attachment; filename*=UTF-8''..%2f..%2fx"#, "x"),
      (#"attachment; filename="..\\..\\x""#, "x"),
      (#"attachment; filename*=UTF-8''a%2F%E2%80%8D..%2F%E2%80%8Dx"#, "x"),
      (#"attachment; filename="..""#, nil),
    ] as [(String, String?)])
  func suggestionsAreMadeSafe(value: String, expected: String?) throws {
    let raw = try #require(ContentDisposition.fileName([value]))
    #expect(FileName.safe(raw) == expected)
  }
}
