// Python's packages by name: which index is asked, with which fields, and what its answers mean.

import DrayCore
import DrayDocuments
import Synchronization
import Testing

@testable import DrayKit

/// Indexes by their URLs, with the queries that they got.
private final class FakeIndexes: SourceClient {
  let places: TokenPlaces
  private let pages: [String: (type: String, body: String)]
  private let asked = Mutex<[SourceQuery]>([])

  init(_ pages: [String: (type: String, body: String)], environment: [String: String] = [:]) {
    self.pages = pages
    places = TokenPlaces(environment: environment, home: nil) { _ in nil }
  }

  var queries: [SourceQuery] { asked.withLock { $0 } }

  func send(_ query: SourceQuery) async throws(Failure) -> SourceResponse {
    asked.withLock { $0.append(query) }
    let page = pages[query.url.string]
    guard page != nil || query.statuses.contains(404) else { throw Failure(.status, query.url.description, "404") }
    let head = ResponseHead(
      status: page == nil ? 404 : 200, fields: [HeaderField("Content-Type", page?.type ?? "text/html")])
    return SourceResponse(head: head, finalURL: query.url, body: Array((page?.body ?? "").utf8))
  }
}

@Suite("Python's packages")
struct PyPISourceTests {
  private static let json = "application/vnd.pypi.simple.v1+json"
  private static let machine = WheelMachine(system: .glibc, architecture: "x86_64")

  private func page(_ version: String) -> (type: String, body: String) {
    (
      Self.json,
      "{\"files\": [{\"filename\": \"alpha-\(version)-py3-none-any.whl\", \"url\": \"/p/alpha-\(version)-py3-none-any.whl\", \"hashes\": {}}]}"
    )
  }

  private func find(_ name: String, _ client: FakeIndexes) async throws -> SourceAnswer {
    try await PyPISource(machine: Self.machine).find(SourceName(scheme: "pypi", rest: name), client)
  }

  @Test("the index of the environment, and its password only for its own origin")
  func environment() async throws {
    let client = FakeIndexes(
      ["https://i.example/simple/alpha/": page("1.0"), "https://e.example/whl/alpha/": page("2.0")],
      environment: ["PIP_INDEX_URL": "https://ann:pw@i.example/simple"])
    let answer = try await find("Alpha==1.0", client)
    let field = HeaderField("Authorization", "Basic YW5uOnB3")
    #expect(client.queries.map(\.headers) == [[field]] && client.queries[0].accept.hasPrefix(Self.json))
    #expect(answer.entries.map(\.file.headers) == [[]], "jobs store no password")
    let source = PyPISource()
    #expect(source.fields(for: try RequestURL.parse("https://i.example/p/a").url, client.places) == [field])
    #expect(source.fields(for: try RequestURL.parse("https://e.example/p/a").url, client.places).isEmpty)
    #expect(answer.entries.map(\.file.urls.first?.string) == ["https://i.example/p/alpha-1.0-py3-none-any.whl"])
    let extra = try await find("alpha==2.0#extra=https://e.example/whl/", client)
    #expect(client.queries.last?.headers.isEmpty == true)
    #expect(extra.pinned.text == "pypi:alpha==2.0#extra=https://e.example/whl/")
  }

  @Test("without an environment the public index is asked; the index of a list replaces it")
  func indexes() async throws {
    let client = FakeIndexes(
      [
        PyPISource.publicIndex + "alpha/": page("1.0"),
        "https://l.example/alpha/": (type: "text/html", body: "<a href=\"alpha-3.tar.gz\">x</a>"),
      ])
    #expect(try await find("alpha", client).revision == "1.0")
    #expect(try await find("alpha#index=https://l.example/", client).revision == "3")
    let uv = FakeIndexes(
      ["https://u.example/alpha/": page("4")], environment: ["UV_DEFAULT_INDEX": "mine=https://u.example"])
    #expect(try await find("alpha", uv).revision == "4")
  }

  @Test(
    "failures say what to do",
    arguments: [
      ("beta", "https://i.example/simple/ has no such package; check the name"),
      ("alpha==2", "the index has no version 2 of alpha; it has 1.0"),
      ("alpha==", "is not a version"), ("broken", "it is not JSON"),
    ])
  func failures(_ name: String, _ says: String) async throws {
    let client = FakeIndexes(
      ["https://i.example/simple/alpha/": page("1.0"), "https://i.example/simple/broken/": (Self.json, "{")],
      environment: ["PIP_INDEX_URL": "https://i.example/simple/"])
    let failure = try await #require(throws: Failure.self) { try await find(name, client) }
    #expect(failure.message(.plain).contains(says), "\(failure.message)")
  }

  @Test("a password in a variable that is no URL is not shown")
  func secret() async throws {
    let client = FakeIndexes([:], environment: ["PIP_INDEX_URL": "ftp://ann:secretword@i.example/"])
    let failure = try await #require(throws: Failure.self) { try await find("alpha", client) }
    #expect(failure.subject == "PIP_INDEX_URL" && !failure.message(.plain).contains("secretword"))
  }

  @Test("the page of a project stands for its name")
  func addresses() throws {
    let home = PyPISource.publicIndex.replacing("simple/", with: "")
    for (path, name) in [
      ("project/numpy/", "pypi:numpy"), ("project/numpy/2.1.0/", "pypi:numpy==2.1.0"), ("project/", nil),
      ("simple/a/", nil),
      ("project/a/b/c", nil),
    ] as [(String, String?)] {
      #expect(PyPISource().name(of: try RequestURL.parse(home + path).url)?.text == name)
    }
    #expect(PyPISource().name(of: try RequestURL.parse("https://h.example/project/numpy/").url) == nil)
  }
}
