// The display of URLs with secrets: S3, P7.

import Testing

@testable import DrayCore

@Suite struct URLRedactionTests {
  @Test(
    "S3",
    arguments: [
      ("http://h/x", "http://h/x"), ("http://h/x?a=1&b=2", "http://h/x?a=1&b=2"), ("", ""),
      ("http://h/@x/y", "http://h/@x/y"),
      ("https://user:pw@h/x", "https://…@h/x"), ("https://user@h/x", "https://…@h/x"), ("http://a@b@h", "http://…@h"),
      ("http://h:8080/@scope", "http://h:8080/@scope"), ("http://[::1]:80/a@b", "http://[::1]:80/a@b"),
      // A text that is not a URL can hold a password, too.
      ("user:pw@h/x", "…@h/x"), ("//user:pw@h/x", "//…@h/x"), ("ftp://u:p@h/", "ftp://…@h/"),
      ("http://u:p/w@h/x", "http://…@h/x"), ("http://u:p#w?@h/x", "http://…@h/x"), ("http://u:p w@h\n", "http://…@h\n"),
      ("http://h?token=a@b", "http://h?token=…"),
      // Names that mean secrets, in any spelling.
      ("http://h/?token=a&x=1", "http://h/?token=…&x=1"),
      ("http://h/?x=1&ACCESS_TOKEN=a", "http://h/?x=1&ACCESS_TOKEN=…"),
      ("http://h/?api-key=a&apikey=b&Key=c", "http://h/?api-key=…&apikey=…&Key=…"),
      ("http://h/?X-Amz-Signature=a&X-Amz-Date=b", "http://h/?X-Amz-Signature=…&X-Amz-Date=…"),
      ("http://h/?X-Goog-Credential=a", "http://h/?X-Goog-Credential=…"),
      ("http://h/?AWSAccessKeyId=a&Expires=1&Signature=b", "http://h/?AWSAccessKeyId=…&Expires=1&Signature=…"),
      ("http://h/?Policy=a&Key-Pair-Id=b", "http://h/?Policy=…&Key-Pair-Id=…"),
      ("http://h/?%74oken=a", "http://h/?%74oken=…"),
      ("http://h/?client_secret=a&pwd=b", "http://h/?client_secret=…&pwd=…"),
      ("http://h/#access_token=a&y=1", "http://h/#access_token=…&y=1"), ("?sid=a", "?sid=…"),
      // Azure's parameters are a secret only together.
      ("http://h/?sv=1&se=2&sig=3", "http://h/?sv=…&se=…&sig=…"), ("http://h/?sv=1&se=2", "http://h/?sv=1&se=2"),
      // Names that only look like those of secrets.
      (
        "http://h/?author=a&monkey=b&tokens=1&signed=2&keyword=c",
        "http://h/?author=a&monkey=b&tokens=1&signed=2&keyword=c"
      ),
      ("http://h/?token&x", "http://h/?token&x"),
      // A separator inside a secret exposes no part of it.
      ("http://h/?token=a;b=c?d&x=1", "http://h/?token=…&x=1"), ("http://h/?a=1;token=b;c=2", "http://h/?a=1;token=…"),
      ("http://h/?token=a=b=c", "http://h/?token=…"), ("http://h/?token=a#part", "http://h/?token=…#part"),
    ])
  func redacted(url: String, expected: String) {
    #expect(URLRedaction.redacted(url) == expected)
    #expect(URLRedaction.redacted(expected) == expected)
  }

  @Test(
    "what is stored with a file lacks the secrets, not only their values",
    arguments: [
      ("http://h/x?a=1&b=2", "http://h/x?a=1&b=2"), ("http://u:p@h/x", "http://h/x"),
      ("http://h/?token=a&x=1", "http://h/?x=1"), ("http://h/?x=1&token=a;b=c&y=2", "http://h/?x=1&y=2"),
      ("http://h/d/f?key=a", "http://h/d/f"), ("http://h/?a=1;token=b", "http://h/"),
      ("http://h/?sv=1&se=2&sig=3&x=4", "http://h/?x=4"),
    ])
  func withoutSecrets(text: String, expected: String) throws {
    #expect(URLRedaction.withoutSecrets(try RequestURL.parse(text).url.string) == expected)
  }

  @Test(
    arguments: [
      ("nothing here", "nothing here"), ("a://b", "a://b"),
      (
        "get http://u:p@h/x failed: see https://h/?key=1 or (ftp://u@h)",
        "get http://…@h/x failed: see https://h/?key=… or (ftp://…@h)"
      ),
      ("\"http://h/?sig=a\",\"HTTP://u:p@h\"\n", "\"http://h/?sig=…\",\"HTTP://…@h\"\n"),
      ("proxy socks5h://u:p@h:1080\tno", "proxy socks5h://…@h:1080\tno"), ("://", "://"),
      ("://u:p@h ://", "://…@h ://"),
      ("<http://h/?token=ü>ü", "<http://h/?token=…>ü"), ("mail a@b.c, token=1", "mail a@b.c, token=1"),
    ])
  func insideText(text: String, expected: String) {
    #expect(URLRedaction.redactingURLs(in: text) == expected)
  }
}
