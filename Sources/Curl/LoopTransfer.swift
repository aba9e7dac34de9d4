// The loop's view of a transfer.

/// A transfer that a ``TransferLoop`` drives on an easy handle. It is created and called on the loop's thread only. Its
/// methods must not block for long, because all transfers wait for them.
public protocol LoopTransfer: AnyObject {
  /// Returns the time (``TransferLoop/now()``) at which the next request may start. If that time is still to come, the
  /// loop calls ``tick(now:)`` until then, and asks again.
  func startTime(now: Double) -> Double

  /// Sets the options of a fresh handle for the next request.
  /// - Throws: An error that makes the request impossible. It is then passed to ``finish(_:info:)``.
  func prepare(_ handle: EasyHandle) throws(CurlError)

  /// Takes a line of the head or the trailers, with its line end.
  /// - Returns: `false` to end the transfer.
  func receive(header line: UnsafeRawBufferPointer) -> Bool

  /// Takes bytes of the body, at most 16 KiB.
  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict

  /// Called when the connection is established and the request is about to be sent. Called again for each request that
  /// libcurl sends after a challenge.
  func willSend()

  /// Puts the next bytes of the request body into `space`; 0 bytes end it.
  func send(into space: UnsafeMutableRawBufferPointer) -> SendVerdict

  /// Restarts the request body at `position` for the next ``send(into:)``.
  /// - Returns: Whether that is possible.
  func rewind(to position: Int64) -> Bool

  /// The seconds between two ticks, if ten per second are too few.
  var tickInterval: Double { get }

  /// Checks the transfer's state. Called about ten times per second, and after ``TransferLoop/signal(_:)``.
  func tick(now: Double) -> TickVerdict

  /// Takes the end of the request: `nil` for success, or the error that ended it early.
  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep
}

extension LoopTransfer {
  /// Returns 0: at once.
  public func startTime(now: Double) -> Double { 0 }
  /// Infinity, for the loop's own interval.
  public var tickInterval: Double { .infinity }
  /// Does nothing.
  public func willSend() {}
  /// Aborts, because there is no body.
  public func send(into space: UnsafeMutableRawBufferPointer) -> SendVerdict { .abort }
  /// Returns `false`, because there is no body.
  public func rewind(to position: Int64) -> Bool { false }
}

/// The result of sending body bytes.
public enum SendVerdict {
  /// This number of bytes was put into the space; 0 is the end.
  case sent(Int)
  /// No bytes yet. libcurl asks again after this time (``TransferLoop/now()``).
  case pause(until: Double)
  /// The transfer ends.
  case abort
}
