// Answers of sources that lie.

import DrayCore
import DrayDocuments
import Testing

@Suite("Answers of sources") struct SourceAnswerTests {
  private let name = SourceName(scheme: "x", rest: "y")

  private func entry(
    _ path: String, _ url: String = "https://h/a", _ change: (inout SourceAnswer.Entry) -> Void = { _ in }
  ) throws -> SourceAnswer.Entry {
    var entry = SourceAnswer.Entry(OfferedFile(urls: [try RequestURL.parse(url).url], name: path), path: path)
    change(&entry)
    return entry
  }

  private func checked(_ entries: [SourceAnswer.Entry]) throws -> SourceAnswer {
    try SourceAnswer(pinned: name, revision: "1", entries: entries + [try entry("good")]).checked(name)
  }

  @Test("files that are not below the directory are left out, each with a remark")
  func lies() throws {
    var bad: [SourceAnswer.Entry] = []
    for path in ["../x", "/etc/x", "a/../b", "a//b", "", ".", "a\\b", "a\nb", String(repeating: "a/", count: 40) + "a"]
    {
      bad.append(try entry(path))
    }
    bad.append(try entry("f", "file:///etc/passwd"))
    bad.append(try entry("s") { $0.file.size = -1 })
    bad.append(try entry("h") { $0.file.headers = [HeaderField("X", "a\r\nY: b")] })
    bad.append(try entry("range") { $0.file.headers = [HeaderField("Range", "bytes=0-1")] })
    bad.append(try entry("l") { $0.arrangement = .link(path: "../l") })
    bad.append(try entry("m") { $0.arrangement = .link(path: "/m") })
    for one in bad {
      let answer = try checked([one])
      #expect(answer.entries.map(\.path) == ["good"] && answer.remarks.count == 1, "\(one.path)")
      #expect(answer.remarks.allSatisfy { !$0.contains("\n") })
    }
    let twins = try checked([try entry("a"), try entry("a"), try entry("b") { $0.file.name = "a" }])
    #expect(twins.entries.map(\.path) == ["a", "good"] && twins.remarks.count == 2)
    #expect(throws: DocumentError.self) { try SourceAnswer(pinned: name, revision: nil, entries: bad).checked(name) }
  }

  @Test("a revision and a name of another source are refused")
  func names() throws {
    let good = [try entry("a")]
    let other = SourceName(scheme: "z", rest: "y")
    #expect(throws: DocumentError.self) { try SourceAnswer(pinned: other, revision: nil, entries: good).checked(name) }
    for revision in ["", "a\nb", String(repeating: "a", count: 600)] {
      #expect(throws: DocumentError.self) {
        try SourceAnswer(pinned: name, revision: revision, entries: good).checked(name)
      }
    }
  }

  @Test("what is right stays, and digests say where they are from")
  func right() throws {
    let digest = DigestValue(.sha256, bytes: Array(repeating: 1, count: 32))
    let answer = try checked([
      try entry("d/a b.bin") {
        ($0.file.size, $0.file.digest, $0.arrangement) = (7, digest, .link(path: "links/a"))
        $0.file.headers = [HeaderField("Authorization", "Bearer t")]
      }
    ])
    #expect(answer.entries.first?.file.name == "d/a b.bin" && answer.remarks.isEmpty)
    #expect(answer.entries.first?.file.digestSource == DigestSource(rawValue: "x"))
    #expect(answer.reference(to: answer.entries[0], of: name).path == "d/a b.bin")
  }

  @Test(arguments: [("x:y", "x", "y"), ("X:y:z", "x", "y:z"), ("y:x", nil, nil), ("x", nil, nil), ("xx:y", nil, nil)])
  func parsing(_ text: String, _ scheme: String?, _ rest: String?) {
    let name = SourceName(text, schemes: ["x"])
    #expect(name?.scheme == scheme && name?.rest == rest)
  }
}
