// A connection that fetches a file together with other connections, from the view of the group.

internal import DrayCore
internal import Posix

enum MemberPurpose {
  case fetch
  /// Compares samples of a mirror with the bytes on disk.
  case trial
  /// Compares bytes from mirrors with the file's own server.
  case proof
}

/// The end of a piece, for a connection whose answer continues beyond the piece. Bytes beyond this end are compared
/// with those of the next connection: a proxy that pads a cut answer does not know where pieces end (P18).
struct Seam {
  let place: Int64
  /// The time at which the answer reached the end.
  let since: Double
  /// The number of matching bytes beyond the end.
  var compared: Int64 = 0
  /// Whether a compared byte differed.
  var differs = false
  /// Whether bytes beyond the end were dropped, so that the piece can no longer be extended.
  var isPassed = false

  /// The maximum number of bytes to compare.
  static let usual: Int64 = 512
  /// The number of bytes that is enough if no more arrive in time.
  static let least: Int64 = 64
  /// The seconds to wait for more bytes.
  static let patience = 1.0
}

struct GroupMember {
  var purpose = MemberPurpose.fetch
  /// The number of packets that were received out of order, as counted at the last check.
  var outOfOrder: Int?
  var piece: PieceID?
  /// The index of the source among the file's sources.
  var source = 0
  /// The line over which it is connected.
  var line = 0
  var origin: Origin?
  /// The interface from which it sends, if the user gave several.
  var interface: String?
  /// The position of the piece's first byte.
  var lower: Int64 = 0
  /// The position at which the answer's bytes end, even if other connections have taken over some of them.
  var carries: Int64 = 0
  /// Whether a valid answer has arrived.
  var hasAnswered = false
  /// Whether bytes are held back until the connection for their position has received some.
  var isWaiting = false
  /// Whether all bytes are held back until no durable record covers their positions.
  var isGated = false
  /// The end of the piece, if another connection has taken over the bytes after it.
  var seam: Seam?
  /// Whether the member must leave, or has left.
  var isDismissed = false
  /// Whether none of the member's bytes can be used.
  var isRejected = false

  /// Returns the number of packets received out of order since the last call.
  mutating func newlyOutOfOrder(_ socket: Int32?) -> Int {
    guard let socket, let count = System.packetsOutOfOrder(socket) else { return 0 }
    defer { outOfOrder = count }
    return max(0, count - (outOfOrder ?? count))
  }
}
