// What a transfer is to the loop that drives it.

/// A transfer that a ``TransferLoop`` drives on one easy handle. It is made on the loop's thread, and every call
/// comes there; calls must not block for long, as all transfers wait meanwhile.
public protocol LoopTransfer: AnyObject {
  /// Sets the options of a fresh handle for the next request.
  /// - Throws: what makes the request impossible; ``finish(_:info:)`` is then called with it.
  func prepare(_ handle: EasyHandle) throws(CurlError)

  /// Takes one line of the head or of the trailers, line end included. `false` ends the transfer.
  func receive(header line: UnsafeRawBufferPointer) -> Bool

  /// Takes bytes of the body; at most 16 KiB come at once.
  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict

  /// The connection stands, and the request is about to be sent; called again for each that libcurl makes by itself
  /// after a challenge.
  func willSend()

  /// Puts the next bytes of the body to send into `space`; 0 bytes are its end.
  func send(into space: UnsafeMutableRawBufferPointer) -> SendVerdict

  /// Has the next ``send(into:)`` give the body from `position` on: it must be sent again.
  /// - Returns: whether that may be.
  func rewind(to position: Int64) -> Bool

  /// Seconds between two looks after itself, where it wants them sooner than a tenth of a second apart.
  var tickInterval: Double { get }

  /// Looks after itself: called about ten times a second and after ``TransferLoop/signal(_:)``.
  func tick(now: Double) -> TickVerdict

  /// Takes the end of the request: `nil`, or what ended it early.
  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep
}

extension LoopTransfer {
  /// As the loop does it.
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
  /// So many bytes were put there; 0 is the end.
  case sent(Int)
  /// None yet; libcurl asks again after this time (``TransferLoop/now()``).
  case pause(until: Double)
  /// The transfer ends.
  case abort
}

/// What became of body bytes.
public enum BodyVerdict {
  /// They were taken.
  case taken
  /// None was taken; they come again after this time (``TransferLoop/now()``), or once ``TickVerdict/proceed`` was said.
  case pause(until: Double)
  /// None was taken, and the transfer ends.
  case abort
}

/// What a transfer wants after a look at itself.
public enum TickVerdict {
  /// Nothing.
  case none
  /// Body bytes may come again.
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
  /// The same, after these seconds; ``LoopTransfer/tick(now:)`` goes on meanwhile.
  case againAfter(Double)
}
