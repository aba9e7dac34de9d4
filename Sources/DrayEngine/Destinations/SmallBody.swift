// The bytes of small files in memory, until they are published, limited in their total size.

internal import Synchronization

/// The memory budget for small files. The loop's thread takes memory from the budget; any thread may give it back.
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

/// The bytes of a file of known length. The loop's thread fills the body, and hands it on once it is full.
final class SmallBody: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  private let budget: SmallBudget
  let length: Int
  /// The number of bytes that have arrived.
  private(set) var count = 0

  /// - Returns: `nil` if the budget has no memory left for the body.
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
  /// - Returns: `false` if the bytes exceed the length; none of them is added in that case.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= length - count else { return false }
    if let target = memory.baseAddress, let source = bytes.baseAddress {
      (target + count).copyMemory(from: source, byteCount: bytes.count)
      count += bytes.count
    }
    return true
  }
}
