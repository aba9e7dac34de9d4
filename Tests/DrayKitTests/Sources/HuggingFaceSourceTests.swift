// The questions that the source `hf:` asks, and what it makes of the answers.

import DrayCore
import DrayDocuments
import Synchronization
import Testing

@testable import DrayKit

@Suite struct HuggingFaceSourceTests {
  private static let commit = String(repeating: "1", count: 40)
  private static let git = String(repeating: "0c", count: 20)

  /// A hub that answers by path and query, and remembers the questions.
  private final class Hub: SourceClient {
    struct Answer: Sendable {
      var status = 200
      var body = ""
      var fields: [HeaderField] = []
    }

    let places: TokenPlaces
    private let answers: [String: Answer]
    private let asked = Mutex<[SourceQuery]>([])

    init(_ answers: [String: Answer], token: String? = nil) {
      self.answers = answers
      let environment = ["HF_ENDPOINT": "https://hub.example", "HF_TOKEN": token ?? ""]
      places = TokenPlaces(environment: environment, home: nil) { _ in nil }
    }

    var queries: [SourceQuery] { asked.withLock(\.self) }

    func send(_ query: SourceQuery) async throws(Failure) -> SourceResponse {
      asked.withLock { $0.append(query) }
      let path = query.url.path + (query.url.query.map { "?\($0)" } ?? "")
      guard let answer = answers[path] else {
        throw Failure(.status, query.url.description, "404: not in this test: \(path)")
      }
      let head = ResponseHead(status: answer.status, fields: answer.fields)
      return SourceResponse(head: head, finalURL: query.url, body: Array(answer.body.utf8))
    }
  }

  private static func file(_ path: String) -> String {
    #"{"type": "file", "path": "\#(path)", "size": 5, "oid": "\#(git)"}"#
  }

