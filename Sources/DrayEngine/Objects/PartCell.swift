// One part of an upload, from its first byte in memory to its confirmation by the server.

#if ObjectStores

internal import Crypto
internal import DrayCore

struct PartCell: Sendable {
  enum Phase: Sendable {
    case filling
    /// The part is complete and waits to be sent.
    case full
    case sending
    case confirmed(ObjectUpload.Part)
  }

  var phase = Phase.filling
  /// The buffer, until the server has confirmed the bytes.
  var buffer: PartBuffer?
  /// The bytes of the file that the buffer contains.
  var filled = SegmentSet()
  /// A number that distinguishes this content from earlier content of the same part.
  var serial: Int
  /// Whether the part counts as leaving memory before it is full. This is set for the only part of a file, because the
  /// file needs no more memory.
  var isCounted = false
  /// The number of bytes kept from the start of a part, for comparisons with a neighbouring part.
  static let headLength = Int(Seam.usual)

  var part: ObjectUpload.Part? { if case .confirmed(let part) = phase { part } else { nil } }

  var isFilling: Bool { if case .filling = phase { true } else { false } }
  var isFull: Bool { if case .full = phase { true } else { false } }
  var isSending: Bool { if case .sending = phase { true } else { false } }
}

/// The running comparisons with the hash of one end of a part; several connections may receive the bytes of that end at
/// once.
struct EndChecks: Sendable {
  enum Outcome {
    /// The comparison did not begin at the first byte.
    case unknown
    /// More bytes must arrive.
    case unfinished
    /// All bytes have arrived, and this is their hash in base64.
    case hash(String)

    /// Whether the bytes have, or may still have, this hash; `nil` if unknown.
    func agrees(with known: String?) -> Bool? {
      guard let known else { return nil }
      return switch self {
      case .unknown: nil
      case .unfinished: true
      case .hash(let hash): hash == known
      }
    }
  }

  private var checks: [EndCheck] = []
  /// The maximum number of comparisons for one end. It exceeds the number of connections, because answers that are cut
  /// off leave unfinished comparisons.
  private static let most = 16

  /// Continues a comparison with the bytes of `end` by these bytes.
  mutating func take(_ piece: UnsafeRawBufferPointer, at position: Int64, of end: Segment) -> Outcome {
    guard end.contains(position) else { return .unknown }
    if position == end.lowerBound {
      if checks.count == EndChecks.most { checks.removeFirst() }
      checks.append(EndCheck(at: position))
    }
    guard let index = checks.lastIndex(where: { $0.position == position }) else { return .unknown }
    let check = checks[index]
    check.update(UnsafeRawBufferPointer(rebasing: piece.prefix(Int(end.upperBound - position))))
    guard check.position == end.upperBound else { return .unfinished }
    checks.remove(at: index)
    return .hash(check.value)
  }
}

/// Hashes the bytes at one end of a part, piece by piece. A later answer must have the same bytes. The lock of the
/// owner protects this object.
final class EndCheck: @unchecked Sendable {
  private(set) var position: Int64
  private var function = SHA256()

  init(at position: Int64) { self.position = position }

  func update(_ bytes: UnsafeRawBufferPointer) {
    function.update(bufferPointer: bytes)
    position += Int64(bytes.count)
  }

  var value: String { DigestValue(.sha256, bytes: Array(function.finalize())).base64 }

  /// Returns the hash of the last 64 KiB of a part.
  static func tail(of bytes: UnsafeRawBufferPointer) -> String {
    hash(UnsafeRawBufferPointer(rebasing: bytes.suffix(Int(Joint.overlap))))
  }

  static func head(of bytes: UnsafeRawBufferPointer) -> String {
    hash(UnsafeRawBufferPointer(rebasing: bytes.prefix(PartCell.headLength)))
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> String {
    let check = EndCheck(at: 0)
    check.update(bytes)
    return check.value
  }
}

#endif
