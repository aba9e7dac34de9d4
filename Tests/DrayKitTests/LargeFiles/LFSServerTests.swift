// Who may ask a server of git-lfs, and what the source of its objects gives.

import DrayCore
import DrayDocuments
import DrayStore
import Synchronization
import Testing

@testable import DrayKit

@Suite("Servers of git-lfs, asked")
struct LFSServerTests {
  private static let oid = String(repeating: "0a", count: 32)
  private static let object = LFSObject(oid: oid, size: 3)
  private static let root = "https://git.example/r.git/info/lfs"

  /// A server that accepts one value of `Authorization`.
  private final class Client: SourceClient {
    let places = TokenPlaces(environment: [:], home: nil) { _ in nil }
    private let wanted: String?
    private let link: String
    private let most: Int
    private let seen = Mutex<[SourceQuery]>([])

    init(wanting: String?, link: String = "https://git.example/data", most: Int = 100) {
      (wanted, self.link, self.most) = (wanting, link, most)
    }

    var queries: [SourceQuery] { seen.withLock(\.self) }

    func send(_ query: SourceQuery) async throws(Failure) -> SourceResponse {
      let number = seen.withLock { seen in
        seen.append(query)
        return seen.count
      }
      func answer(_ status: Int, _ text: String) -> SourceResponse {
        SourceResponse(head: ResponseHead(status: status, fields: []), finalURL: query.url, body: Array(text.utf8))
      }
      let field = query.headers.first { $0.name == "Authorization" }?.value
      guard field == wanted else { return answer(401, "{\"message\": \"who are you?\"}") }
      let names = String(decoding: query.body ?? [], as: UTF8.self).split(separator: "\"oid\":\"").dropFirst()
        .map { String($0.prefix(64)) }
      guard names.count <= most else { return answer(413, "{}") }
      let objects = names.map { name in
        """
        {"oid": "\(name)", "actions": {"download": {"href": "\(link)", "header": {"X-Token": "\(number)"}}}}
        """
      }
      return answer(200, "{\"objects\": [\(objects.joined(separator: ","))]}")
    }
  }

  /// Git with these passwords, one after the other as each is rejected, and what it was told.
  private final class Git: Sendable {
    private let state: Mutex<(passwords: [String], told: [String])>

    init(_ passwords: String...) { state = Mutex((passwords, [])) }

    var told: [String] { state.withLock(\.told) }

    var repository: GitRepository {
      var places = TokenPlaces(environment: [:], home: nil) { _ in nil }
      places.ask = { [self] words, input in
        state.withLock { state in
          guard let verb = words.last, words.contains("credential") else { return nil }
          state.told.append(verb)
          if verb == "reject", !state.passwords.isEmpty { state.passwords.removeFirst() }
          guard verb == "fill", let password = state.passwords.first else { return nil }
          return Array(
            (input.split(separator: "\n") + ["username=ann", "password=\(password)"]).joined(separator: "\n").utf8)
        }
      }
      return GitRepository(directory: "/r", places: places)
    }
  }

  private func server(_ git: Git, _ address: String = root, extra: HeaderField? = nil) throws -> LFSServer {
    LFSServer(git.repository, try LFSServerPlace(address, isRemote: false), extraField: extra)
  }

  private func action(_ outcomes: [String: LFSOutcome]) throws -> LFSAction {
    guard case .action(let action)? = outcomes[Self.oid] else { throw Failure(.other, "object", "\(outcomes)") }
    return action
  }

  @Test("no account is asked for where none is needed")
  func open() async throws {
    let (git, client) = (Git("x"), Client(wanting: nil))
    let action = try action(try await server(git).outcomes(of: [Self.object], client))
    #expect(git.told.isEmpty && client.queries.count == 1)
    #expect(client.queries[0].url.string == Self.root + "/objects/batch" && client.queries[0].method == "POST")
    #expect(action.headers == [HeaderField("X-Token", "1")])
  }

  @Test("an account is asked for once, approved once, and goes to the server's own origin only")
  func account() async throws {
    let basic = GitCredential.basic("ann", "good")
    let git = Git("good")
    let server = try server(git)
    let own = try action(try await server.outcomes(of: [Self.object], Client(wanting: basic)))
    #expect(git.told == ["fill", "approve"])
    #expect(own.headers == [HeaderField("X-Token", "2"), HeaderField("Authorization", basic)])
    let elsewhere = Client(wanting: basic, link: "https://cdn.example/data")
    let other = try action(try await server.outcomes(of: [Self.object], elsewhere))
    #expect(git.told == ["fill", "approve"] && other.headers == [HeaderField("X-Token", "1")])
  }

