// Images and models by name, against a registry in memory: pins, tokens, and what a registry may lie about.

import DrayCore
import DrayDocuments
import DrayEngine
import Foundation
import Synchronization
import Testing

@testable import DrayKit

/// A registry with one token server. It counts requests.
private final class FakeRegistry: SourceClient {
  struct State {
    /// Manifests by the end of their URLs: a tag or a digest.
    var manifests: [String: (type: String, bytes: [UInt8])] = [:]
    var log: [String] = []
    /// The tokens that were given, and whether each is still accepted.
    var tokens: [String: Bool] = [:]
    var stated: String?
    /// The URL to which requests are redirected.
    var end: RequestURL?
  }

  let state = Mutex(State())
  let challenge: String?
  let places: TokenPlaces
  let choices: SourceChoices

  init(challenge: String? = nil, platform: String? = "linux/amd64", _ places: TokenPlaces? = nil) {
    self.challenge = challenge
    self.places = places ?? TokenPlaces(environment: [:], home: nil) { _ in nil }
    choices = SourceChoices(platform: platform.flatMap { ImagePlatform($0) })
  }

  static let image = "application/vnd.oci.image.manifest.v1+json"
  static let index = "application/vnd.oci.image.index.v1+json"

  static func digest(_ bytes: [UInt8]) -> String { ImageDigest.text(FileDigest.of(bytes, .sha256)) }

  /// Adds a document under its digest and a tag. Returns its descriptor.
  @discardableResult
  func add(_ text: String, _ type: String = image, tag: String? = nil, platform: String? = nil) -> String {
    let bytes = Array(text.utf8)
    let digest = Self.digest(bytes)
    state.withLock { state in
      for name in [digest, tag].compactMap(\.self) { state.manifests[name] = (type, bytes) }
    }
    let parts = platform?.split(separator: "/") ?? []
    let field = parts.isEmpty ? "" : ", \"platform\": {\"os\": \"\(parts[0])\", \"architecture\": \"\(parts[1])\"}"
    return "{\"mediaType\": \"\(type)\", \"digest\": \"\(digest)\", \"size\": \(bytes.count)\(field)}"
  }

  static func manifest(_ digit: Character) -> String {
    func blob(_ digit: Character) -> String {
      "{\"mediaType\": \"a/b\", \"digest\": \"sha256:\(String(repeating: digit, count: 64))\", \"size\": 10}"
    }
    return "{\"schemaVersion\": 2, \"config\": \(blob("c")), \"layers\": [\(blob(digit))]}"
  }

  static func index(_ entries: [String]) -> String {
    "{\"schemaVersion\": 2, \"manifests\": [\(entries.joined(separator: ", "))]}"
  }

  var log: [String] { state.withLock { $0.log } }

  func expire() { state.withLock { state in for token in state.tokens.keys { state.tokens[token] = false } } }

  func send(_ query: SourceQuery) async throws(Failure) -> SourceResponse {
    let proof = query.headers.first { $0.name == "Authorization" }?.value
    let head: (Int, [HeaderField], [UInt8]) = state.withLock { state in
      state.log.append("\(query.method) \(query.url.path)" + (proof.map { " (\($0.prefix(16)))" } ?? ""))
      if query.url.path == "/token" {
        let token = "t\(state.tokens.count + 1)"
        state.tokens[token] = true
        return (200, [], Array("{\"token\": \"\(token)\", \"expires_in\": 60}".utf8))
      }
      if let challenge {
        let isKnown = proof.map { $0.hasPrefix("Basic ") || state.tokens[String($0.dropFirst(7))] ?? false } ?? false
        guard isKnown else { return (401, [HeaderField("WWW-Authenticate", challenge)], []) }
      }
      let name = String(query.url.path.split(separator: "/").last ?? "")
      guard let found = state.manifests[name] else {
        return (404, [], Array("{\"errors\": [{\"code\": \"MANIFEST_UNKNOWN\"}]}".utf8))
      }
      let digest = HeaderField("Docker-Content-Digest", state.stated ?? Self.digest(found.bytes))
      return (200, [HeaderField("Content-Type", found.type), digest], found.bytes)
    }
    guard (200...299).contains(head.0) || query.statuses.contains(head.0) else {
      throw Failure(.status, query.url.description, "\(head.0)", httpStatus: head.0)
    }
    let end = state.withLock(\.end) ?? query.url
    return SourceResponse(head: ResponseHead(status: head.0, fields: head.1), finalURL: end, body: head.2)
  }
}

