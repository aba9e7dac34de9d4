// Random numbers of the system.

internal import Glibc

/// A generator of numbers that nobody can guess, like Swift's own, but with one system call for 32 of them.
public struct BulkRandomNumbers: RandomNumberGenerator, Sendable {
  /// The most bytes that one call gives (getentropy(3)).
  private static let most = 256

  private var words: [UInt64] = []

  /// Creates a generator. It reads its first numbers when they are needed.
  public init() {}

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    if words.isEmpty { refill() }
    if let word = words.popLast() { return word }
    var system = SystemRandomNumberGenerator()
    return system.next()
  }

  private mutating func refill() {
    var fresh = [UInt64](repeating: 0, count: BulkRandomNumbers.most / 8)
    let isFilled = fresh.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { getentropy($0, bytes.count) == 0 } ?? false
    }
    if isFilled { words = fresh }
  }
}
