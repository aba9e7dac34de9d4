// The UUIDs of new jobs: random for a few, consecutive for the rest of a long list.
//
// Random UUIDs scatter over their index: each of a million writes a separate page. Consecutive ones fill page after
// page. Time-ordered UUIDs would too, but aria2's clients identify a job by the first 16 digits of its UUID: with 48
// bits of time, too few digits are left to tell apart the jobs of one moment.

import DrayCore

import struct FoundationEssentials.UUID

/// Makes the UUIDs of the jobs that one call adds.
struct JobUUIDs {
  /// The number of random UUIDs before the consecutive ones. So jobs that were added together can usually be told apart
  /// by their first digits.
  static let scattered = 512
  /// The maximum of a UUID's first half without its version.
  private static let mask: UInt64 = (1 << 60) - 1

  private var generator = SystemRandomNumberGenerator()
  private var made = 0
  /// The last UUID's first half without its version. It begins at a random place of 2⁶⁰, so that two lists do not meet.
  private var last: UInt64?

  /// Returns the next UUID. Its second half is random, so that the name of a part file cannot be guessed.
  mutating func next() -> UUID {
    made += 1
    guard made > JobUUIDs.scattered else { return UUID.random(using: &generator) }
    let number: UInt64
    if let last { number = (last &+ 1) & JobUUIDs.mask } else { number = generator.next() & JobUUIDs.mask }
    last = number
    // RFC 9562 §5.8: version 8 is for such layouts.
    return UUID(high: ((number >> 12) << 16) | 0x8000 | (number & 0xFFF), low: generator.variant())
  }
}

extension UUID {
  /// Returns a random UUID (RFC 9562 §5.4). Foundation opens /dev/urandom for each: three system calls and a path
  /// lookup.
  static func random() -> UUID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  fileprivate static func random(using generator: inout SystemRandomNumberGenerator) -> UUID {
    UUID(high: generator.next() & ~0xF000 | 0x4000, low: generator.variant())
  }
}

extension SystemRandomNumberGenerator {
  /// Returns a random second half of a UUID.
  fileprivate mutating func variant() -> UInt64 { next() & ~(0b11 << 62) | 0b10 << 62 }
}
