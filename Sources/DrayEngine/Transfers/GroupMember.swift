// A connection that fetches a file together with others, as its group sees it.

internal import DrayCore
internal import Posix

enum MemberPurpose {
  case fetch
  /// Compares samples of a mirror with the bytes on disk.
  case trial
  /// Compares bytes from mirrors with the file's own server.
  case proof
}

/// The end of a piece beyond which the answer continues. Bytes behind this end are compared with those of the next
/// connection: a proxy that pads a cut answer does not know where pieces end (P18).
struct Seam {
  let place: Int64
  /// The time at which the end was reached.
  let since: Double
  /// The number of bytes behind the end that matched.
  var compared: Int64 = 0
  /// Whether one of them differed.
  var differs = false
  /// Whether bytes behind the end were dropped, so that the piece cannot be extended any more.
  var isPassed = false

  /// The maximum number of bytes to compare.
  static let usual: Int64 = 512
  /// The number of bytes that suffices if no more arrive in time.
  static let least: Int64 = 64
  /// The seconds to wait for more bytes.
  static let patience = 1.0
}

struct GroupMember {
  var purpose = MemberPurpose.fetch
  /// The number of packets that were received out of order, at the last check.
  var outOfOrder: Int?
  var piece: PieceID?
  /// The index of the source among the file's sources.
  var source = 0
  var origin: Origin?
  /// The position at which the piece begins.
  var lower: Int64 = 0
  /// The position at which the answer's bytes end; other connections may have taken over some of them.
  var carries: Int64 = 0
  /// Whether a valid answer has arrived.
  var hasAnswered = false
  /// Whether bytes are held back until the connection to which their position belongs has received some.
  var isWaiting = false
  /// Whether all bytes are held back until no durable record covers their positions.
  var isGated = false
  /// The end of the piece, if another connection has taken over the bytes behind it.
  var seam: Seam?
  /// Whether the member must leave, or has left.
  var isDismissed = false
  /// Whether none of its bytes can be used.
  var isRejected = false

  /// Returns the number of such packets since the last call.
  mutating func newlyOutOfOrder(_ socket: Int32?) -> Int {
    guard let socket, let count = System.packetsOutOfOrder(socket) else { return 0 }
    defer { outOfOrder = count }
    return max(0, count - (outOfOrder ?? count))
  }
}
