// Cookies by RFC 6265, over a redirect: whether the next request sends the cookies of an answer.

import DrayCore
import DrayEngine
import FaultServer
import Foundation
import Testing

@Suite("Cookies by the text of RFC 6265")
struct CookieTableTests {
  static let rows = StandardRow.table("rfc6265-cookies", keys: ["set", "at", "to", "sent", "none", "differs", "gives"])

  @Test("cookies sent after cookies set", arguments: rows)
  func cookies(_ row: StandardRow) async throws {
    #expect((row["sent"] == nil) == row.flag("none"), "a row expects a field or none")
    let server = try FaultServer()
    let engine = try Engine()
    defer {
      engine.stop()
      server.stop()
    }
    let (from, to) = (
      try Self.split(row["at"] ?? "http://a.localhost/"),
      try Self.split(row["to"] ?? row["at"] ?? "http://a.localhost/")
    )
    // If both paths are equal, the query distinguishes the two requests.
    let fields = try #require(row.list("set")).map { "Set-Cookie: \($0)" }
    let target = "http://\(to.host):\(server.port)\(to.path)?second"
    let sets = FaultServer.Answer.status(302, headers: fields + ["Location: \(target)"])
    server[from.path] = .init(.named("v1", size: 1), script: [sets, .status(404)])
    if to.path != from.path { server[to.path] = .init(.named("v1", size: 1), script: [.status(404)]) }
    let path = NSTemporaryDirectory() + "dray-cookies-\(UUID().uuidString)"
    let destination = try LocalDestinations(store: nil).open(DirectoryPlace(path), create: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    var request = TransferRequest(url: try RequestURL.parse("http://\(from.host):\(server.port)\(from.path)").url)
    request.proxy = ""
    var plan = try TransferPlan(
      request: request, destination: destination, partName: "part", recorded: Checkpoint(), resume: .safe,
      digestIsKnown: false)
    plan.cookies = []
    _ = await engine.start(plan, observer: Nobody()).outcome()
    let asked = try #require(server.requests.last)
    try #require(asked.target == "\(to.path)?second")
    let cookie = asked["Cookie"]
    guard row["differs"] != nil else {
      #expect(cookie == row["sent"])
      return
    }
    #expect(cookie == row["gives"], "what libcurl does has changed: look whether the row is met now")
  }

  private static func split(_ url: String) throws -> (host: String, path: String) {
    let parsed = try RequestURL.parse(url).url
    return (parsed.host, parsed.path)
  }

  @Test("the table exists")
  func isWhole() {
    #expect(Self.rows.count > 30)
    #expect(Self.rows.filter { $0["differs"] != nil }.allSatisfy { $0["gives"] != $0["sent"] })
  }
}

/// An observer that does nothing.
private struct Nobody: TransferObserver {
  func transferFollows(_ redirect: RedirectStep) {}
  func transferReceives(_ response: ResponseRecord, from: Int64, size: Int64?) {}
  func transferStartsOver(_ reason: StartOver) async throws(Failure) {}
}
