// Catalogs: look-up by name and version, and a distinct message for each error.

import DrayCore
import DrayDocuments
import Testing

@Suite("Catalogs")
struct CatalogTests {
  static let text = """
    {
      "dray-catalog": 1,
      "services": {
        "kernel": {
          "description": "the kernel",
          "versions": {
            "1.9.0": {"urls": ["kernel-1.9.0.tar"]},
            "1.10.0": {
              "urls": ["kernel-1.10.0.tar", "https://mirror.example/k.tar"],
              "size": 10, "digest": "md5=00112233445566778899aabbccddeeff",
              "headers": {"X-Key": "k"}, "filename": "kernel.tar"
            },
            "1.10.0-rc.1": {"urls": ["rc.tar"]}
          }
        },
        "@scope/pkg": {"versions": {"latest": {"urls": ["p"]}}}
      }
    }
    """

  private func catalog(_ text: String = Self.text) throws -> Catalog {
    try Catalog.parse(Array(text.utf8), base: try RequestURL.parse("https://cat.example/dir/catalog.json").url)
  }

  @Test("a name alone is its highest version; a version is exact; relative URLs start at the catalog")
  func find() throws {
    let highest = try catalog().find("kernel")
    #expect(highest.version == "1.10.0" && highest.file.name == "kernel.tar" && highest.file.size == 10)
    #expect(
      highest.file.urls.map(\.string) == ["https://cat.example/dir/kernel-1.10.0.tar", "https://mirror.example/k.tar"])
    #expect(highest.file.headers == [HeaderField("X-Key", "k")])
    #expect(try catalog().find("kernel@1.9.0").file.urls.first?.path == "/dir/kernel-1.9.0.tar")
    #expect(try catalog().find("@scope/pkg").service == "@scope/pkg")
    #expect(try catalog().find("@scope/pkg@latest").version == "latest")
  }

  @Test("missing entries")
  func misses() throws {
    #expect(throws: Catalog.Miss.service("kernle", nearest: "kernel")) { try catalog().find("kernle@1") }
    #expect(throws: Catalog.Miss.version("2", of: "kernel", has: ["1.10.0", "1.10.0-rc.1", "1.9.0"])) {
      try catalog().find("kernel@2")
    }
  }

  @Test(
    "errors, with their line",
    arguments: [
      ("{\n \"a\": }", "not JSON", 2), ("[]", "must be an object", 1), ("{}", "dray-catalog", 1),
      ("{\"dray-catalog\": 2}", "format", 1), ("{\"dray-catalog\": 1}", "services", 1),
      ("{\"dray-catalog\": 1, \"servces\": {}}", "did you mean services?", 1),
      ("{\"dray-catalog\": 1, \"services\": {\"a\": {}}}", "versions", 1),
      ("{\"dray-catalog\": 1, \"services\": {\"a\": {\"versions\": {}}}}", "no version", 1),
      (version("{\"urls\": []}"), "urls", 2), (version("{\"urls\": [\"file:///etc/passwd\"]}"), "URL", 2),
      (version("{\"urls\": [\"/a\"], \"size\": -1}"), "size", 2),
      (version("{\"urls\": [\"/a\"], \"size\": 1.5}"), "size", 2),
      (version("{\"urls\": [\"/a\"], \"digest\": \"sha-256=1\"}"), "digest", 2),
      (version("{\"urls\": [\"/a\"], \"filename\": \"../x\"}"), "filename", 2),
      (version("{\"urls\": [\"/a\"], \"fielname\": \"x\"}"), "did you mean filename?", 2),
    ])
  func wrong(_ text: String, _ part: String, _ line: Int) {
    #expect {
      _ = try catalog(text)
    } throws: { error in
      let error = error as? DocumentError
      return error?.line == line && error?.reason.contains(part) ?? false
    }
  }

  private static func version(_ file: String) -> String {
    "{\"dray-catalog\": 1, \"services\": {\"a\": {\"versions\": {\n\"1\": \(file)}}}}"
  }
}

@Suite("JSON with lines")
struct JSONNodeTests {
  @Test("values")
  func values() throws {
    let node = try JSONNode.parse(
      Array("{\"a\": [1, -2.5e3, true, null, \"\\u00e9\\ud83d\\ude00\\n\"]}".utf8), kind: "x")
    #expect(node["a"]?.array?.first?.integer == 1)
    #expect(node["a"]?.array?.last?.string == "\u{E9}\u{1F600}\n")
    #expect(node["b"] == nil)
  }

  @Test(
    "integers",
    arguments: [
      ("1", 1), ("-0", 0), ("1.0", 1), ("-3.00", -3), ("1e2", 100), ("2.5e1", 25), ("0.5", nil), ("1e99", nil),
      ("9007199254740992.0", 9_007_199_254_740_992), ("9007199254740994.0", nil),
      ("9223372036854775807", .max), ("9223372036854775808", nil), ("true", nil), ("\"1\"", nil),
    ] as [(String, Int64?)])
  func integers(_ text: String, _ number: Int64?) throws {
    #expect(try JSONNode.parse(Array(text.utf8), kind: "x").integer == number)
  }

  @Test(
    "invalid JSON",
    arguments: [
      "", "{", "[1,]", "{\"a\":1,}", "01", "1.", "\"\u{1}\"", "\"\\x\"", "\"\\ud800\"", "tru", "{\"a\":1,\"a\":2}",
      "1 2",
      "{a: 1}", "'a'", "\"abc", String(repeating: "[", count: 100),
    ])
  func wrong(_ text: String) {
    #expect(throws: DocumentError.self) { try JSONNode.parse(Array(text.utf8), kind: "x") }
  }
}