  @Test("an old account is rejected, and the next one is used")
  func oldAccount() async throws {
    let git = Git("old", "good")
    _ = try await server(git).outcomes(of: [Self.object], Client(wanting: GitCredential.basic("ann", "good")))
    #expect(git.told == ["fill", "reject", "fill", "approve"])
  }

  @Test("without an account, or with wrong ones, the failure has the server's words and no password")
  func refused() async throws {
    for git in [Git(), Git("wrong"), Git("wrong", "also wrong", "never used")] {
      let failure = await #expect(throws: Failure.self) {
        _ = try await server(git).outcomes(of: [Self.object], Client(wanting: "x"))
      }
      #expect(failure?.kind == .authentication && failure?.httpStatus == 401)
      #expect(failure?.reason.contains("who are you?") == true && failure.map { "\($0)".contains("wrong") } == false)
    }
  }

  @Test("the password in the address, and the field of git's settings")
  func given() async throws {
    let git = Git()
    let client = Client(wanting: GitCredential.basic("ann", "pw"))
    _ = try await server(git, "https://ann:pw@git.example/r").outcomes(of: [Self.object], client)
    let field = HeaderField("Authorization", "Bearer t")
    let action = try action(
      try await server(git, extra: field).outcomes(of: [Self.object], Client(wanting: "Bearer t")))
    #expect(git.told.isEmpty && action.headers.contains(field))
  }

  @Test("a question that is too large is divided")
  func divided() async throws {
    let objects = (0..<10).map { LFSObject(oid: String(repeating: "\($0)", count: 64), size: 1) }
    let client = Client(wanting: nil, most: 3)
    #expect(try await server(Git()).outcomes(of: objects, client).count == 10)
    #expect(client.queries.count == 7)
  }

  @Test("the source gives the fields of a URL, and renews them")
  func source() async throws {
    let client = Client(wanting: nil)
    let source = LFSSource(server: try server(Git()), trust: LFSTrust(Git().repository))
    let first = try action(try await source.server.outcomes(of: [Self.object], client))
    source.links.put(first, for: Self.object)
    #expect(source.fields(for: first.url, .none) == [HeaderField("X-Token", "1")])
    #expect(source.fields(for: try RequestURL.parse("https://git.example/other").url, .none).isEmpty)
    let reference = LFSSource.reference(to: Self.oid)
    let name = try #require(SourceName(reference.name, schemes: ["lfs"]))
    let answer = try await source.renew(
      ExpiredLink(name: name, reference: reference, url: first.url, status: 403), client)
    #expect(answer.hasNewFields && answer.entries.map(\.path) == [Self.oid])
    #expect(source.fields(for: first.url, .none) == [HeaderField("X-Token", "2")])
    source.links.drop(Self.oid)
    #expect(source.fields(for: first.url, .none).isEmpty)
    await #expect(throws: Failure.self) { _ = try await source.find(name, client) }
  }

  @Test("progress only grows, and each object gets one last answer")
  func progress() {
    let sent = Mutex<[LFSReply]>([])
    let report = LFSReport(
      send: { reply in sent.withLock { $0.append(reply) } },
      problem: { LFSProblem(code: 9, message: $0.reason) })
    let progress = LFSProgress(report)
    progress.add(1, LFSObject(oid: "a", size: 10))
    progress.add(2, LFSObject(oid: "b", size: 5))
    for received in [4, 4, 2, 11, 7] as [Int64] { progress.move(1, to: received) }
    progress.complete(1, path: "/a")
    progress.complete(1, path: "/a")
    progress.fail(2, Failure(.integrity, "b", "it is wrong"))
    progress.move(2, to: 5)
    #expect(progress.open.isEmpty)
    #expect(
      sent.withLock(\.self) == [
        .progress(oid: "a", received: 4, since: 4), .progress(oid: "a", received: 7, since: 3),
        .progress(oid: "a", received: 10, since: 3), .complete(oid: "a", path: "/a"),
        .failed(oid: "b", LFSProblem(code: 9, message: "it is wrong")),
      ])
  }
}
