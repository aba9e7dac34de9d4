internal import DrayCore
internal import Posix

/// A transfer in a connection group, which fetches one segment of the file at a time.
protocol SegmentWorker: AnyObject {
  var member: GroupMember { get set }
  /// The URL that is requested, after redirects.
  var url: RequestURL { get }
  /// The writer of the body, once the answer has arrived.
  var writer: BodyWriter? { get }
  /// The socket of the worker's connection; `nil` without a connection.
  var socket: Int32? { get }
  var pace: Pace { get }
  func bound(to upper: Int64)
  /// Writes the bytes that were gathered, and returns whether that succeeded.
  func settle() -> Bool
}

extension SegmentWorker {
  /// The number of bytes that the system has received over the worker's connection and that it has not read.
  var unread: Int { socket.flatMap(System.unreadBytes) ?? 0 }
}
