// A connection that fetches a file together with others, as seen by their group.

internal import DrayCore
internal import Posix

/// One connection of a ``ConnectionGroup``. Confined to the loop's thread.
protocol SegmentWorker: AnyObject {
  var member: GroupMember { get set }
  /// Its URL, after redirects.
  var url: RequestURL { get }
  /// The writer of its bytes, once its answer has arrived.
  var writer: BodyWriter? { get }
  /// The socket of its connection; `nil` if it has none.
  var socket: Int32? { get }
  /// The rate limits that apply to it.
  var pace: Pace { get }
  /// Changes the end of its piece to `upper`.
  func bound(to upper: Int64)
  /// Writes the gathered bytes. Returns whether that succeeded.
  func settle() -> Bool
}

/// The purpose of a connection of a group.
enum MemberPurpose {
  /// Fetch a piece.
  case fetch
  /// Compare samples of a mirror with the bytes on disk.
  case trial
  /// Compare bytes from mirrors with the file's own server.
  case proof
}

/// The end of a piece whose answer continues. The following bytes are compared with those of the next connection,
/// because a proxy that pads a cut answer does not know the boundaries of pieces (P18).
struct Seam {
  /// The end of the piece.
  let place: Int64
  /// The time at which it was reached.
  let since: Double
  /// The number of bytes behind it that matched.
  var compared: Int64 = 0
  /// Whether a byte differed.
  var differs = false
  /// Whether bytes behind it were dropped, so that the piece can no longer be extended.
  var isPassed = false

  /// The maximum number of bytes to compare.
  static let usual: Int64 = 512
  /// The number of bytes that suffice if no more arrive in time.
  static let least: Int64 = 64
  /// The seconds to wait for more.
  static let patience = 1.0
}

/// A group's record of one of its connections.
struct GroupMember {
  var purpose = MemberPurpose.fetch
  /// The number of packets received out of order at the last check.
  var outOfOrder: Int?
  /// The piece that it fetches, if any.
  var piece: PieceID?
  /// The index of its URL among the file's sources.
  var source = 0
  /// The origin to which its connection is counted.
  var origin: Origin?
  /// The start of its piece.
  var lower: Int64 = 0
  /// The end of the bytes in its answer. Other connections may have taken over some of them.
  var carries: Int64 = 0
  /// Whether a valid answer has arrived.
  var hasAnswered = false
  /// Whether it holds bytes back until the connection that owns their position has received some.
  var isWaiting = false
  /// Whether it holds all bytes back until no durable record claims the bytes that they may replace.
  var isGated = false
  /// The seam with the connection that took over its end.
  var seam: Seam?
  /// Whether it must leave, or has left.
  var isDismissed = false
  /// Whether none of its bytes can be used.
  var isRejected = false

  /// Returns the number of packets received out of order since the last call.
  mutating func newlyOutOfOrder(_ socket: Int32?) -> Int {
    guard let socket, let count = System.packetsOutOfOrder(socket) else { return 0 }
    defer { outOfOrder = count }
    return max(0, count - (outOfOrder ?? count))
  }
}
