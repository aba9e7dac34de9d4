// The bytes of small files in memory, until they are published, limited in their total size.

internal import Synchronization

/// The memory for small files. Any thread may give memory back, but only the loop's thread takes it.
final class SmallBudget: Sendable {
  /// The maximum total size in bytes.
  static let limit = 8 << 20

  private let used = Atomic<Int>(0)

  /// Takes memory, and returns whether the limit permits it.
  func take(_ bytes: Int) -> Bool {
    guard used.load(ordering: .relaxed) + bytes <= SmallBudget.limit else { return false }
    used.wrappingAdd(bytes, ordering: .relaxed)
    return true
  }

  func giveBack(_ bytes: Int) { used.wrappingSubtract(bytes, ordering: .relaxed) }
}

/// The bytes of a file of known length. The loop's thread fills it, and hands it on once it is full.
final class SmallBody: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  private let budget: SmallBudget
  let length: Int
  /// The number of bytes that have arrived.
  private(set) var count = 0

  /// - Returns: `nil` if there is no memory for it.
  init?(length: Int, _ budget: SmallBudget) {
    guard budget.take(length) else { return nil }
    memory = .allocate(byteCount: max(1, length), alignment: 16)
    (self.length, self.budget) = (length, budget)
  }

  deinit {
    memory.deallocate()
    budget.giveBack(length)
  }

  var isFull: Bool { count == length }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// Adds bytes.
  /// - Returns: `false` if there are more than the length allows; none is then added.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= length - count else { return false }
    if let target = memory.baseAddress, let source = bytes.baseAddress {
      (target + count).copyMemory(from: source, byteCount: bytes.count)
      count += bytes.count
    }
    return true
  }
}
