// Brings a transfer to an exact byte and stops it there, gracefully or by force.

import FaultServer
import Foundation
import Testing

/// How a transfer is stopped half-way.
enum Stop: Sendable {
  /// SIGINT: a clean checkpoint.
  case interrupt
  /// SIGKILL, after a regular checkpoint.
  case kill
}

extension Sandbox {
  /// Runs `dray` with `arguments` until `bytes` of the resource have arrived, where `gate` holds it, and stops it.
  /// Returns the only job afterwards.
  func runHalf(_ arguments: [String], gate: Gate, bytes: Int64, stop: Stop) async throws -> ListedJob {
    let program = try start(arguments)
    try await program.wait(for: "the gate", seconds: 120) { gate.arrivals > 0 }
    try await program.wait(for: "received \(bytes)", seconds: 120, every: 0.1) {
      try await self.jobs().first.map { $0.received >= bytes } ?? false
    }
    switch stop {
    case .interrupt:
      program.send(SIGINT)
      expect(try await program.finish(), exits: 130)
    case .kill:
      try await program.wait(for: "a checkpoint", seconds: 120, every: 0.1) { try await recorded() >= bytes }
      try await program.kill9()
    }
    gate.open()
    return try await onlyJob()
  }

  /// Starts `dray` with `arguments` and waits until some bytes are here, for resources that no gate can hold. The
  /// overall limit is so low that the rest takes minutes, however late the check is. ``liftLimit()`` ends that.
  func startSlowly(_ arguments: [String]) async throws -> RunningProgram {
    expect(try await dray("limit", "64k"), exits: 0)
    let program = try start(arguments)
    try await program.wait(for: "some bytes", seconds: 60, every: 0.1) {
      try await jobs().contains { $0.state == "active" && $0.received >= 128 << 10 }
    }
    return program
  }

  /// Lifts the limit for running and later transfers.
  func liftLimit() async throws {
    expect(try await dray("limit", "off"), exits: 0)
  }

  /// The same for one job, which is then stopped; `.kill` waits until a checkpoint counts some of its bytes. Returns
  /// the only job afterwards.
  func runSlowly(_ arguments: [String], stop: Stop) async throws -> ListedJob {
    let program = try await startSlowly(arguments)
    switch stop {
    case .interrupt:
      program.send(SIGINT)
      expect(try await program.finish(), exits: 130)
    case .kill:
      try await program.wait(for: "a checkpoint", seconds: 60, every: 0.1) { try await recorded() >= 64 << 10 }
      try await program.kill9()
    }
    try await liftLimit()
    return try await onlyJob()
  }
}
