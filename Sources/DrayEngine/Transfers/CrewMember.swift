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
  /// Whether it holds back bytes that are another's, until that one has answered.
  var isWaiting = false
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

/// How a connection of a crew has ended.
enum SegmentEnd {
  /// It fetched its whole segment, or was asked to leave.
  case done
  /// The answer ended early, and nothing went wrong.
  case short
  /// The network or the server failed.
  case failed(Failure)
  /// The server sends the whole of the same version to an `If-Range` that holds, as some networks do.
  case conditionRefused
  /// The server serves no ranges.
  case notServed
  /// The server has another version (P2).
  case differs(StartOver)
  /// What was compared with the file's own server, at this position, is not the same.
  case refuted(Int64)
  /// Its answer is not what it says it is (R9, R28, H15); what it brought, if anything, does not count.
  case wrong(String, brought: Segment?)
  /// The disk does not take the bytes.
  case broken(Failure)
}
