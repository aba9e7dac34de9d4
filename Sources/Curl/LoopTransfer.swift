// What the loop needs of a transfer that it drives.

/// A transfer that a ``TransferLoop`` drives on one easy handle. It is created on the loop's thread, and every call
/// comes there; calls must not block for long, because all transfers wait meanwhile.
public protocol LoopTransfer: AnyObject {
  /// Sets the options of a fresh handle for the next request.
  /// - Throws: what makes the request impossible; ``finish(_:info:)`` is then called with it.
  func prepare(_ handle: EasyHandle) throws(CurlError)

  /// Receives one line of the head or of the trailers, with its line end. `false` ends the transfer.
  func receive(header line: UnsafeRawBufferPointer) -> Bool

  /// Receives bytes of the body, at most 16 KiB at once.
  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict

  /// The connection is established, and the request is about to be sent; called again for each that libcurl makes itself
  /// after a challenge.
  func willSend()

  /// Puts the next bytes of the body to send into `space`; 0 bytes are its end.
  func send(into space: UnsafeMutableRawBufferPointer) -> SendVerdict

  /// Makes the next ``send(into:)`` give the body from `position` on: it must be sent again.
  /// - Returns: whether that may be.
  func rewind(to position: Int64) -> Bool

  /// Seconds between two ticks, if it needs them more often than ten times a second.
  var tickInterval: Double { get }

  /// Checks its state: called about ten times a second and after ``TransferLoop/signal(_:)``.
  func tick(now: Double) -> TickVerdict

  /// Receives the end of the request: `nil`, or what ended it early.
  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep
}

extension LoopTransfer {
  /// The loop's own interval.
  public var tickInterval: Double { .infinity }
  /// Does nothing.
  public func willSend() {}
  /// There is no body.
  public func send(into space: UnsafeMutableRawBufferPointer) -> SendVerdict { .abort }
  /// There is no body.
  public func rewind(to position: Int64) -> Bool { false }
}

/// What is sent of a body.
public enum SendVerdict {
  /// This number of bytes was put there; 0 is the end.
  case sent(Int)
  /// None yet; libcurl asks again after this time (``TransferLoop/now()``).
  case pause(until: Double)
  /// The transfer ends.
  case abort
}

/// What was done with body bytes.
public enum BodyVerdict {
  /// They were consumed.
  case taken
  /// None was consumed; they are delivered again after this time (``TransferLoop/now()``), or after ``TickVerdict/proceed``.
  case pause(until: Double)
  /// None was consumed, and the transfer ends.
  case abort
}

/// What a transfer needs after a tick.
public enum TickVerdict {
  /// Nothing.
  case none
  /// Body bytes may be delivered again.
  case proceed
  /// End the transfer.
  case abort
}

/// What follows the end of a request.
public enum NextStep {
  /// Nothing: the transfer is over.
  case done
  /// One more request on the same handle: ``LoopTransfer/prepare(_:)`` is called again.
  case again
  /// The same, after these seconds; ``LoopTransfer/tick(now:)`` is still called meanwhile.
  case againAfter(Double)
}
