// The UUIDs of new jobs: random for a few, consecutive for the rest of a long list.
//
// Random UUIDs scatter over their index: each of a million writes a separate page. Consecutive UUIDs fill page after
// page, as time-ordered ones would. But aria2's clients identify a job by the first 16 digits of its UUID: with 48 bits
// of time, too few digits are left to tell apart the jobs of one moment.

internal import DrayCore

internal import struct FoundationEssentials.UUID

struct JobUUIDs {
  /// The number of random UUIDs before the consecutive ones. Jobs that were added together can therefore usually be
  /// told apart by the first digits.
  static let scattered = 512
  /// The maximum of a UUID's first half without its version.
  private static let mask: UInt64 = (1 << 60) - 1

  private var generator = SystemRandomNumberGenerator()
  private var made = 0
  /// The first half of the last UUID, without its version. The first value is random among 2⁶⁰, so that two lists do
  /// not meet.
  private var last: UInt64?

  /// The second half is random, so that the name of a part file cannot be guessed.
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
  /// Random (RFC 9562 §5.4). Foundation would open /dev/urandom for each UUID: three system calls and a path lookup.
  static func random() -> UUID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  fileprivate static func random(using generator: inout SystemRandomNumberGenerator) -> UUID {
    UUID(high: generator.next() & ~0xF000 | 0x4000, low: generator.variant())
  }
}

extension SystemRandomNumberGenerator {
  fileprivate mutating func variant() -> UInt64 { next() & ~(0b11 << 62) | 0b10 << 62 }
}
