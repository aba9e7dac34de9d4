// Brings a transfer to an exact byte and stops it there, softly or hard.

import FaultServer
import Foundation
import Testing

/// How a transfer is stopped half-way.
enum Stop: Sendable {
  /// SIGINT: a clean checkpoint.
  case interrupt
  /// SIGKILL, after a checkpoint has come by itself.
  case kill
}

extension Sandbox {
  /// Runs `dray` with `arguments` until `bytes` of the resource have come, which `gate` holds there, and stops it.
  /// Gives the only job as it is afterwards.
  func runHalf(_ arguments: [String], gate: Gate, bytes: Int64, stop: Stop) async throws -> ListedJob {
    let program = try start(arguments)
    try await program.wait(for: "the gate") { gate.arrivals > 0 }
    try await program.wait(for: "received \(bytes)", every: 0.1) {
      try await self.jobs().first.map { $0.received >= bytes } ?? false
    }
    switch stop {
    case .interrupt:
      program.send(SIGINT)
      expect(try await program.finish(seconds: 20), exits: 130)
    case .kill:
      // A checkpoint comes at least every 2 s while bytes come (P4).
      try await Task.sleep(for: .seconds(2.5))
      try await program.kill9()
    }
    gate.open()
    return try await onlyJob()
  }
}
