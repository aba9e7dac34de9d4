// Scenarios that take seconds, so that checkpoints and several connections take part. A sample of calls is tried.

import FaultServer
import Foundation

extension CrashScenario {
  /// All of these scenarios.
  static let large: [CrashScenario] = [
    whole("large-x1", connections: 1, rate: 12 << 20),
    whole("large-x8", connections: 8, rate: 2 << 20),
    swapped("swap-x1", connections: 1, rate: 12 << 20),
    swapped("swap-x8", connections: 8, rate: 2 << 20),
  ]

  private static let size: Int64 = 16 << 20
  static let first = Version.named("v1", size: size)
  /// Longer than the first, so that remains of the first never look complete.
  private static let second = Version.named("v2", size: size + 12_345)

  private static func get(_ connections: Int) -> @Sendable (Sandbox) -> [String] {
    { ["get", "-x", "\(connections)", "--retry-wait", "0.1", $0.server.url("/f")] }
  }

  /// The server is slow until the crash, and follows the rules.
  static func whole(
    _ name: String, connections: Int, rate: Int, version: Version = first
  ) -> CrashScenario {
    let get = get(connections)
    return CrashScenario(
      name: name, sample: 10,
      prepare: { sandbox, _ in
        sandbox.server["/f"] = Resource(version, script: [Answer { $0.rate = rate }])
        try await plantStore(sandbox)
      },
      command: get,
      between: { sandbox, _ in sandbox.server.update("/f") { $0.script = [] } },
      again: { [get($0)] }, wanted: ["f": [version]], resumes: true)
  }

  /// The server has another version after some request, or after the crash. The first answers are cut off somewhere, so
  /// that there are enough requests.
  private static func swapped(_ name: String, connections: Int, rate: Int) -> CrashScenario {
    let get = get(connections)
    return CrashScenario(
      name: name, sample: 10,
      prepare: { sandbox, dice in
        let slow = Answer { $0.rate = rate }
        var script: [Answer] = []
        for _ in 0..<Int.random(in: 1...(connections == 1 ? 2 : 6), using: &dice) {
          let cut = Int64.random(in: 1 << 20..<size, using: &dice)
          script.append(Bool.random(using: &dice) || connections == 1 ? slow.with { $0.bodyCut = cut } : slow)
        }
        script.append(slow.with { $0.version = second })
        script.append(slow)
        sandbox.server["/f"] = Resource(first, script: script)
        try await plantStore(sandbox)
      },
      command: get,
      between: { sandbox, dice in
        let isSwapped = Bool.random(using: &dice)
        sandbox.server.update("/f") { resource in
          if isSwapped { resource.version = second }
          resource.script = []
        }
      },
      again: { [get($0)] }, wanted: ["f": [first, second]])
  }
}
