// How lists of other programs are told from lists of URLs, and from each other.

import DrayCore
import Testing

@testable import DrayDocuments

@Suite("Kinds of lists")
struct ListKindTests {
  static let hex = String(repeating: "0f", count: 32)

  @Test(
    "each kind by its first lines",
    arguments: [
      ("lock-version = \"1.0\"\n", PythonLock.pylock),
      ("# made by uv\n\n[[packages]]\n", nil),
      ("# c\ncreated-by = \"x\"\nlock-version = '1.0'\n[[packages]]\n", PythonLock.pylock),
      ("version = 1\nrevision = 3\nrequires-python = \">=3.8\"\n\n[[package]]\n", PythonLock.uvLock),
      // Cargo.lock and poetry.lock are none.
      ("version = 4\n\n[[package]]\nname = \"a\"\nrequires-python = \"x\"\n", nil),
      ("[[package]]\nname = \"a\"\n", nil),
      ("# platform: linux-64\n@EXPLICIT\nhttps://h.example/a.conda\n", CondaList.kind),
      ("https://h.example/a.conda\n@EXPLICIT\n", nil),
      ("https://h.example/a 12 data/a b\n", BagList.kind), ("https://h.example/a\t-\tdata/a\n", BagList.kind),
      ("'http://h.example/a.deb' a.deb 12 SHA256:\(hex)\n", AptList.kind),
      (
        "Reading package lists...\nThe following:\n  hello\n'http://h.example/a.deb' a.deb 12 MD5Sum:0f\n", AptList.kind
      ),
      ("'http://h.example/InRelease' InRelease 0 \n", AptList.kind),
      ("{\"@context\": {}, \"distribution\": []}", Croissant.kind),
      ("{\n \"@context\": {\"cr\": \"http://mlcommons.org/croissant/\"},\n", Croissant.kind),
      ("a==1.0\n", RequirementsList.kind), ("# c\nrequests\nzope.interface\na[x]==1 \\\n", RequirementsList.kind),
      ("a @ https://h.example/a.whl\n", RequirementsList.kind), ("a@https://h.example/a.whl\n", RequirementsList.kind),
      ("-i https://h.example/simple\nb>=1\n", RequirementsList.kind), ("--require-hashes\n", RequirementsList.kind),
      ("a ; python_version < '3'\n", RequirementsList.kind),
      ("https://h.example/a.whl --hash=sha256:\(hex)\n", RequirementsList.kind),
      ("\u{FEFF}a==1.0\r\n", RequirementsList.kind),
    ] as [(String, String?)])
  func kinds(_ text: String, _ title: String?) {
    #expect(ListKind.of(Array(text.utf8))?.title == title)
  }

  @Test(
    "lists of URLs stay what they are",
    arguments: [
      "", "\n", "# a==1\n", "https://h.example/a\na==1\n", "https://h.example/a\n  out=b==1\n",
      "https://h.example/a\thttps://m.example/a\n  checksum=sha-256=\(hex)\n", "h.example/a?x==1\n", "h.example\n",
      "h.example/a==1\n", "localhost:80/a\n", "example.com\nexample.org\n", "a.iso\thttps://h.example/a\n",
      "a==1\thttps://h.example/a\n", "a @ b\thttps://h.example/a\n", "my file\thttps://h.example/a\n",
      "https://h.example/a 12 b\n", "https://h.example/a 12 https://h.example/data/b\n",
      "https://h.example/a https://h.example/b\n", "https://h.example/a  # x==1\n",
      "https://h.example/a#sha256=\(hex)\n", "https://h.example/'http://h/a' b 1\n",
      "https://h.example/a b\n'http://h.example/a.deb' a.deb 12\n", "{\"url\":\"https://h.example/a\"}\n",
      "{\"url\":\"https://h.example/a\",\"headers\":{\"X\":\"\\\"@context\\\"\"}}\n",
      "{\"url\":\"https://h.example/distribution\",\"out\":\"distribution\"}\n", "magnet:?xt=urn:btih:0f\n",
      "hf:org/model@main\n", "pypi:a==1.0\n", "user@h.example/a\n", "@EXPLICITE\n", "version = 1\n", "requests\n",
    ])
  func ordinary(_ text: String) {
    #expect(ListKind.of(Array(text.utf8)) == nil)
  }

  @Test("a long list of URLs is recognised by its beginning, and a cut line decides nothing")
  func long() {
    let urls = (0..<20_000).map { "https://h.example/\($0)\n" }.joined()
    #expect(ListKind.of(Array((urls + "a==1\n").utf8)) == nil)
    #expect(ListKind.of(Array((String(repeating: "a", count: 300_000) + "==1").utf8)) == nil)
  }

  @Test("a list in which nothing can be fetched says why")
  func empty() throws {
    let text = Array("-e ./here\na @ git+https://h.example/a\n".utf8)
    let error = try #require(throws: DocumentError.self) { try ListKind.of(text)?.read(text) }
    #expect(error.reason.contains("nothing in it can be fetched (line 1: \"./here\""), "\(error)")
  }
}
