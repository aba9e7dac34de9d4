// The fixture of tests with buckets: their values, the arguments of `get`, and uploads that wait on their way.

import FaultServer
import Foundation
import Testing

/// The values of the tests with buckets.
enum ObjectCase {
  static let part: Int64 = 8 << 20
  /// Two whole parts and a rest.
  static let size: Int64 = 20 << 20
  static let v1 = Version.named("v1", size: size)
  static let v2 = Version.named("v2", size: size + 12_345)
  /// A byte in the third part.
  static let half: Int64 = 17 << 20
  static let small = Version.named("small", size: 5000)
  /// The arguments of a test's `get`.
  static let quick = ["--retry-wait", "0.05"]

  /// The arguments that fetch a file of the sandbox's server over one connection, as the object `f` of the bucket.
  static func get(_ sandbox: Sandbox, _ more: [String] = [], path: String = "/f") -> [String] {
    ["get", "-x", "1"] + quick + more + ["-o", "s3://bucket/f", sandbox.server.url(path)]
  }

  /// Runs `body` with a sandbox and a lying bucket that follows the rules so far.
  static func use(_ body: (Sandbox, FaultBucket) async throws -> Void) async throws {
    try await Sandbox.use { sandbox in
      try await body(sandbox, try sandbox.bucket())
    }
  }
}

extension FaultBucket {
  /// Whether an object has exactly this content.
  func has(_ key: String, _ content: Content) -> Bool {
    guard let object = object(key), Int64(object.bytes.count) == content.size else { return false }
    return Truth.isSame(object.bytes, content)
  }

  /// Expects exactly these objects, and no unfinished upload.
  func expectObjects(
    _ objects: [String: Content], _ context: some CustomStringConvertible = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(keys == Set(objects.keys), "\(context)", sourceLocation: sourceLocation)
    for (key, content) in objects {
      #expect(has(key, content), "\(key): \(context)", sourceLocation: sourceLocation)
    }
    #expect(
      uploads == [:], "\(context)\n\(calls.map(\.description).joined(separator: "\n"))", sourceLocation: sourceLocation)
  }
}

extension Sandbox {
  /// Starts `get` of `/f`, of which the source holds back the rest from ``ObjectCase/half`` on at `gate`, and waits
  /// until the bucket has two parts.
  func startHalf(
    _ arguments: [String], to bucket: FaultBucket, gate: Gate, version: Version = ObjectCase.v1, headers: [String] = [],
    _ change: (inout Launch) -> Void = { _ in }
  ) async throws -> RunningProgram {
    let script: [Answer] = [.held(by: gate, after: ObjectCase.half), .normal]
    server["/f"] = .init(version, script: script.map { $0.with { $0.headers += headers } })
    let program = try start(arguments, change)
    try await program.wait(for: "two parts", seconds: 120) { bucket.calls(.part).count { $0.status == 200 } >= 2 }
    return program
  }

  /// Starts as ``startHalf(_:to:gate:version:headers:_:)``, stops the program when the record counts one of the parts,
  /// and opens the gate.
  func uploadHalf(
    _ arguments: [String], to bucket: FaultBucket, gate: Gate, stop: Stop, version: Version = ObjectCase.v1,
    headers: [String] = []
  ) async throws {
    let program = try await startHalf(arguments, to: bucket, gate: gate, version: version, headers: headers)
    try await program.wait(for: "a checkpoint", seconds: 120, every: 0.1) { try await recorded() >= ObjectCase.part }
    switch stop {
    case .interrupt:
      program.send(SIGINT)
      expect(try await program.finish(), exits: 130)
    case .kill:
      try await program.kill9()
    }
    gate.open()
  }

  /// Starts `get` of `/f` into a slow bucket: it holds all parts after the first `taken` at `gate`. Waits until it holds
  /// `held` parts.
  func startHeld(
    _ arguments: [String], by bucket: FaultBucket, gate: Gate, taken: Int = 1, held: Int = 1,
    version: Version = ObjectCase.v1, _ change: (inout Launch) -> Void = { _ in }
  ) async throws -> RunningProgram {
    server["/f"] = .init(version)
    bucket.lie(.hold(gate), to: .part, after: taken, times: 1000)
    let program = try start(arguments, change)
    try await program.wait(for: "\(held) parts that the bucket holds", seconds: 120) { gate.arrivals >= held }
    return program
  }
}
