// The parts in which a list is queued.

import DrayKit
import Testing

@testable import DrayCommands

@Suite("Parts of a list")
struct SpecificationPartsTests {
  @Test(
    "parts follow each other without gaps; the first is small, there are few, none is large",
    arguments: [1, 128, 129, 576, 2000, 10_000])
  func parts(_ count: Int) {
    let parts = SpecificationList.parts(of: count)
    #expect(parts.flatMap(\.self) == Array(0..<count))
    #expect(parts.allSatisfy { !$0.isEmpty && $0.count <= 4096 })
    #expect(parts.count <= 3 + count / 4096)
    #expect(count <= 128 ? parts.count == 1 : parts[0].count == 64)
  }

  @Test(
    "a list that could be refused half-way is queued at once, all or nothing",
    arguments: [
      ([], "", true), (["-H", "X: y", "--priority", "3"], "", true), (["--if-changed"], "", false),
      (["--after", "7"], "", false), ([], "\n  out=x", false), ([], "\n  after=7", false), ([], "\n  dir=x", false),
    ])
  func whole(_ options: [String], _ line: String, _ isDivided: Bool) throws {
    let urls = (0..<200).map { "http://h/\($0)" }.joined(separator: "\n")
    let list = try specificationList(options + ["-i", "list"], .fixed(files: ["/base/list": urls + line + "\n"]))
    #expect(list.parts.count == (isDivided ? 2 : 1))
  }

  @Test("a scheme's limits are reported once for all URLs of a kind")
  func kinds() throws {
    let urls = (0..<50).map { ($0 % 2 == 0 ? "http" : "ftp") + "://h/\($0)" }.joined(separator: "\n")
    let list = try specificationList(["-H", "X: y", "-i", "list"], .fixed(files: ["/base/list": urls + "\n"]))
    #expect(list.ofEachKind.map(\.request.url.scheme) == ["http", "ftp"])
    #expect(list.remarks.count == 1 && list.remarks[0].contains("ftp"))
  }
}
