// The interfaces of this machine over which transfers are spread, if the user gave several.

internal import DrayCore

/// The connections over each interface, and which interfaces are away. Confined to the loop's thread.
final class LineMemory {
  /// The seconds for which an interface is passed over after a request could not be sent.
  private static let pause = 5.0

  private var connections: [String: Int] = [:]
  private var awayUntil: [String: Double] = [:]

  /// Returns the interface for a connection of a file, and counts the connection; `nil` if the system chooses.
  func take(among names: [String], now: Double) -> String? {
    guard names.count > 1 else { return nil }
    let away = names.map { awayUntil[$0].map { now < $0 } ?? false }
    let lines = names.indices.map {
      LineChoice.Line(connections: connections[names[$0]] ?? 0, limit: away[$0] ? 0 : .max)
    }
    // If all are away, the one that returns first.
    let next = LineChoice.order(lines).first.map { names[$0] }
    return join(next ?? names.min { awayUntil[$0] ?? 0 < awayUntil[$1] ?? 0 })
  }

  /// Counts a connection over an interface.
  @discardableResult
  func join(_ name: String?) -> String? {
    if let name { connections[name, default: 0] += 1 }
    return name
  }

  /// Records that a connection has ended.
  func leave(_ name: inout String?) {
    guard let left = name.take() else { return }
    let count = (connections[left] ?? 1) - 1
    connections[left] = count > 0 ? count : nil
  }

  func noteAway(_ name: String, until: Double?) { awayUntil[name] = until }

  /// Records that a request could not be sent over an interface.
  func fails(_ name: String?, now: Double) {
    if let name { awayUntil[name] = now + LineMemory.pause }
  }
}
