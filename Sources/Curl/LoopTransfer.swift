// The calls that a loop makes on a transfer.

/// A transfer that a ``TransferLoop`` drives on an easy handle. The loop's thread creates it, and only this thread
/// calls it. Its methods must not block for long, because all transfers wait for them.
public protocol LoopTransfer: AnyObject {
  /// Returns the time (``TransferLoop/now()``) at which the next request may start. If the time has not come yet, the
  /// loop calls ``tick(now:)`` until then, and asks again.
  func startTime(now: Double) -> Double

  /// Sets the options for the next request on a handle that has none.
  /// - Throws: An error that makes the request impossible. The error is then passed to ``finish(_:info:)``.
  func prepare(_ handle: EasyHandle) throws(CurlError)

  /// Takes a line of the head or of the trailers, with its line end.
  /// - Returns: `false` to end the transfer.
  func receive(header line: UnsafeRawBufferPointer) -> Bool

  /// Takes bytes of the body, at most 16 KiB.
  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict

  /// Called when the connection is established and the request is about to be sent. It is called once more for each
  /// request that libcurl sends after a challenge.
  func willSend()

  /// Puts the next bytes of the request body into `space`. If it puts none, the body ends.
  func send(into space: UnsafeMutableRawBufferPointer) -> SendVerdict

  /// Makes the next ``send(into:)`` continue at this position of the request body.
  /// - Returns: Whether that is possible.
  func rewind(to position: Int64) -> Bool

  /// The number of seconds between two ticks, for a transfer that needs more than ten ticks per second.
  var tickInterval: Double { get }

  /// Checks the transfer's state. Called about ten times per second, and after ``TransferLoop/signal(_:)``.
  func tick(now: Double) -> TickVerdict

  /// Ends the request. The error is `nil` for success.
  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep
}

extension LoopTransfer {
  /// Returns 0, which means that the request starts at once.
  public func startTime(now: Double) -> Double { 0 }
  /// The value is infinity, so that the loop's own interval applies.
  public var tickInterval: Double { .infinity }
  /// Does nothing.
  public func willSend() {}
  /// Aborts, because there is no body.
  public func send(into space: UnsafeMutableRawBufferPointer) -> SendVerdict { .abort }
  /// Returns `false`, because there is no body.
  public func rewind(to position: Int64) -> Bool { false }
}

/// A transfer's answer when the loop needs bytes of the request body.
public enum SendVerdict {
  /// The transfer has put this number of bytes into the space; 0 means that the body ends.
  case sent(Int)
  /// The transfer has no bytes yet. The loop asks again after this time (``TransferLoop/now()``).
  case pause(until: Double)
  /// The transfer ends.
  case abort
}
