internal import DrayCore

/// A transfer in a connection group, which fetches one segment of the file at a time.
protocol SegmentWorker: AnyObject {
  var member: GroupMember { get set }
  /// After redirects.
  var url: RequestURL { get }
  /// Set once the answer has arrived.
  var writer: BodyWriter? { get }
  /// `nil` without a connection.
  var socket: Int32? { get }
  var pace: Pace { get }
  func bound(to upper: Int64)
  /// Writes the gathered bytes. Returns whether that succeeded.
  func settle() -> Bool
}
