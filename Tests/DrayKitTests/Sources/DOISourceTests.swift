// From a DOI to the service that keeps its record, and to its files.

import DrayCore
import DrayDocuments
import Testing

@testable import DrayKit

@Suite("Records by DOI") struct DOISourceTests {
  private typealias Client = ScriptedSourceClient
  private static let resolver = "https://doi.org/api/handles/10.5281/zenodo.4?type=URL"
  private static let page = "https://zenodo.org/records/5"
  private static let api = "https://zenodo.org/api/records/5"
  private static let md5 = String(repeating: "0c", count: 16)
  private static let record = """
    {"id": 5, "doi": "10.5281/zenodo.5", "files": [{"key": "a", "size": 1, "checksum": "md5:\(md5)", "links": {"self": "\(api)/files/a/content"}}]}
    """

  /// The answer of the resolver for a DOI that leads to a page.
  private static func handle(_ page: String) -> Client.Answer {
    .init(
      body:
        "{\"responseCode\": 1, \"values\": [{\"type\": \"URL\", \"data\": {\"format\": \"string\", \"value\": \"\(page)\"}}]}"
    )
  }

  private func find(_ client: Client, _ doi: String = "10.5281/zenodo.4") async throws -> SourceAnswer {
    try await DOISource().find(SourceName(scheme: "doi", rest: doi), client)
  }

  private func failure(_ client: Client, _ doi: String = "10.5281/zenodo.4") async throws -> Failure {
    do {
      _ = try await find(client, doi)
    } catch let failure as Failure {
      return failure
    }
    throw Failure(.other, doi, "there was no failure")
  }

  @Test("a record of Zenodo, by two requests")
  func zenodo() async throws {
    let client = Client([Self.resolver: Self.handle(Self.page), Self.api: .init(body: Self.record)])
    let answer = try await find(client)
    #expect(client.urls == [Self.resolver, Self.api] && answer.pinned.text == "doi:10.5281/zenodo.5")
    #expect(answer.entries.map(\.path) == ["a"] && answer.entries.first?.file.digest?.hex == Self.md5)
  }

  @Test("an address that redirects to the record, even if its page refuses programs", arguments: [200, 403])
  func redirect(_ status: Int) async throws {
    let start = "https://zenodo.org/doi/10.5281/zenodo.4"
    let client = Client([
      Self.resolver: Self.handle(start.replacing("https", with: "http")), start: .init(status: status, end: Self.page),
      Self.api: .init(body: Self.record),
    ])
    #expect(try await find(client).entries.count == 1 && client.urls == [Self.resolver, start, Self.api])
  }

  @Test("a record whose files are a list of their own")
  func list() async throws {
    let client = Client([
      Self.resolver: Self.handle(Self.page), Self.api: .init(body: "{\"id\": \"5\", \"files\": {\"enabled\": true}}"),
      "\(Self.api)/files": .init(body: "{\"entries\": [{\"key\": \"b\", \"size\": 1}]}"),
    ])
    #expect(try await find(client).entries.map(\.path) == ["b"])
  }

  @Test("figshare, with a second call for long lists")
  func figshare() async throws {
    let api = "https://api.figshare.com/v2/articles/14763051"
    func file(_ id: Int) -> String {
      "{\"id\": \(id), \"name\": \"f\(id)\", \"size\": 1, \"computed_md5\": \"\(Self.md5)\", \"download_url\": \"https://ndownloader.figshare.com/files/\(id)\"}"
    }
    let client = Client([
      Self.resolver: Self.handle("https://figshare.com/articles/dataset/T/14763051"),
      api: .init(body: "{\"id\": 14763051, \"version\": 2, \"files\": [\((0..<10).map(file).joined(separator: ","))]}"),
      "\(api)/files?page_size=1000&page=1": .init(body: "[\((0..<12).map(file).joined(separator: ","))]"),
    ])
    let answer = try await find(client)
    #expect(answer.entries.count == 12 && answer.revision == "14763051.v2" && client.queries.count == 3)
  }

