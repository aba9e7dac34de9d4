// Object stores that never end a list or an answer: time is bounded whatever a server sends (P13).

import DrayCore
import DrayDocuments
import FaultServer
import Testing

@testable import DrayEngine

@Suite(.timeLimit(.minutes(1)), .serialized) struct ObjectBoundTests {
  /// Calls `body` with a server and a client of a bucket in it.
  private func use(
    _ path: String, _ decide: @escaping @Sendable (FaultServer.SeenRequest) -> FaultServer.Answer,
    _ body: (FaultServer, ObjectClient, Engine) async throws -> Void
  ) async throws {
    let server = try FaultServer()
    defer { server.stop() }
    let engine = try Engine()
    defer { engine.stop() }
    var resource = FaultServer.Resource(.named("v1", size: 1))
    resource.decide = decide
    server[path] = resource
    var signature = AWSSignature()
    signature.endpoint = try RequestURL.parse(server.url("")).url
    let access = ObjectAccess(signature: signature, credentials: Credentials(user: "AKIDANN", password: "secret"))
    let tools = ObjectTools(
      engine: { () async throws(Failure) in engine }, ledger: Ledger(), reader: { ObjectDocument.parse($0) },
      keys: { (_, _) throws(Failure) in access })
    try await body(server, ObjectClient(bucket: "bucket", access, tools), engine)
  }

  private static func document(_ text: String) -> FaultServer.Answer {
    FaultServer.Answer(200) {
      $0.headers = ["Content-Type: application/xml"]
      $0.body = Array(text.utf8)
    }
  }

  /// Each page is empty, and names a later one.
  @Test func emptyPagesOfPartsEnd() async throws {
    let decide: @Sendable (FaultServer.SeenRequest) -> FaultServer.Answer = { request in
      let marker = request.target.split(separator: "part-number-marker=").dropFirst().first?.prefix { $0.isNumber }
      return Self.document(
        "<ListPartsResult><IsTruncated>true</IsTruncated>"
          + "<NextPartNumberMarker>\((marker.flatMap { Int($0) } ?? 0) + 1)</NextPartNumberMarker></ListPartsResult>")
    }
    try await use("/bucket/k", decide) { server, client, _ in
      let parts = try await client.parts(ObjectUpload(key: "k", id: "u", plan: .unknownLength))
      #expect(parts?.isEmpty == true)
      #expect(server.requests("/bucket/k").count == 1)
    }
  }

  @Test func emptyPagesOfUploadsEnd() async throws {
    let decide: @Sendable (FaultServer.SeenRequest) -> FaultServer.Answer = { request in
      Self.document(
        "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated>"
          + "<NextKeyMarker>\(request.target.count)</NextKeyMarker><NextUploadIdMarker>u</NextUploadIdMarker>"
          + "</ListMultipartUploadsResult>")
    }
    try await use("/bucket/", decide) { server, client, _ in
      let uploads = try await client.uploads(prefix: "")
      #expect(uploads.isEmpty)
      #expect(server.requests("/bucket/").count == 1)
    }
  }

  /// The system takes the whole body long before a slow line has sent it. The rest is no silence of the server.
  @Test func aBodyOnASlowLineIsNoSilence() async throws {
    let server = try FaultServer()
    defer { server.stop() }
    server["/f"] = .init(.named("v1", size: 1))
    let line = try FaultServer.Link(to: Int(server.port), rate: 1 << 20)
    defer { line.stop() }
    let engine = try Engine()
    defer { engine.stop() }
    var request = TransferRequest(url: try url("http://127.0.0.1:\(line.port)/f"))
    (request.method, request.proxy) = ("PUT", "")
    (request.stallTimeout, request.connectTimeout) = (1, 1)
    let result = await engine.perform(request, .bytes(noise(8 << 20)), longest: 1 << 20, isEnding: { false })
    if case .failure(let lost) = result { Issue.record("\(lost.failure)") }
  }

  /// The answer takes minutes, a byte now and then. While the server joins the parts of an upload, its white space is
  /// no stall.
  @Test(arguments: [("GET", false), ("POST", true), ("POST", false)])
  func aFewBytesNowAndThenAreAStall(_ method: String, _ joinsParts: Bool) async throws {
    let body = [UInt8](repeating: UInt8(ascii: " "), count: method == "GET" ? 10_000 : 60)
    let decide: @Sendable (FaultServer.SeenRequest) -> FaultServer.Answer = { _ in
      FaultServer.Answer(200) {
        $0.body = body
        $0.rate = 20
      }
    }
    try await use("/bucket/k", decide) { server, _, engine in
      var request = TransferRequest(url: try url(server.url("/bucket/k")))
      (request.method, request.proxy) = (method, "")
      (request.stallTimeout, request.connectTimeout) = (1, 1)
      let result = await engine.perform(
        request, .bytes([]), joinsParts: joinsParts, longest: 1 << 20, isEnding: { false })
      switch result {
      case .success(let answer): #expect(joinsParts && answer.bytes == body)
      case .failure(let lost): #expect(!joinsParts && lost.failure.kind == .network, "\(lost.failure)")
      }
    }
  }

  /// The bytes of an object come without a pause, but the rest would take minutes.
  @Test func aStoppedRunDoesNotWaitForASlowAnswer() async throws {
    let decide: @Sendable (FaultServer.SeenRequest) -> FaultServer.Answer = { _ in
      FaultServer.Answer(200) {
        $0.body = [UInt8](repeating: 1, count: 2 << 20)
        $0.rate = 10_000
      }
    }
    try await use("/bucket/k", decide) { server, _, engine in
      var request = TransferRequest(url: try url(server.url("/bucket/k")))
      request.proxy = ""
      let result = await engine.perform(request, .bytes([]), longest: 4 << 20, isEnding: { true })
      guard case .failure(let lost) = result else {
        Issue.record("it waited for the whole answer")
        return
      }
      #expect(lost.failure.recovery == .retry)
    }
  }
}