@Suite("Images in registries")
struct RegistrySourceTests {
  private static let bearer = "Bearer realm=\"https://auth.example/token\",service=\"s\""

  private func find(
    _ rest: String, _ registry: FakeRegistry, _ tokens: RegistryTokens = RegistryTokens()
  ) async throws -> SourceAnswer {
    try await OCISource(tokens).find(SourceName(scheme: "oci", rest: rest), registry)
  }

  @Test("a tag becomes the digest of the platform's manifest, and the files of a layout")
  func layout() async throws {
    let registry = FakeRegistry()
    let text = FakeRegistry.manifest("1")
    let mine = registry.add(text, platform: "linux/amd64")
    let other = registry.add(FakeRegistry.manifest("2"), platform: "linux/arm64")
    registry.add(FakeRegistry.index([other, mine]), FakeRegistry.index, tag: "12")
    let answer = try await find("reg.example/a/b:12", registry)
    let digest = FakeRegistry.digest(Array(text.utf8))
    #expect(answer.revision == digest && answer.pinned.text == "oci:reg.example/a/b:12@\(digest)")
    let (one, config) = (String(repeating: "1", count: 64), String(repeating: "c", count: 64))
    #expect(
      answer.entries.map(\.path)
        == ["sha256/\(config)", "sha256/\(one)", digest.replacing(":", with: "/")].map { "blobs/\($0)" })
    #expect(answer.entries.allSatisfy { $0.file.name == $0.path && $0.file.digest != nil && $0.file.size != nil })
    #expect(answer.entries[1].file.urls.map(\.string) == ["https://reg.example/v2/a/b/blobs/sha256:\(one)"])
    let last = try #require(answer.entries.last?.file)
    #expect(last.urls.map(\.string) == ["https://reg.example/v2/a/b/manifests/\(digest)"])
    #expect(last.headers == [HeaderField("Accept", FakeRegistry.image)] && last.size == Int64(text.utf8.count))
    #expect(registry.log.count == 2)

