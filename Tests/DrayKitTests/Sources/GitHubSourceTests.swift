// The calls of the API that a `gh:` name needs, and what its refusals mean.

import DrayCore
import DrayDocuments
import Testing

@testable import DrayKit

@Suite("Releases by name") struct GitHubSourceTests {
  private typealias Client = ScriptedSourceClient
  private static let api = "https://api.github.com/repos/o/r"
  private static let sha = String(repeating: "0a", count: 20)

  private static func asset(_ id: Int) -> String {
    """
    {"id": \(id), "name": "f\(id)", "state": "uploaded", "size": 1, "digest": "sha256:\(String(repeating: "ab", count: 32))",
     "browser_download_url": "https://github.com/o/r/releases/download/v1/f\(id)"}
    """
  }

  private static func release(_ tag: String = "v1", _ assets: Range<Int> = 1..<3, _ more: String = "") -> String {
    "{\"id\": 7, \"tag_name\": \"\(tag)\"\(more), \"assets\": [\(assets.map(asset).joined(separator: ","))]}"
  }

  private func find(_ rest: String, _ client: Client) async throws -> SourceAnswer {
    try await GitHubSource().find(SourceName(scheme: "gh", rest: rest), client)
  }

  private func failure(_ rest: String, _ client: Client) async throws -> Failure {
    do {
      _ = try await find(rest, client)
    } catch let failure as Failure {
      return failure
    }
    throw Failure(.other, rest, "there was no failure")
  }

  @Test("one call for all files of the latest release, which is pinned to its tag")
  func latest() async throws {
    let client = Client(["\(Self.api)/releases/latest": .init(body: Self.release())])
    let answer = try await find("o/r", client)
    #expect(answer.pinned.text == "gh:o/r@v1" && answer.entries.map(\.path) == ["f1", "f2"])
    #expect(client.queries.count == 1 && client.queries[0].accept == "application/vnd.github+json")
    #expect(client.queries[0].headers.map(\.name) == ["X-GitHub-Api-Version"])
  }

  @Test("an exact file of the latest release needs no call without a token, and is proved with one")
  func direct() async throws {
    let client = Client([:])
    let answer = try await find("o/r/f1", client)
    #expect(client.queries.isEmpty && answer.revision == nil && answer.remarks.count == 1)
    #expect(answer.entries.first?.file.urls.map(\.string) == ["https://github.com/o/r/releases/latest/download/f1"])
    let answers = [
      "\(Self.api)/releases/latest": Client.Answer(body: Self.release()), Self.api: .init(body: "{\"private\": false}"),
    ]
    let known = Client(answers, environment: ["GH_TOKEN": "t"])
    let proved = try await find("o/r/f1", known)
    #expect(proved.pinned.text == "gh:o/r@v1/f1" && proved.entries.first?.file.digest != nil)
    #expect(known.queries.allSatisfy { $0.headers.contains(HeaderField("Authorization", "Bearer t")) })
    #expect(proved.entries.first?.file.headers.isEmpty == true)
  }

  @Test("files of a private repository come from the API; the token is not part of the answer")
  func members() async throws {
    let client = Client(
      ["\(Self.api)/releases/tags/v1": .init(body: Self.release()), Self.api: .init(body: "{\"private\": true}")],
      environment: ["GH_TOKEN": "t"])
    let file = try #require(try await find("o/r@v1/f2", client).entries.first?.file)
    #expect(file.urls.map(\.string) == ["\(Self.api)/releases/assets/2"])
    #expect(file.headers == [HeaderField("Accept", "application/octet-stream")])
  }

  @Test("many assets are listed by pages, which must be the API's own")
  func pages() async throws {
    let first = "\(Self.api)/releases/7/assets?per_page=100"
    func client(next: String) -> Client {
      Client([
        "\(Self.api)/releases/tags/v1": .init(body: Self.release("v1", 0..<30)),
        first: .init(
          fields: [HeaderField("Link", "<\(next)>; rel=\"next\"")],
          body: "[\((0..<100).map(Self.asset).joined(separator: ","))]"),
        "\(first)&page=2": .init(body: "[\((100..<110).map(Self.asset).joined(separator: ","))]"),
      ])
    }
    let good = client(next: "\(first)&page=2")
    #expect(try await find("o/r@v1", good).entries.count == 110 && good.queries.count == 3)
    #expect(try await failure("o/r@v1", client(next: "https://evil.example/x")).kind == .protocolViolation)
    #expect(try await failure("o/r@v1", client(next: first)).reason.contains("does not end"))
  }

  @Test("a draft is found by its tag only, and fetched with the token")
  func drafts() async throws {
    let draft = Self.release("v2", 1..<2, ", \"draft\": true")
    let client = Client(
      ["\(Self.api)/releases?per_page=30": .init(body: "[\(draft)]")], environment: ["GITHUB_TOKEN": "t"])
    let answer = try await find("o/r@v2", client)
    #expect(answer.entries.first?.file.urls.map(\.string) == ["\(Self.api)/releases/assets/1"])
    let lie = Client(["\(Self.api)/releases/latest": .init(body: draft)])
    #expect(try await failure("o/r", lie).kind == .protocolViolation)
    let other = Client(["\(Self.api)/releases/tags/v2": .init(body: Self.release("v1"))])
    #expect(try await failure("o/r@v2", other).kind == .protocolViolation)
  }

