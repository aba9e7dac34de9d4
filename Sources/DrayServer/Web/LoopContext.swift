// The shared state of a loop's connections.

internal import DrayCore
internal import Posix

/// An event of a connection, for the log.
public enum WebIncident: Sendable, Equatable {
  /// A request was refused before it reached the program.
  case refused(WebPeer, status: Int, message: String)
  /// A client was dropped.
  case dropped(WebPeer, reason: String)
  /// The maximum number of clients was exceeded.
  case crowded(WebPeer)
  /// The process has no descriptors left, so no connection can be accepted for a moment.
  case outOfDescriptors
}

/// The loop as seen by its connections. Confined to the loop's thread, except for values passed to tasks.
final class LoopContext {
  let limits: WebLimits
  let settings: WebServer.Settings
  let orders: LoopOrders
  /// The receive buffer of all connections. Received bytes are removed at once.
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
  /// Whether the server is stopping. Connections are then not kept.
  var isStopping = false
  /// The number of bytes of requests in memory; updated by the loop.
  var held = 0
  /// The number of bytes of answers that wait for their readers; updated by the loop.
  var unsent = 0

  init(_ settings: WebServer.Settings, _ orders: LoopOrders) {
    (limits, self.settings, self.orders) = (settings.limits, settings, orders)
  }

  deinit { scratch.deallocate() }

  /// The present time in the form of an answer's `Date`.
  var date: String {
    let now = System.secondsSince1970
    if now != dated.seconds { dated = (now, HTTPDate.format(now)) }
    return dated.text
  }

  private var dated: (seconds: Int64, text: String) = (-1, "")

  /// Returns the fields of an answer with the standing fields. The answer's own fields take precedence.
  func completed(_ fields: WebFields) -> WebFields {
    var fields = fields
    for field in settings.standing.list where fields[field.name] == nil { fields.add(field.name, field.value) }
    return fields
  }
}