  private static let api = "/api/models/org/name"
  private static let revision = Hub.Answer(body: #"{"sha": "\#(commit)"}"#)
  private static let tree = "\(api)/tree/\(commit)"
  private static let all = "recursive=true&expand=false"

  private func find(_ name: String, _ hub: Hub) async throws -> SourceAnswer {
    try await HuggingFaceSource().find(SourceName(scheme: "hf", rest: name), hub)
  }

  @Test("the revision first, then the pages; the token with each question")
  func pages() async throws {
    let next = HeaderField("Link", "<https://hub.example\(Self.tree)?\(Self.all)&cursor=b>; rel=\"next\"")
    let hub = Hub(
      [
        "\(Self.api)/revision/feature%2Fx?expand=sha": Self.revision,
        "\(Self.tree)?\(Self.all)": .init(body: "[\(Self.file("a")), \(Self.file("b"))]", fields: [next]),
        "\(Self.tree)?\(Self.all)&cursor=b": .init(body: "[\(Self.file("d/c"))]"),
      ], token: "hf_t")
    let answer = try await find("org/name@feature%2Fx", hub)
    #expect(answer.entries.map(\.path) == ["a", "b", "d/c"] && answer.revision == Self.commit)
    #expect(answer.pinned.text == "hf:org/name@\(Self.commit)")
    #expect(answer.entries.last?.file.urls.map(\.string) == ["https://hub.example/org/name/resolve/\(Self.commit)/d/c"])
    #expect(answer.entries.allSatisfy { $0.file.headers.isEmpty && $0.file.digest?.hex == Self.git })
    #expect(hub.queries.count == 3)
    #expect(hub.queries.allSatisfy { $0.headers == [HeaderField("Authorization", "Bearer hf_t")] })
  }

  @Test("a commit is not asked for; one file is one question")
  func path() async throws {
    let paths = "\(Self.api)/paths-info/\(Self.commit)"
    let hub = Hub([paths: .init(body: "[\(Self.file("d/c.bin"))]")])
    let answer = try await find("org/name@\(Self.commit)/d/c.bin", hub)
    #expect(answer.entries.map(\.path) == ["d/c.bin"] && hub.queries.map(\.method) == ["POST"])
    #expect(answer.documents.isEmpty)
    #expect(hub.queries[0].body.map { String(decoding: $0, as: UTF8.self) } == #"{"paths":["d/c.bin"],"expand":false}"#)

    let directory = #"[{"type": "directory", "path": "d"}]"#
    let tree = Hub([paths: .init(body: directory), "\(Self.tree)/d?\(Self.all)": .init(body: "[\(Self.file("d/c"))]")])
    #expect(try await find("org/name@\(Self.commit)/d", tree).entries.map(\.path) == ["d/c"])

    let none = Hub([paths: .init(body: "[]")])
    let failure = await #expect(throws: Failure.self) { try await find("org/name@\(Self.commit)/d", none) }
    #expect(failure?.httpStatus == 404 && failure?.reason == "d is not in it")

    let other = Hub([paths: .init(body: "[\(Self.file("etc/passwd"))]")])
    await #expect(throws: Failure.self) { try await find("org/name@\(Self.commit)/d", other) }
  }

  @Test(
    arguments: [
      (401, "RepoNotFound", Failure.Kind.authentication, "hf auth login"),
      (403, "GatedRepo", .authentication, "accept the terms on https://hub.example/org/name"),
      (404, "RevisionNotFound", .status, "what follows @"), (404, "EntryNotFound", .status, "check the path"),
      (403, "DisabledRepo", .status, "may say why"),
    ])
  func refusals(status: Int, code: String, kind: Failure.Kind, advice: String) async throws {
    let fields = [HeaderField("X-Error-Code", code)]
    let hub = Hub(["\(Self.api)/revision/main?expand=sha": .init(status: status, fields: fields)])
    let failure = await #expect(throws: Failure.self) { try await find("org/name", hub) }
    #expect(failure?.kind == kind && failure?.httpStatus == status)
    #expect(failure?.advice?.description.contains(advice) == true, "\(failure?.advice?.description ?? "")")
    #expect(failure?.advice?.description.contains("--user") == false)
  }

  @Test(
    "with a token, the advice is about that token",
    arguments: [
      (401, "RepoNotFound", "401: no such repository, or the token has no access to it", "what the token may read"),
      (403, "GatedRepo", "403: the token has no access: the authors grant it on request", "the account of the token"),
      (401, "", "401: the token was rejected", "check HF_TOKEN"),
      (403, "", "403: the token has no access", "see https://hub"),
    ])
  func refusalsOfTokens(status: Int, code: String, reason: String, advice: String) async throws {
    let fields = code.isEmpty ? [] : [HeaderField("X-Error-Code", code)]
    let hub = Hub(["\(Self.api)/revision/main?expand=sha": .init(status: status, fields: fields)], token: "hf_t")
    let failure = await #expect(throws: Failure.self) { try await find("org/name", hub) }
    #expect(failure?.reason == reason && failure?.kind == .authentication)
    let said = failure?.advice?.description ?? ""
    #expect(said.contains(advice) && !said.contains("set HF_TOKEN"), "\(said)")
  }

  @Test("a slash in a branch is written %2F, and a pattern is an option")
  func advice() async throws {
    let gone = Hub.Answer(status: 404, fields: [HeaderField("X-Error-Code", "RevisionNotFound")])
    let slash = Hub(["\(Self.api)/revision/feature?expand=sha": gone])
    let revision = await #expect(throws: Failure.self) { try await find("org/name@feature/x/a.bin", slash) }
    #expect(revision?.advice?.description.contains("hf:org/name@feature%2Fx/a.bin") == true)
    let none = Hub(["\(Self.api)/paths-info/\(Self.commit)": .init(body: "[]")])
    let pattern = await #expect(throws: Failure.self) { try await find("org/name@\(Self.commit)/*.bin", none) }
    #expect(pattern?.advice?.description.contains("hf:org/name@\(Self.commit) --include '*.bin'") == true)
  }

  @Test("a token that is rejected is not shown")
  func rejected() async throws {
    let fields = [HeaderField("X-Error-Message", "Invalid credentials in Authorization header")]
    let hub = Hub(["\(Self.api)/revision/main?expand=sha": .init(status: 401, fields: fields)], token: "hf_secret")
    let failure = await #expect(throws: Failure.self) { try await find("org/name", hub) }
    #expect(failure?.reason == "401: the token was rejected")
    #expect(failure.map { "\($0) \($0.advice?.description ?? "")".contains("hf_secret") } == false)
  }

  @Test(
    "a commit that is none, and pages that loop, are refused",
    arguments: [
      [
        "\(api)/revision/main?expand=sha": Hub.Answer(body: #"{"sha": "main"}"#)
      ],
      [
        "\(api)/revision/main?expand=sha": revision,
        "\(tree)?\(all)": .init(
          body: "[\(file("a"))]", fields: [HeaderField("Link", "<\(tree)?\(all)>; rel=\"next\"")]),
      ],
    ])
  private func lies(answers: [String: Hub.Answer]) async {
    let failure = await #expect(throws: Failure.self) { try await find("org/name", Hub(answers)) }
    #expect(failure?.kind == .protocolViolation)
  }

  @Test func aBucketHasNoRevision() async throws {
    let file = #"[{"type": "file", "path": "a/b", "size": 5, "xetHash": "x"}]"#
    let hub = Hub(["/api/buckets/org/name/tree?recursive=true": .init(body: file)])
    let answer = try await find("buckets/org/name", hub)
    #expect(answer.revision == nil && answer.entries.first?.file.digest == nil && answer.remarks.count == 1)
    #expect(answer.entries.first?.file.urls.first?.string == "https://hub.example/buckets/org/name/resolve/a/b")
  }
}
