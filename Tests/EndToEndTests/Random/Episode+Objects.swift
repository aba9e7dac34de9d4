// The bucket as a destination of episodes: files become large enough for parts, and the bucket lies at random, too.

import FaultServer
import Foundation

/// The lies of an episode's bucket.
struct BucketPlan: Sendable {
  /// The share of its answers that lie.
  var lies = 0.0
  /// What it does with conditions.
  var conditions = FaultBucket.Conditions.obeyed
  /// What it does with checksums besides MD5.
  var checksums = FaultBucket.Checksums.whole

  /// The lie to the call with this number, from the episode's seed.
  func lie(to call: FaultBucket.Call, number: Int, seed: UInt64) -> FaultBucket.Lie? {
    var dice = Dice(seed: seed ^ 0xB0C4E7 ^ UInt64(number) << 32)
    guard dice.happens(lies) else { return nil }
    let all: [(weight: Int, value: FaultBucket.Lie)] = [
      (4, .slowDown), (4, .errorAfter), (4, .lose), (4, .drop), (2, .refuse(status: 500, code: "InternalError")),
      (call.operation == .part ? 4 : 0, .damage),
      (call.operation == .part || call.operation == .complete ? 1 : 0, .abortFirst),
      (call.operation == .complete ? 4 : 0, .errorInside(code: "InternalError", isDone: dice.happens(0.5))),
      (call.operation == .parts ? 6 : 0, .skipPage),
    ]
    return dice.pick(all)
  }
}

extension Episode {
  /// This episode with a bucket as its destination; nil for clients that have no such target.
  func intoBucket() -> Episode? {
    guard [.get, .redirected, .mirrored, .several].contains(client) else { return nil }
    var episode = self
    var dice = Dice(seed: seed ^ 0x0B9E_C7)
    episode.bucket = BucketPlan(
      lies: [0, 0.1, 0.3][Int(dice.place(in: 3))],
      conditions: dice.pick([(6, .obeyed), (1, .ignored), (1, .refused)]) ?? .obeyed,
      checksums: dice.pick([(7, .whole), (1, .composite), (1, .silent), (1, .none)]) ?? .whole)
    // A part has at least 8 MiB: smaller files are one request.
    if client != .several, dice.happens(0.6) {
      let more = (8 << 20) + dice.place(in: 10 << 20)
      for index in episode.files.indices {
        for version in episode.files[index].versions.indices { episode.files[index].versions[version].size += more }
        for place in episode.files[index].places.indices {
          episode.files[index].places[place].rate = episode.files[index].places[place].rate.map { $0 * 8 }
        }
      }
    }
    // There is no part file to damage.
    episode.damagesPart = false
    return episode
  }
}

extension FaultBucket {
  /// Lies as an episode plans it.
  func follow(_ plan: BucketPlan, seed: UInt64) {
    configure {
      $0.conditions = plan.conditions
      $0.checksums = plan.checksums
      $0.page = 1
    }
    let count = CallCounter()
    decide { plan.lie(to: $0, number: count.next(), seed: seed) }
  }
}
