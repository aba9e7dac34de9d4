// Makes the UUIDs of new jobs: random for a few, consecutive for the rest of a long list.
//
// Random UUIDs scatter over their index: in a list of a million, each job would write a separate page. Consecutive
// UUIDs fill page after page, as UUIDs ordered by time would. But 48 bits of a UUID ordered by time are the time, and
// aria2's clients identify a job by the first 16 digits: the remaining bits could not tell apart jobs of the same
// moment.

internal import DrayCore
internal import Posix

internal import struct FoundationEssentials.UUID

struct JobUUIDs {
  /// How many UUIDs are random before the consecutive ones begin. Up to this number, jobs that were added together can
  /// usually be told apart by the first digits.
  static let scattered = 512
  /// The maximum of the first half of a UUID without its version.
  private static let mask: UInt64 = (1 << 60) - 1

  private var generator = BulkRandomNumbers()
  private var made = 0
  /// The first half of the last UUID, without its version. Each list begins at a random value among 2⁶⁰, so that two
  /// lists do not overlap.
  private var last: UInt64?

  /// Returns the next UUID, whose second half is random, so that the name of a part file cannot be guessed.
  mutating func next() -> UUID {
    made += 1
    guard made > JobUUIDs.scattered else { return UUID.random(using: &generator) }
    let number: UInt64
    if let last { number = (last &+ 1) & JobUUIDs.mask } else { number = generator.next() & JobUUIDs.mask }
    last = number
    // RFC 9562 §5.8: version 8 is for custom layouts like this one.
    return UUID(high: ((number >> 12) << 16) | 0x8000 | (number & 0xFFF), low: generator.variant())
  }
}

extension UUID {
  /// Returns a random UUID (RFC 9562 §5.4). Foundation would open /dev/urandom for each UUID: three system calls and a
  /// path lookup.
  static func random() -> UUID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  fileprivate static func random(using generator: inout some RandomNumberGenerator) -> UUID {
    UUID(high: generator.next() & ~0xF000 | 0x4000, low: generator.variant())
  }
}

extension RandomNumberGenerator {
  fileprivate mutating func variant() -> UInt64 { next() & ~(0b11 << 62) | 0b10 << 62 }
}
