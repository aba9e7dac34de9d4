// Scenarios whose target is an object in a bucket: small files, parts, several connections, a new version.

import FaultServer
import Foundation

extension CrashScenario {
  /// All of these scenarios.
  static let objects: [CrashScenario] = [
    object("object-small", [.named("small 0", size: 5000)], connections: 1, sample: 8),
    object("object-x1", [whole], connections: 1),
    object("object-x3", [whole], connections: 3),
    object("object-swap", [whole, .named("v2", size: 19 << 20)], connections: 1),
  ]

  /// Two parts and a rest.
  private static let whole = Version.named("v1", size: 18 << 20)

  /// `get` of the first version into a bucket. If several versions are given, the source may have the last one after
  /// the crash, at random.
  private static func object(
    _ name: String, _ versions: [Version], connections: Int, sample: Int = 6
  ) -> CrashScenario {
    let get: @Sendable (Sandbox) -> [String] = {
      ["get", "-x", "\(connections)", "--retry-wait", "0.1", "-o", "s3://bucket/dir/f", $0.server.url("/f")]
    }
    return CrashScenario(
      name: name, sample: sample,
      prepare: { sandbox, _ in
        _ = try sandbox.bucket()
        sandbox.server["/f"] = Resource(versions[0], script: [Answer { $0.rate = 16 << 20 }])
        try await plantStore(sandbox)
      },
      command: get,
      between: { sandbox, dice in
        let isSwapped = Bool.random(using: &dice)
        sandbox.server.update("/f") { resource in
          if isSwapped, let last = versions.last { resource.version = last }
          resource.script = []
        }
      },
      again: { [get($0)] }, wanted: [:], objects: ["dir/f": versions])
  }
}
