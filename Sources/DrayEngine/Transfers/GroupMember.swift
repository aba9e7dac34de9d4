// A connection that fetches a file together with others, as seen by their group.

internal import DrayCore
internal import Posix

enum MemberPurpose {
  case fetch
  /// Compare samples of a mirror with the bytes on disk.
  case trial
  /// Compare bytes from mirrors with the file's own server.
  case proof
}

/// The end of a piece whose answer continues. The bytes behind the piece are compared with the next connection's,
/// because a proxy that pads a cut answer does not know the boundaries of pieces (P18).
struct Seam {
  let place: Int64
  /// When the end was reached.
  let since: Double
  /// Bytes behind the end that matched.
  var compared: Int64 = 0
  /// Whether a byte differed.
  var differs = false
  /// Whether bytes behind the end were dropped, so that the piece can no longer be extended.
  var isPassed = false

  /// Bytes to compare, at most.
  static let usual: Int64 = 512
  /// Bytes that suffice if no more arrive in time.
  static let least: Int64 = 64
  /// Seconds to wait for more bytes.
  static let patience = 1.0
}

struct GroupMember {
  var purpose = MemberPurpose.fetch
  /// Packets received out of order, at the last check.
  var outOfOrder: Int?
  var piece: PieceID?
  /// Index among the file's sources.
  var source = 0
  var origin: Origin?
  /// Where the piece begins.
  var lower: Int64 = 0
  /// The end of the bytes in the answer. Other connections may have taken over some of these bytes.
  var carries: Int64 = 0
  /// Whether a valid answer has arrived.
  var hasAnswered = false
  /// Whether bytes are held back until the connection that owns their position has received some.
  var isWaiting = false
  /// Whether all bytes are held back until no durable record covers the bytes at their positions.
  var isGated = false
  /// The seam with the connection that took over the end.
  var seam: Seam?
  /// Must leave, or has left.
  var isDismissed = false
  /// None of its bytes can be used.
  var isRejected = false

  /// Packets since the last call.
  mutating func newlyOutOfOrder(_ socket: Int32?) -> Int {
    guard let socket, let count = System.packetsOutOfOrder(socket) else { return 0 }
    defer { outOfOrder = count }
    return max(0, count - (outOfOrder ?? count))
  }
}
