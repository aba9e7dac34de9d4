// What all connections of a loop share.

internal import DrayCore
internal import Posix

/// Something that happened to a connection, for the log.
public enum WebIncident: Sendable, Equatable {
  /// A request was refused before the program saw it.
  case refused(WebPeer, status: Int, message: String)
  /// A client was dropped.
  case dropped(WebPeer, reason: String)
  /// There were more clients than there may be.
  case crowded(WebPeer)
  /// No connection can be taken for a moment: the process has no descriptor left.
  case outOfDescriptors
}

/// The loop as its connections see it. On the loop's thread only, but for what it passes to tasks.
final class LoopContext {
  let limits: WebLimits
  let settings: WebServer.Settings
  let orders: LoopOrders
  /// Where all connections read to. What comes is taken out at once.
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
  /// Whether the server stops: connections are not kept.
  var isStopping = false
  /// Bytes of the requests that connections hold; renewed by the loop.
  var held = 0
  /// Bytes of answers that wait for their readers; renewed by the loop.
  var unsent = 0

  init(_ settings: WebServer.Settings, _ orders: LoopOrders) {
    (limits, self.settings, self.orders) = (settings.limits, settings, orders)
  }

  deinit { scratch.deallocate() }

  /// The time as answers have it.
  var date: String {
    let now = System.secondsSince1970
    if now != dated.seconds { dated = (now, HTTPDate.format(now)) }
    return dated.text
  }

  private var dated: (seconds: Int64, text: String) = (-1, "")

  /// The fields of an answer with those that each has, unless it says otherwise itself.
  func completed(_ fields: WebFields) -> WebFields {
    var fields = fields
    for field in settings.standing.list where fields[field.name] == nil { fields.add(field.name, field.value) }
    return fields
  }
}
