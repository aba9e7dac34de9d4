// The conformance suite over all real servers, with the steps that its tests share.

import FaultServer
import Foundation
import TestSupport
import Testing

/// Checks dray's promises with real servers. ``ServerKind`` states a server's limits; the tests then expect the other
/// outcome.
@Suite("Real servers", .needs(.programs(Set(ServerKind.http.map(\.program)).sorted())))
enum Conformance {
  /// The file for transfers that are stopped half-way.
  static let size: Int64 = 4 << 20
  static let old = Content.generated(seed: 1, size: size)
  static let new = Content.generated(seed: 2, size: size)
  /// The position of the stop. It does not depend on the length of a server's head.
  static let half: Int64 = 5 << 19
  /// The most bytes of heads, over a few requests.
  static let heads: Int64 = 8 << 10

  /// Runs `body` with a server of `kind`, and a relay in front of it.
  static func serve(
    _ kind: ServerKind, connections: Int? = 1, isSecure: Bool = false, rate: Int? = nil,
    _ body: (Sandbox, RealServer, FaultServer.Relay, Certificates?) async throws -> Void
  ) async throws {
    try await Sandbox.use(connections: connections) { sandbox in
      let certificates = isSecure ? try await Certificates(in: sandbox) : nil
      let server = try await RealServer(kind, in: sandbox, certificates: certificates)
      let relay = try FaultServer.Relay(to: server.port, rate: rate)
      defer { relay.stop() }
      try await body(sandbox, server, relay, certificates)
    }
  }

  /// The bytes that `relay` has passed to clients, after all of them have left.
  static func passed(_ relay: FaultServer.Relay) async throws -> Int64 {
    try await waitUntil("the end of the connections") { relay.openConnections == 0 }
    return relay.bytesDown
  }

  /// The URL of `path` through `relay`.
  static func url(_ relay: FaultServer.Relay, _ path: String, _ scheme: String = "http") -> String {
    "\(scheme)://127.0.0.1:\(relay.port)\(path)"
  }
}

extension Sandbox {
  /// The number of bytes that the checkpoint of job 1 counts.
  func recorded() async throws -> Int64 { try await shown(1)?.recorded ?? 0 }

  /// The expected `If-Range` of job 1.
  func recordedValidator() async throws -> String? {
    let tags = try await shown(1)?.validators
    return tags?.etag ?? tags?.lastModified
  }

  /// Runs `dray` until `relay` has passed half of the file and a checkpoint counts most of that, then kills it with
  /// SIGKILL. Returns the number of bytes from which the next run continues.
  func killHalf(_ arguments: [String], _ relay: FaultServer.Relay) async throws -> Int64 {
    try await kill(arguments, relay, after: Conformance.half, recorded: Conformance.half / 2)
  }

  /// Runs `dray` until `relay` has passed `count` more bytes and a checkpoint counts more than `least` of the file,
  /// then kills it with SIGKILL. Returns the number of bytes from which the next run continues.
  func kill(
    _ arguments: [String], _ relay: FaultServer.Relay, after count: Int64, recorded least: Int64
  ) async throws -> Int64 {
    let gate = relay.hold(after: count)
    let program = try start(arguments)
    try await program.wait(for: "\(count) bytes") { gate.arrivals > 0 }
    try await program.wait(for: "a checkpoint", every: 0.1) { try await recorded() > least }
    try await program.kill9()
    try await waitUntil("the end of its connections") { relay.openConnections == 0 }
    gate.open()
    expectOnlyPartFile()
    return try await kept()
  }
}
