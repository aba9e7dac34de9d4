// Follows the first missing byte of a file for a reader on another thread, who gets the bytes before it while the rest
// arrives.

internal import DrayCore
internal import Synchronization

/// Where the first missing byte of a file is. The loop's thread reports, and one other thread reads.
public final class InOrderProgress: Sendable {
  private struct State {
    var part: (any StoredBytes)?
    var front: Int64 = 0
    /// The lowest position from which bytes were given up since the last look.
    var lost = Int64.max
    /// Changes whenever bytes are given up.
    var version = 0
  }

  private let state = Mutex(State())

  public init() {}

  /// Reports a new attempt that keeps this many bytes. They can be read again after ``begin(_:_:)``.
  func pause(keeping prefix: Int64) {
    lose(from: prefix)
    state.withLock { $0.part = nil }
  }

  /// Reports the part of a new attempt or version, and how many of its bytes count.
  func begin(_ part: any StoredBytes, _ prefix: Int64) {
    lose(from: prefix)
    state.withLock { ($0.part, $0.front) = (part, prefix) }
  }

  func advance(to prefix: Int64) { state.withLock { $0.front = prefix } }

  /// Reports that bytes are given up, before others are written in their place.
  func lose(from position: Int64) {
    state.withLock { state in
      state.lost = min(state.lost, position)
      state.front = min(state.front, position)
      state.version += 1
    }
  }

  fileprivate func look() -> (part: (any StoredBytes)?, front: Int64, lost: Int64, version: Int) {
    state.withLock { state in
      defer { state.lost = .max }
      return (state.part, state.front, state.lost, state.version)
    }
  }

  fileprivate func isCurrent(_ version: Int) -> Bool { state.withLock { $0.version == version } }
}

/// Reads a file in order while it arrives, each byte once. Confined to one thread, which may block.
public struct InOrderReader {
  /// The result of a read.
  public enum Next {
    /// Nothing new has arrived.
    case wait
    /// The buffer has this many bytes, the next ones of the file.
    case bytes(Int)
    /// All bytes have been read.
    case end
    /// The file is not the one whose beginning was read (P2).
    case changed
  }

  private let watch: InOrderProgress
  private var rule = InOrderRule()
  /// The digest of the bytes that were read, by which they are compared when they arrive again.
  private var digest = RunningDigest([.sha256])

  public init(_ watch: InOrderProgress) { self.watch = watch }

  /// The number of bytes that were read.
  public var count: Int64 { rule.written }

  /// Reads the next bytes.
  /// - Parameters:
  ///   - buffer: At least ``InOrderRule/block`` bytes.
  ///   - whole: The file and its length, once it is complete and checked.
  /// - Throws: ``Failure`` if the file cannot be read.
  public mutating func next(
    into buffer: UnsafeMutableRawBufferPointer, whole: (file: any StoredBytes, size: Int64)?
  ) throws -> Next {
    let look = watch.look()
    rule.lose(from: look.lost)
    guard let file = whole?.file ?? look.part else { return .wait }
    switch whole.map({ rule.step(size: $0.size) }) ?? rule.step(front: look.front) {
    case .wait: return .wait
    case .end: return .end
    case .changed: return .changed
    case .prove(let end):
      let again: [DigestValue]
      do { again = try FileDigest.compute([.sha256], of: file, size: end) } catch {
        // The part file may have been truncated in the meantime.
        guard whole == nil, !watch.isCurrent(look.version) else { throw error }
        return .wait
      }
      // If the bytes have been given up since, the comparison is meaningless.
      guard whole != nil || watch.isCurrent(look.version) else { return .wait }
      guard again == digest.values else { return .changed }
      rule.prove()
      return try next(into: buffer, whole: whole)
    case .write(let segment):
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<segment.count])
      let count = try file.read(into: piece, at: segment.lowerBound)
      guard whole != nil || watch.isCurrent(look.version) else { return .wait }
      guard count > 0 else { throw Failure.becameShorter(file.path) }
      digest.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      rule.write(count)
      return .bytes(count)
    }
  }
}