    // The pinned name gives the same files, even when the tag has moved.
    registry.add(FakeRegistry.manifest("3"), tag: "12")
    let again = try await find(answer.pinned.rest, registry)
    #expect(again == answer)
    #expect(registry.log.count == 3)
  }

  @Test("an index in an index; a platform that there is not")
  func platforms() async throws {
    let registry = FakeRegistry()
    let arm = registry.add(FakeRegistry.manifest("2"), platform: "linux/arm64")
    let inner = registry.add(FakeRegistry.index([arm]), FakeRegistry.index)
    registry.add(FakeRegistry.index([inner]), FakeRegistry.index, tag: "t")
    let failure = await #expect(throws: Failure.self) { try await find("reg.example/a:t", registry) }
    #expect(failure?.reason == "no image for linux/amd64; available: linux/arm64")
    let mine = registry.add(FakeRegistry.manifest("1"), platform: "linux/amd64")
    let second = registry.add(FakeRegistry.index([mine]), FakeRegistry.index)
    registry.add(FakeRegistry.index([inner, second]), FakeRegistry.index, tag: "t")
    #expect(try await find("reg.example/a:t", registry).entries.count == 3)
  }

  @Test("indexes in indexes in indexes have an end")
  func circles() async throws {
    let registry = FakeRegistry()
    var entry = registry.add(FakeRegistry.index([]), FakeRegistry.index)
    for _ in 0..<20 { entry = registry.add(FakeRegistry.index([entry]), FakeRegistry.index, tag: "t") }
    let failure = await #expect(throws: Failure.self) { try await find("reg.example/a:t", registry) }
    #expect(failure?.kind == .protocolViolation)
    #expect(registry.log.count < 12)
  }

  @Test("manifests that are not what was promised")
  func lies() async throws {
    func failure(_ rest: String, _ registry: FakeRegistry) async -> Failure? {
      await #expect(throws: Failure.self) { try await find(rest, registry) }
    }
    let stated = FakeRegistry()
    stated.add(FakeRegistry.manifest("1"), tag: "t")
    stated.state.withLock { $0.stated = "sha256:\(String(repeating: "0", count: 64))" }
    #expect(await failure("reg.example/a:t", stated)?.kind == .integrity)

    let named = FakeRegistry()
    let digest = "sha256:\(String(repeating: "0", count: 64))"
    named.add(FakeRegistry.manifest("1"), tag: digest)
    #expect(await failure("reg.example/a@\(digest)", named)?.kind == .integrity)

    let sized = FakeRegistry()
    let entry = sized.add(FakeRegistry.manifest("1"), platform: "linux/amd64")
    let wrong = entry.replacing("\"size\": ", with: "\"size\": 1")
    sized.add(FakeRegistry.index([wrong]), FakeRegistry.index, tag: "t")
    #expect(await failure("reg.example/a:t", sized)?.reason.contains("its index says") ?? false)

    let missing = await failure("reg.example/a:x", FakeRegistry())
    #expect(missing?.reason == "404: no such tag: x" && missing?.httpStatus == 404)
    let page = FakeRegistry()
    page.add("<html>", "text/html", tag: "t")
    #expect(await failure("reg.example/a:t", page)?.kind == .protocolViolation)
  }

  @Test("one token serves all requests and files; when it is refused, many callers get one new token")
  func tokens() async throws {
    let registry = FakeRegistry(challenge: Self.bearer)
    let tokens = RegistryTokens()
    registry.add(FakeRegistry.manifest("1"), tag: "t")
    let answer = try await find("reg.example/a:t", registry, tokens)
    #expect(
      registry.log == [
        "GET /v2/a/manifests/t", "GET /token", "GET /v2/a/manifests/t (Bearer t1)",
      ])
    #expect(
      answer.hasNewFields && answer.entries.allSatisfy { !$0.file.headers.contains { $0.name == "Authorization" } })
    let blob = try #require(answer.entries[0].file.urls.first)
    #expect(tokens.fields(for: blob, .none) == [HeaderField("Authorization", "Bearer t1")])
    _ = try await find("reg.example/a:t", registry, tokens)
    #expect(registry.log.count == 4)

    registry.expire()
    let answers = try await withThrowingTaskGroup(of: SourceAnswer.self) { group in
      for _ in 0..<20 { group.addTask { try await find(answer.pinned.rest, registry, tokens) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count == 20 && answers.allSatisfy { $0 == answer })
    #expect(tokens.fields(for: blob, .none) == [HeaderField("Authorization", "Bearer t2")])
    #expect(registry.log.filter { $0.hasPrefix("GET /token") }.count == 2)
  }

  @Test("a token is not given to a question in the second half of its life, but to requests of jobs until its end")
  func halfLife() async throws {
    let time = Mutex(0.0)
    let tokens = RegistryTokens { time.withLock(\.self) }
    let url = try RequestURL.parse("https://reg.example/v2/a/b/blobs/sha256:1").url
    let key = try #require(RegistryTokens.Key(url, hasAccounts: false))
    let first = try await tokens.renew(key, refused: nil) { RegistryTokens.Proof(value: "1", life: 60) }
    time.withLock { $0 = 29 }
    #expect(tokens.proof(for: key, leaving: 0.5) == first)
    #expect(try await tokens.renew(key, refused: nil) { RegistryTokens.Proof(value: "2", life: 60) } == first)
    time.withLock { $0 = 31 }
    #expect(tokens.proof(for: key, leaving: 0.5) == nil)
    #expect(tokens.fields(for: url, .none) == [HeaderField("Authorization", "1")])
    time.withLock { $0 = 60 }
    #expect(tokens.fields(for: url, .none) == [])
  }

  @Test("P13: tokens that have expired are forgotten, and the oldest of too many")
  func forgotten() async throws {
    let time = Mutex(0.0)
    let tokens = RegistryTokens { time.withLock(\.self) }
    func key(_ number: Int) throws -> RegistryTokens.Key {
      let url = try RequestURL.parse("https://reg.example/v2/a/b\(number)/blobs/sha256:1").url
      return try #require(RegistryTokens.Key(url, hasAccounts: false))
    }
    func renew(_ number: Int, life: Double) async throws {
      _ = try await tokens.renew(try key(number), refused: nil) {
        RegistryTokens.Proof(value: "\(number)", life: life)
      }
    }
    for number in 0..<10 { try await renew(number, life: 60) }
    time.withLock { $0 = 60 }
    try await renew(10, life: 86_400)
    #expect(tokens.count == 1)
    for number in 11..<(20 + RegistryTokens.most) {
      time.withLock { $0 += 1 }
      try await renew(number, life: 86_400)
      #expect(tokens.count <= RegistryTokens.most)
    }
    #expect(try tokens.proof(for: key(10)) == nil && tokens.proof(for: key(19)) == nil)
    #expect(tokens.proof(for: try key(20))?.value == "20")
    #expect(tokens.proof(for: try key(19 + RegistryTokens.most)) != nil)
  }

  @Test("a proof is for one repository of one origin, and for those who may use the accounts")
  func keys() throws {
    func key(_ url: String, _ hasAccounts: Bool = false) throws -> RegistryTokens.Key? {
      RegistryTokens.Key(try RequestURL.parse(url).url, hasAccounts: hasAccounts)
    }
    let one = try key("https://reg.example/v2/a/b/blobs/sha256:1")
    #expect(try one == key("https://reg.example:443/v2/a/b/manifests/1"))
    #expect(try one != key("https://reg.example/v2/a/b/blobs/sha256:1", true))
    #expect(try one != key("http://reg.example/v2/a/b/blobs/sha256:1"))
    #expect(try one != key("https://reg.example/v2/a/c/blobs/sha256:1"))
    #expect(try key("https://reg.example/v1/a/b/blobs/1") == nil && key("https://reg.example/v2/blobs/1") == nil)
  }

  @Test("a password goes to the token server, or to the registry if that wants it; without one the advice is to log in")
  func passwords() async throws {
    let file = "{\"auths\": {\"reg.example\": {\"auth\": \"YW5uOnB3\"}}}"
    let places = TokenPlaces(environment: ["DOCKER_CONFIG": "/d"], home: nil) { $0 == "/d/config.json" ? file : nil }
    let token = FakeRegistry(challenge: Self.bearer, places)
    token.add(FakeRegistry.manifest("1"), tag: "t")
    _ = try await find("reg.example/a:t", token)
    #expect(token.log[1] == "GET /token (Basic YW5uOnB3)")
    let basic = FakeRegistry(challenge: "Basic realm=\"r\"", places)
    basic.add(FakeRegistry.manifest("1"), tag: "t")
    let tokens = RegistryTokens()
    let answer = try await find("reg.example/a:t", basic, tokens)
    let blob = try #require(answer.entries[0].file.urls.first)
    #expect(tokens.fields(for: blob, places) == [HeaderField("Authorization", "Basic YW5uOnB3")])
    #expect(tokens.fields(for: blob, .none) == [])
    let none = FakeRegistry(challenge: "Basic realm=\"r\"")
    let failure = await #expect(throws: Failure.self) { try await find("reg.example/a:t", none) }
    #expect(failure?.kind == .authentication && failure?.advice?.description.contains("docker login") ?? false)
  }

  @Test(
    "P7: only the registry of the name says where its account is sent, no server to which it redirects",
    arguments: [
      ("https://reg.example/elsewhere", true), ("https://reg.example:443/v2/a/manifests/t", true),
      ("https://evil.example/v2/a/manifests/t", false), ("https://reg.example:444/v2/a/manifests/t", false),
      ("http://reg.example/v2/a/manifests/t", false),
    ])
  func challengeAfterRedirect(end: String, isAnswered: Bool) async throws {
    let file = "{\"auths\": {\"reg.example\": {\"auth\": \"YW5uOnB3\"}}}"
    let places = TokenPlaces(environment: ["DOCKER_CONFIG": "/d"], home: nil) { $0 == "/d/config.json" ? file : nil }
    let url = try RequestURL.parse(end).url
    for challenge in [Self.bearer, "Basic realm=\"r\""] {
      let registry = FakeRegistry(challenge: challenge, places)
      registry.add(FakeRegistry.manifest("1"), tag: "t")
      registry.state.withLock { $0.end = url }
      if isAnswered {
        #expect(try await find("reg.example/a:t", registry).entries.count == 3)
      } else {
        let failure = await #expect(throws: Failure.self) { try await find("reg.example/a:t", registry) }
        #expect(failure?.httpStatus == 401)
        #expect(registry.log == ["GET /v2/a/manifests/t"])
      }
    }
  }

  @Test("a model has its files and its directory where Ollama looks")
  func models() async throws {
    let places = TokenPlaces(environment: ["OLLAMA_MODELS": "/m"], home: "/h") { _ in nil }
    let registry = FakeRegistry(places)
    let text = FakeRegistry.manifest("1")
    registry.add(text, "application/vnd.docker.distribution.manifest.v2+json", tag: "1b")
    let source = OllamaSource(RegistryTokens())
    let answer = try await source.find(SourceName(scheme: "ollama", rest: "llama3.2:1b"), registry)
    #expect(answer.directory == "/m")
    #expect(answer.entries.map { $0.path.prefix(13) } == ["blobs/sha256-", "blobs/sha256-", "blobs/sha256-"])
    guard case .image(let step) = answer.entries[0].arrangement else { throw Failure(.other, "", "") }
    #expect(step.layout == .model(path: "manifests/registry.ollama.ai/library/llama3.2/1b"))
    #expect(answer.entries.last?.file.urls.first?.path == "/v2/library/llama3.2/manifests/1b")

    // The registry need not know manifests by their digests.
    registry.state.withLock { $0.manifests[FakeRegistry.digest(Array(text.utf8))] = nil }
    #expect(try await source.find(answer.pinned, registry) == answer)
    registry.add(FakeRegistry.manifest("2"), tag: "1b")
    let failure = await #expect(throws: Failure.self) { try await source.find(answer.pinned, registry) }
    #expect(failure?.kind == .integrity)
  }
}