  @Test("Dataverse")
  func dataverse() async throws {
    let client = Client([
      "https://doi.org/api/handles/10.7910/DVN/A?type=URL": Self.handle(
        "https://d.example/dataset.xhtml?persistentId=doi:10.7910/DVN/A"),
      "https://d.example/api/datasets/:persistentId/?persistentId=doi%3A10.7910%2FDVN%2FA": .init(
        body: """
          {"status": "OK", "data": {"latestVersion": {"versionNumber": 1, "files": [
            {"label": "a", "dataFile": {"id": 2, "filesize": 1, "md5": "\(Self.md5)"}}]}}}
          """),
    ])
    let answer = try await find(client, "10.7910/DVN/A")
    #expect(answer.entries.first?.file.urls.map(\.string) == ["https://d.example/api/access/datafile/2"])
    #expect(answer.revision == "1.0" && answer.pinned.text == "doi:10.7910/DVN/A")
  }

  @Test("links of the page, if no service has the record")
  func links() async throws {
    let item = [HeaderField("Link", "</f/a.csv>; rel=\"item\"")]
    for page in ["https://p.example/x", "https://p.example/records/5"] {
      let client = Client([
        Self.resolver: Self.handle(page), page: .init(fields: item),
        "https://p.example/api/records/5": .init(body: "<html>"),
      ])
      let answer = try await find(client)
      #expect(answer.entries.first?.file.urls.map(\.string) == ["https://p.example/f/a.csv"])
      #expect(answer.remarks == ["a.csv has no digest: nothing proves what arrives"])
    }
    let set = HeaderField("Link", "</links>; rel=linkset; type=\"application/linkset+json\"")
    let client = Client([
      Self.resolver: Self.handle("https://p.example/x"), "https://p.example/x": .init(fields: [set]),
      "https://p.example/links": .init(body: "{\"linkset\": [{\"item\": [{\"href\": \"https://p.example/b\"}]}]}"),
    ])
    #expect(try await find(client).entries.map(\.path) == ["b"])
  }

  @Test("a wrong description does not lead to links that prove less")
  func lies() async throws {
    let item = [HeaderField("Link", "</f/a.csv>; rel=\"item\"")]
    let client = Client([
      Self.resolver: Self.handle(Self.page), Self.page: .init(fields: item),
      Self.api: .init(body: Self.record.replacing("md5:\(Self.md5)", with: "md5:00")),
    ])
    #expect(try await failure(client).kind == .protocolViolation)
  }

  @Test("failures")
  func failures() async throws {
    #expect(try await failure(Client([:])).reason == "doi.org has no such DOI")
    #expect(try await failure(Client([:]), "zenodo.4").kind == .usage)
    let silent = try await failure(
      Client([Self.resolver: Self.handle("https://p.example/x"), "https://p.example/x": .init()]))
    #expect(silent.reason.contains("does not say which files"))
    let gone = try await failure(Client([Self.resolver: Self.handle(Self.page), Self.api: .init(status: 410)]))
    #expect(gone.reason == "410: the record was withdrawn")
    let closed = try await failure(Client([Self.resolver: Self.handle(Self.page), Self.api: .init(status: 403)]))
    #expect(closed.kind == .authentication)
    let empty = try await failure(
      Client([
        Self.resolver: Self.handle(Self.page), Self.api: .init(body: "{\"id\": 5, \"files\": [{\"key\": \"../x\"}]}"),
      ]))
    #expect(empty.reason.contains("leads out of the directory"))
    for bad in ["file:///etc/passwd", "ftp://p.example/x", ""] {
      #expect(try await failure(Client([Self.resolver: Self.handle(bad)])).kind == .protocolViolation)
    }
    let insecure = Client([:], environment: ["DRAY_DOI_RESOLVER": "http://doi.example"])
    #expect(try await failure(insecure).kind == .usage && insecure.queries.isEmpty)
  }
}
