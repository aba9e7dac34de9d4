// A connection that fetches a file together with others, as their crew sees it.

internal import DrayCore
internal import Posix

/// One connection of a ``SegmentCrew``. Lives on the loop's thread.
protocol SegmentWorker: AnyObject {
  var member: CrewMember { get set }
  /// The URL that it asks, after redirects.
  var url: RequestURL { get }
  /// Where its bytes go, once its answer is here.
  var writer: BodyWriter? { get }
  /// The socket of its connection; `nil` if it has none.
  var socket: Int32? { get }
  /// The rate limits that hold for it.
  var pace: Pace { get }
  /// It fetches up to `upper` from now on.
  func bound(to upper: Int64)
  /// Writes the gathered bytes; returns whether the disk accepted them.
  func settle() -> Bool
}

/// What a connection of a crew is for.
enum CrewPurpose {
  /// It fetches a piece.
  case fetch
  /// Samples of a mirror are compared with what is here.
  case trial
  /// What mirrors brought is compared with the file's own server.
  case proof
}

/// The end of a piece whose answer continues: the bytes that follow are compared with those of the next connection. A
/// proxy that pads a cut answer does not know the boundaries of pieces (P18).
struct Seam {
  /// The end of the piece.
  let place: Int64
  /// The time at which it was reached.
  let since: Double
  /// The number of bytes behind it that matched.
  var compared: Int64 = 0
  /// Whether a byte differed.
  var differs = false
  /// Whether bytes behind it were dropped: the piece cannot be extended any more.
  var isPassed = false

  /// The most bytes that are compared.
  static let usual: Int64 = 512
  /// The bytes that suffice if no more come in time.
  static let least: Int64 = 64
  /// Seconds to wait for more.
  static let patience = 1.0
}

/// What a crew knows of one of its connections.
struct CrewMember {
  var purpose = CrewPurpose.fetch
  /// Packets that its connection had received out of order at the last look.
  var outOfOrder: Int?
  /// The piece that it fetches; `nil` for one that fetches nothing.
  var piece: PieceID?
  /// Which of the file's URLs it asks.
  var source = 0
  /// Where it is counted.
  var origin: Origin?
  /// Where its piece begins.
  var lower: Int64 = 0
  /// Where the bytes end that its answer brings; others may have taken over some of them.
  var carries: Int64 = 0
  /// Whether its answer is here, and a good one.
  var hasAnswered = false
  /// Whether it holds bytes back until the connection that owns their place has brought some.
  var isWaiting = false
  /// Whether it holds all bytes back until no durable record claims the bytes they may replace.
  var isGated = false
  /// The place where its bytes meet those of the connection that took over its end.
  var seam: Seam?
  /// Whether it is to leave, or has left.
  var isDismissed = false
  /// Whether nothing that it brought is of use.
  var isRejected = false

  /// Packets that its connection received out of order since this was asked.
  mutating func newlyOutOfOrder(_ socket: Int32?) -> Int {
    guard let socket, let count = System.packetsOutOfOrder(socket) else { return 0 }
    defer { outOfOrder = count }
    return max(0, count - (outOfOrder ?? count))
  }
}
