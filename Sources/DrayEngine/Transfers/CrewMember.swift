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
  /// Writes what it has gathered; returns whether the disk took it.
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

/// The end of a piece whose answer continues: what follows is compared with the bytes that another connection has put there.
/// Something that cuts an answer and fills it up does not know where one piece ends and the next begins (P18).
struct Seam {
  /// Where the piece ends.
  let place: Int64
  /// When it was reached.
  let since: Double
  /// Bytes behind it that were the same.
  var compared: Int64 = 0
  /// Whether one was not.
  var differs = false
  /// Whether bytes behind it came and are gone: the piece cannot be extended any more.
  var isPassed = false

  /// Bytes that are compared, where there are so many.
  static let usual: Int64 = 512
  /// Bytes that suffice where no more came in time.
  static let least: Int64 = 64
  /// Seconds to wait for them.
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
  /// Whether it holds back bytes that are another's, until that one has brought some.
  var isWaiting = false
  /// Whether it holds back all bytes, until nothing durable claims what they may take the place of.
  var isGated = false
  /// The place where its bytes meet those of the connection that was given its end.
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
