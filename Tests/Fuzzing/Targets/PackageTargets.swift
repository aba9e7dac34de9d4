// Lists of other programs, and package indexes.

import Foundation

@testable import DrayCore
@testable import DrayDocuments

extension FuzzTarget {
  private static let hex = String(repeating: "0f", count: 32)

  private static func holdName(of package: String) throws(Violation) {
    try hold(package.hasPrefix("pypi:"), "a name is one of packages")
    let rest = String(package.dropFirst(5))
    guard let name = try? PyPIName(rest) else { throw Violation("a name that is written is read: \(package)") }
    try holdSame(name.source.text, package, "a name stays what it is")
  }

  static let fileLists = FuzzTarget(
    "lists of other programs",
    words: [
      "a==1", " @ ", "https://h.example/a", " --hash=sha256:", hex, " \\\n", "#sha256=", "[x]", " ; ", "-i ",
      "--index-url=",
      "@EXPLICIT", "#", "'", "' a 1 SHA256:", " data/", " - ", "../", "%0A", "{", "}", "[", "]", ",", ":",
      "\"@context\"", "\"distribution\"", "\"@type\"", "\"FileObject\"", "\"contentUrl\"", "lock-version = \"1.0\"\n",
      "[[packages]]\n", "[[package]]\n", "version = 1\n", "requires-python = \"x\"\n", "name = ", "url = ", "hashes = ",
      "\n", "\t", "wheels", "\"",
    ],
    seeds: [
      "a[x]==1.0 \\\n    --hash=sha256:\(hex)\nb @ https://h.example/b.whl#sha256=\(hex)\n-i https://i.example/simple\n",
      "# c\n@EXPLICIT\nhttps://c.example/a-1-0.conda#\(hex)\n",
      "Reading\n'http://d.example/a.deb' a.deb 12 SHA256:\(hex)\n",
      "https://h.example/a 12 data/a b%25\nhttps://h.example/b\t-\tdata/b\n",
      """
      {"@context": {}, "@type": "sc:Dataset", "distribution": [{"@type": "cr:FileObject", "@id": "a", "name": "a.csv",\
      "contentUrl": "https://h.example/a", "contentSize": "12 B", "sha256": "\(hex)"}, {"@type": "cr:FileSet"}]}
      """,
      """
      lock-version = "1.0"
      [[packages]]
      name = "a"
      wheels = [{ url = "https://h.example/a-1-py3-none-any.whl", size = 1, hashes = { sha256 = "\(hex)" } }]
      """,
      """
      version = 1
      requires-python = "x"
      [[package]]
      name = "a"
      version = "1"
      source = { registry = "https://i.example/simple" }
      sdist = { url = "https://h.example/a-1.tar.gz", hash = "sha256:\(hex)", size = 1 }
      """,
    ].map { Array($0.utf8) }, rounds: 600
  ) { (bytes: [UInt8]) throws(Violation) in
    guard let kind = ListKind.of(bytes) else { return }
    let list: FileList
    do throws(DocumentError) {
      list = try kind.read(bytes, companions: ["manifest-sha256.txt": Array("\(hex) data/b\n".utf8)])
    } catch { return try holdError(error) }
    try hold(!list.items.isEmpty, "a list names files")
    for file in list.files { try holdOffer(file) }
    for name in list.names { try holdName(of: name) }
    for remark in list.remarks { try holdPrintable(remark, "a remark") }
  }

  static let packageIndexes = FuzzTarget(
    "package indexes",
    words: [
      "{", "}", "[", "]", ",", ":", "\"files\"", "\"filename\"", "\"url\"", "\"size\"", "\"yanked\"", "\"hashes\"",
      "-1",
      "a-1-py3-none-any.whl", "a-1.tar.gz", "<a href=", ">", "#sha256=", hex, "../", "\"", "data-yanked",
    ],
    seeds: [
      """
      {"meta": {"api-version": "1.1"}, "files": [{"filename": "a-1-py3-none-any.whl", "url": "../a", "size": 3,\
      "hashes": {"sha256": "\(hex)"}, "requires-python": ">=3", "yanked": false}, {"filename": "a-2rc1.tar.gz", "url": "b"}]}
      """,
      "<html><a href=\"/p/a-1-py3-none-any.whl#sha256=\(hex)\" data-requires-python=\"&gt;3\">a</a></html>",
    ].map { Array($0.utf8) }, rounds: 500
  ) { (bytes: [UInt8]) throws(Violation) in
    guard let base = try? RequestURL.parse("https://i.example/simple/a/").url else { return }
    for isJSON in [true, false] {
      let page: PythonProject
      do throws(DocumentError) {
        page = try PythonProject.parse(bytes, project: "a", base: base, isJSON: isJSON)
      } catch {
        try holdError(error)
        continue
      }
      for text in ["a", "a/*", "a==1"] {
        guard let name = try? PyPIName(text), let answer = try? page.find(name) else { continue }
        try hold(!answer.entries.isEmpty, "an answer has files")
        for entry in answer.entries { try holdOffer(entry.file) }
        for remark in answer.remarks { try holdPrintable(remark, "a remark") }
        try holdName(of: answer.pinned.text)
      }
    }
  }

  static let packageNames = FuzzTarget(
    "names of packages",
    words: [
      "==", "/", "#", "sha256=", "index=", "extra=", "https://i.example/", "%26", "%25", "&", "*", "[", "]", "-", "1.0",
    ],
    seeds: ["numpy==2.1.0", "a[x]@1/*cp312*", "a#index=https://i.example/simple/&sha256=\(hex)"]
  ) { (text: String) throws(Violation) in
    if let name = try? PyPIName(text) { try holdName(of: name.source.text) }
  }

  static let packageVersions = FuzzTarget(
    "versions of packages", words: ["1", "0", ".", "a", "rc", "dev", "post", "-", "_", "+", "!", "v", "\n"],
    seeds: ["1.0rc1\n1.0", "1!2.3.post4.dev5+l.1\n1.0-1"]
  ) { (text: String) throws(Violation) in
    let versions = text.split(separator: "\n").prefix(8).compactMap { PythonVersion(String($0)) }
    for one in versions {
      try hold(!(one < one), "no version is below itself")
      for other in versions {
        try hold((one < other ? 1 : 0) + (other < one ? 1 : 0) + (one == other ? 1 : 0) == 1, "versions have an order")
      }
    }
  }
}
