// The oracle of the randomised server: the allowed contents of a target. Pure, and tested separately.
//
// Exit 0 means one version of the file, byte for byte. There are three exceptions, for lies that no client can detect:
//
// 1. Two versions had the same strong validator: the same strong `ETag`, or without one the same `Last-Modified` of one
//    server with a `Date` at least a second later. A request for the rest of one gets the rest of the other, with the
//    server's own proof. The file may then mix these versions, and no others.
// 2. Nothing distinguishes two versions, and the user said `--resume always`: the rest is accepted if the 64 KiB before
//    it match. The file may mix such versions, but adjacent pieces must share at least that many bytes.
// 3. (Not drawn:) an answer is wrong without a visible sign, such as other bytes of the right length.
//
// There is no exception if a digest of the file is known, from the user or from each answer that began the file: exit 0
// then requires the version with that digest. `verify --repair` is bound by checksums and must yield the published
// version, regardless of validators. A weak `ETag`, a `Last-Modified` of the same second or without `Date`, and a
// missing validator identify nothing: they never justify a mix.

import FaultServer
import Foundation

/// The facts about one file of an episode when its target is checked.
struct Truth: Sendable {
  /// The number of compared bytes if nothing identifies the version.
  static let overlap: Int64 = 64 << 10

  /// The versions that servers have begun to send, by their numbers.
  var sent: [Int: Content] = [:]
  /// The versions whose answers had this strong validator.
  var identified: [String: Set<Int>] = [:]
  /// Versions that differ in their bytes only, and may be continued after an overlap.
  var overlapping: Set<Int> = []
  /// Whether a digest of the whole is known, so that no mix of versions is allowed.
  var isProved = false
  /// The version with the given digest, if any; empty if no version has it.
  var demanded: [Content]?
  /// The earlier content of the target, which may still be there.
  var before: [Content] = []

  /// The fault of a file with these bytes, for people; `nil` for none.
  func problem(with bytes: [UInt8]) -> String? {
    if before.contains(where: { Self.isSame(bytes, $0) }) { return nil }
    let whole = sent.filter { Self.isSame(bytes, $0.value) }.map(\.key)
    if let demanded {
      let isRight = demanded.contains { Self.isSame(bytes, $0) }
      return isRight ? nil : "it is \(name(of: whole, bytes)), and has not the digest that was given"
    }
    if !whole.isEmpty { return nil }
    if !isProved {
      for group in confused where isWoven(bytes, of: group, overlap: 0) { return nil }
      if isWoven(bytes, of: overlapping, overlap: Self.overlap) { return nil }
    }
    return "it is \(name(of: whole, bytes))"
  }

  /// Whether `bytes` are the beginning of an allowed content.
  func mayBegin(with bytes: [UInt8]) -> Bool {
    if bytes.isEmpty { return true }
    let count = Int64(bytes.count)
    var cut = self
    cut.sent = sent.mapValues { .fixed($0.bytes(in: 0..<count)) }
    cut.demanded = demanded?.map { .fixed($0.bytes(in: 0..<count)) }
    cut.before = before.map { .fixed($0.bytes(in: 0..<count)) }
    return cut.problem(with: bytes) == nil
  }

  /// The sets of versions with a common strong validator; sets that share a version are joined.
  private var confused: [Set<Int>] {
    var groups: [Set<Int>] = []
    for one in identified.values {
      var joined = one
      groups.removeAll { group in
        guard !group.isDisjoint(with: joined) else { return false }
        joined.formUnion(group)
        return true
      }
      groups.append(joined)
    }
    return groups.filter { $0.count > 1 }
  }

  // MARK: Bytes

  static func isSame(_ bytes: [UInt8], _ content: Content) -> Bool {
    guard Int64(bytes.count) == content.size else { return false }
    let other = content.allBytes
    return bytes.withUnsafeBytes { mine in
      other.withUnsafeBytes { theirs in
        guard let left = mine.baseAddress, let right = theirs.baseAddress else { return true }
        return memcmp(left, right, mine.count) == 0
      }
    }
  }

  /// The longest stretches in which `bytes` agree with `content`.
  static func runs(of bytes: [UInt8], in content: Content) -> [Range<Int64>] {
    let other = content.allBytes
    let count = min(bytes.count, other.count)
    var runs: [Range<Int64>] = []
    bytes.withUnsafeBytes { mine in
      other.withUnsafeBytes { theirs in
        guard let left = mine.baseAddress, let right = theirs.baseAddress else { return }
        var position = 0
        while position < count {
          guard mine[position] == theirs[position] else {
            position += 1
            continue
          }
          let start = position
          while position < count {
            // In larger steps first: byte by byte takes long in a debug build.
            let step = min(4096, count - position)
            if memcmp(left + position, right + position, step) == 0 {
              position += step
            } else {
              while position < count, mine[position] == theirs[position] { position += 1 }
              break
            }
          }
          runs.append(Int64(start)..<Int64(position))
        }
      }
    }
    return runs
  }

  /// Whether `bytes` consist of consecutive stretches of these versions, where the last `overlap` bytes before each
  /// stretch agree with its version.
  private func isWoven(_ bytes: [UInt8], of group: Set<Int>, overlap: Int64) -> Bool {
    let contents = group.compactMap { sent[$0] }
    let end = Int64(bytes.count)
    guard contents.contains(where: { $0.size == end }) else { return false }
    let runs = contents.flatMap { Self.runs(of: bytes, in: $0) }
    var position: Int64 = 0
    while position < end {
      let next = runs.filter { $0.lowerBound <= max(0, position - overlap) }.map(\.upperBound).max() ?? 0
      guard next > position else { return false }
      position = next
    }
    return true
  }

  /// A description of the bytes: a version, or the version of each stretch.
  private func name(of whole: [Int], _ bytes: [UInt8]) -> String {
    if let one = whole.min() { return "version \(one)" }
    let stretches = sent.sorted { $0.key < $1.key }.map { number, content in
      let runs = Self.runs(of: bytes, in: content).filter { $0.count >= 32 }
      let told = runs.prefix(6).map { "\($0.lowerBound)..<\($0.upperBound)" }.joined(separator: " ")
      return
        "of version \(number) (\(content.size) bytes): \(told.isEmpty ? "nothing" : told)\(runs.count > 6 ? " …" : "")"
    }
    return "no version: \(bytes.count) bytes, \(stretches.joined(separator: "; "))"
  }
}