  @Test("what does not exist is named, with what does")
  func missing() async throws {
    let list = "\(Self.api)/releases?per_page=30"
    let near = try await failure("o/r@v1.3", Client([list: .init(body: "[\(Self.release("v1.2"))]")]))
    #expect(near.advice.map { "\($0)" }?.hasPrefix("did you mean v1.2?") == true && near.httpStatus == 404)
    let pre = Self.release("v2-rc1", 1..<2, ", \"prerelease\": true")
    #expect(
      try await failure("o/r", Client([list: .init(body: "[\(pre)]")])).advice.map { "\($0)" }
        == "name one: gh:o/r@v2-rc1")
    #expect(try await failure("o/r", Client([list: .init(body: "[]")])).reason == "o/r has no releases")
    let nothing = try await failure("o/r", Client([:]))
    #expect(
      nothing.reason.contains("no repository o/r") && nothing.advice.map { "\($0)" }?.contains("GH_TOKEN") == true)
  }

  @Test("refusals: a wrong token, a limit that is used up, no access")
  func refusals() async throws {
    let latest = "\(Self.api)/releases/latest"
    let own = ["GH_TOKEN": "geheim"]
    let wrong = try await failure("o/r", Client([latest: .init(status: 401)], environment: own))
    #expect(wrong.kind == .authentication && wrong.reason.contains("the token of GH_TOKEN"))
    let used = [HeaderField("X-RateLimit-Remaining", "0"), HeaderField("X-RateLimit-Reset", "1000000600")]
    for status in [403, 429] {
      let limit = try await failure("o/r", Client([latest: .init(status: status, fields: used)]))
      #expect(limit.retryAfter == 600 && limit.recovery == .retry && limit.reason.hasSuffix("used up for 10 min 00 s"))
      #expect(limit.advice.map { "\($0)" }?.contains("set GH_TOKEN") == true)
    }
    let access = try await failure("o/r", Client([latest: .init(status: 403)], environment: own))
    #expect(access.reason.contains("refuses access to o/r") && access.recovery != .retry)
    for one in [wrong, access] { #expect(!"\(one) \(one.advice.map { "\($0)" } ?? "")".contains("geheim")) }
  }

  @Test("source archives: a tag, a branch, a commit, the latest release")
  func sources() async throws {
    let latest = Client([
      "\(Self.api)/releases/latest": .init(body: Self.release()), "\(Self.api)/commits/v1": .init(body: Self.sha),
    ])
    let answer = try await find("o/r/source.tar.gz", latest)
    #expect(answer.entries.first?.file.name == "r-v1.tar.gz" && answer.revision == Self.sha)
    #expect(latest.queries.last?.accept == "application/vnd.github.sha")
    let branch = Client(["\(Self.api)/commits/a%2Fb": .init(body: Self.sha)])
    #expect(try await find("o/r@a%2Fb/source.zip", branch).pinned.text == "gh:o/r@\(Self.sha)/source.zip")
    let commit = Client([:])
    #expect(try await find("o/r@\(Self.sha)/source.zip", commit).entries.count == 1 && commit.queries.isEmpty)
    #expect(try await failure("o/r@none/source.zip", Client([:])).reason.contains("no tag, branch or commit none"))
    let lie = Client(["\(Self.api)/commits/main": .init(body: "<html>")])
    #expect(try await failure("o/r@main/source.zip", lie).kind == .protocolViolation)
  }

  @Test("another server by GH_HOST or in the name; its pinned names have it")
  func enterprise() async throws {
    let api = "https://ghe.example/api/v3/repos/o/r/releases/tags/v1"
    for (rest, environment) in [
      ("o/r@v1/f1", ["GH_HOST": "ghe.example", "GH_ENTERPRISE_TOKEN": "t"]), ("//ghe.example/o/r@v1/f1", [:]),
    ] {
      let client = Client([api: .init(body: Self.release())], environment: environment)
      let answer = try await find(rest, client)
      #expect(client.urls == [api] && answer.pinned.text == "gh://ghe.example/o/r@v1/f1")
      #expect(answer.entries.first?.file.headers.isEmpty == environment.isEmpty)
    }
  }

  @Test("a GH_HOST that is no host is an error, unless the name has a host")
  func badHost() async throws {
    let environment = ["GH_HOST": "https://ann:PLANTED@ghe.example/x"]
    let failure = try await failure("o/r@v1/f1", Client([:], environment: environment))
    #expect(failure.kind == .usage && failure.subject == "GH_HOST" && failure.advice != nil)
    #expect(!failure.description.contains("PLANTED"))
    let api = "https://ghe.example/api/v3/repos/o/r/releases/tags/v1"
    let client = Client([api: .init(body: Self.release())], environment: environment)
    _ = try await find("//ghe.example/o/r@v1/f1", client)
  }

  @Test("pasted addresses")
  func addresses() throws {
    let latest = try RequestURL.parse("https://ghe.example/o/r/releases/latest").url
    #expect(GitHubSource().name(of: latest) == nil)
    #expect(GitHubSource(host: "ghe.example").name(of: latest)?.text == "gh://ghe.example/o/r")
  }
}
