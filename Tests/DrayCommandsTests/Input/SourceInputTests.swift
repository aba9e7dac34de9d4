// Names of files in sources, among the operands and lines of a command line.

import ArgumentParser
import DrayDocuments
import DrayKit
import Testing

@testable import DrayCommands

/// `fake:NAME` has as many files as the name has letters; `fake:none` has none.
private struct FakeSource: NamedSource {
  let scheme = "fake"

  func name(of address: RequestURL) -> SourceName? {
    guard address.host == "fake.example", address.path.hasPrefix("/show/") else { return nil }
    return SourceName(scheme: scheme, rest: String(address.path.dropFirst(6)))
  }

  func find(_ name: SourceName, _ client: any SourceClient) async throws(Failure) -> SourceAnswer {
    if name.rest == "bad" { throw Failure(.status, name.shown, "404") }
    var entries: [SourceAnswer.Entry] = []
    for letter in name.rest == "none" ? "" : name.rest {
      guard let url = try? RequestURL.parse("https://files.example/\(name.rest)/\(letter).bin?sig=1").url
      else { continue }
      var file = OfferedFile(urls: [url], name: "\(letter)/f.bin", size: 100)
      file.headers = [HeaderField("Authorization", "Bearer t")]
      entries.append(SourceAnswer.Entry(file, path: "\(letter)/f.bin"))
    }
    let pinned = SourceName(scheme: scheme, rest: name.rest + "@1")
    var answer = SourceAnswer(pinned: pinned, revision: "1", entries: entries)
    if entries.isEmpty { answer.remarks = ["../x is left out: it leads outside"] }
    return answer
  }
}

@Suite("Names of sources in place of URLs")
struct SourceInputTests {
  private func list(_ words: [String], input: String? = nil) async throws -> SpecificationList {
    var context = CommandContext()
    context.sources = try NamedSources(adding: [FakeSource()])
    let surroundings = input.map { Surroundings.fixed(input: $0) } ?? .fixed()
    return try await CommandContext.$current.withValue(context) {
      let get = try Get.parse(words)
      try get.tree.checkAlone(get.job)
      return try await Operands.gather(
        get.job, get.request, surroundings, filter: try get.tree.filterOfNames())
    }
  }

  @Test("each file is a job below -d, with its source, its group, and the header fields of its URL alone")
  func files() async throws {
    let list = try await list(["-d", "m", "-H", "X-Mine: 1", "-u", "ann:pw", "http://h/a", "fake:xy"])
    #expect(list.map(\.request.url.host) == ["h", "files.example", "files.example"])
    #expect(list.map(\.output) == [nil, "f.bin", "f.bin"])
    #expect(list.map(\.directory) == ["/base/m", "/base/m/x", "/base/m/y"])
    #expect(list[1].foreignDepth > 0 && list[1].options.expectedSize == 100)
    #expect(list[0].request.credentials != nil && list[0].options.source == nil && list[0].group == nil)
    #expect(list[1].request.credentials == nil)
    #expect(list[1].request.headers == [HeaderField("Authorization", "Bearer t")])
    let source = SourceReference(name: "fake:xy", pinned: "fake:xy@1", revision: "1", path: "x/f.bin")
    #expect(list[1].options.source == source)
    #expect(list[1].group?.name == "fake:xy" && list[1].group == list[2].group)
    #expect(list[1].group?.directory == "/base/m")
    #expect(list.remarks.contains { $0.hasPrefix("fake:xy: 2 files, 200") })
  }

  @Test("filters select files by their paths; a single file may have a name")
  func choice() async throws {
    #expect(try await list(["--include", "x/*", "fake:xyz"]).map(\.directory) == ["/base/x"])
    #expect(try await list(["--exclude", "x/*", "fake:xyz"]).count == 2)
    let one = try await list(["-o", "own", "fake:x"])
    #expect(one.map(\.output) == ["own"] && one[0].directory == "/base" && one[0].group == nil)
  }

  @Test("lines of a list are names, too, with options for all their files")
  func lines() async throws {
    let list = try await list(["-i", "-"], input: "fake:xy\n  dir=sub\n  retries=9\nhttp://h/a\n")
    #expect(list.map(\.directory) == ["/base/sub/x", "/base/sub/y", "/base"])
    #expect(list.map(\.options.retries) == [9, 9, 5])
  }

  @Test("a failure names the line of the list")
  func failures() async throws {
    await #expect {
      _ = try await list(["-i", "-"], input: "http://h/a\nfake:bad\n")
    } throws: {
      ($0 as? Failure)?.subject == "standard input:2: fake:bad"
    }
  }

  @Test("a web address that a source recognises is a name, unless the page is wanted")
  func addresses() async throws {
    let found = try await list(["https://fake.example/show/x"])
    #expect(found.map(\.options.source?.name) == ["fake:x"])
    #expect(found.remarks.contains { $0.contains("--no-names fetches the page") })
    let page = try await list(["--no-names", "https://fake.example/show/x"])
    #expect(page.map(\.request.url.path) == ["/show/x"] && page[0].options.source == nil)
  }

  @Test(
    "what makes no sense is refused before anything is queued",
    arguments: [
      (["-o", "n", "fake:xy"], "cannot have one name"), (["fake:none"], "no files; ../x is left out"),
      (["fake:"], "nothing follows"),
      (["--include", "q", "fake:xy"], "no file matches"), (["--depth", "1", "fake:xy"], "add -r"),
      (["--include", "x/*", "fake:xy", "http://h/a"], "add -r"), (["fak:x"], "did you mean fake:?"),
      (["nosuch:x"], "names begin with hf:, gh:, oci:, ollama:, doi:, pypi:, fake:;"),
    ])
  func refused(_ words: [String], _ part: String) async throws {
    await #expect {
      _ = try await list(words)
    } throws: { ($0 as? Failure)?.message.contains(part) ?? false }
  }
}