@Suite("Places of accounts")
struct RegistryPlacesTests {
  @Test("the files of podman and skopeo go before docker's")
  func files() {
    let all = TokenPlaces(
      environment: ["REGISTRY_AUTH_FILE": "/a", "XDG_RUNTIME_DIR": "/r", "DOCKER_CONFIG": "/d"], home: "/h"
    ) { _ in nil }
    #expect(
      all.registryFiles == [
        "/a", "/r/containers/auth.json", "/h/.config/containers/auth.json", "/d/config.json",
      ])
    let usual = TokenPlaces(environment: ["DOCKER_CONFIG": ""], home: "/h") { _ in nil }
    #expect(usual.registryFiles == ["/h/.config/containers/auth.json", "/h/.docker/config.json"])
    #expect(TokenPlaces(environment: [:], home: nil) { _ in nil }.registryFiles.isEmpty)
  }

  @Test("a helper that knows nothing leads to the next place; a file that is not JSON is reported")
  func helpers() async throws {
    let files = [
      "/h/.config/containers/auth.json": "{\"credHelpers\": {\"reg.example\": \"one\"}}",
      "/h/.docker/config.json": "{\"credsStore\": \"two\"}",
    ]
    var places = TokenPlaces(environment: [:], home: "/h") { files[$0] }
    places.ask = { words, input in
      words == ["docker-credential-two", "get"] && input == "reg.example"
        ? Array("{\"Username\": \"u\", \"Secret\": \"s\"}".utf8) : nil
    }
    let reference = try ImageReference.parse("reg.example/a")
    #expect(try await places.registryAccount(for: reference) == .password(user: "u", secret: "s"))
    let broken = TokenPlaces(environment: [:], home: "/h") { _ in "{" }
    let failure = await #expect(throws: Failure.self) { try await broken.registryAccount(for: reference) }
    #expect(failure?.kind == .usage)
  }

  @Test("helper programs: output, failure, too much output, and no program")
  func programs() async {
    #expect(await HelperProgram.answer(["sh", "-c", "cat; echo no >&2"], "question") == Array("question".utf8))
    #expect(await HelperProgram.answer(["sh", "-c", "echo x; exit 1"], "") == nil)
    #expect(await HelperProgram.answer(["sh", "-c", "head -c 200000 /dev/zero"], "") == nil)
    #expect(await HelperProgram.answer(["dray-no-such-program"], "") == nil)
  }
}
