// The calls about named queues.

internal import DrayCore
internal import DrayKit
internal import DrayWire
internal import WebServer

extension NativeAPI {
  func queues() async throws(APIFailure) -> WebResponse {
    let all = try await trying { () async throws(Failure) in try await manager.namedQueues() }
    return NativeAPI.object { json in
      json.array("queues", all) { json, queue in json.object { queue.writeFields(to: &$0) } }
    }
  }

  func changeQueue(_ name: String, _ order: QueueOrder) async throws(APIFailure) -> WebResponse {
    var order = order
    if let text = order.directory?.value {
      let directory = resolved(text)
      // Without this check, the jobs of the service's user in this queue could be sent to any directory.
      guard let place = settings.rule.directories.place(directory) else {
        throw NativeAPI.forbidden(directory: directory)
      }
      order.directory = QueueOrder.New(value: place.traits.holdsFiles ? directory : place.path)
    }
    let change = order
    let queue = try await trying { () async throws(Failure) in
      try await manager.changeQueue(name) { change.apply(to: &$0) }
    }
    return NativeAPI.object { queue.writeFields(to: &$0) }
  }

  func removeQueue(_ name: String) async throws(APIFailure) -> WebResponse {
    let hadSettings = try await trying { () async throws(Failure) in try await manager.removeQueue(name) }
    guard hadSettings else {
      throw APIFailure(404, .notFound, "queue \(TextSafety.escaped(name)) has no settings")
    }
    return NativeAPI.object { _ in }
  }

  /// Returns the directories of the queues named by those jobs that name no directory, by the names of the queues.
  func queueDirectories(_ orders: [JobOrder]) async throws(APIFailure) -> [String: String] {
    guard orders.contains(where: { $0.usesDefault && $0.queue != nil }) else { return [:] }
    let all = try await trying { () async throws(Failure) in try await manager.namedQueues() }
    return all.reduce(into: [:]) { $0[$1.name] = $1.settings.directory }
  }
}

extension JobOrder {
  fileprivate var usesDefault: Bool { directory?.isEmpty ?? true }

  fileprivate var queue: String? { settings.texts["queue"]?.last }

  /// Returns the directory that the job gets if it names none.
  /// - Parameter queues: The directories of the queues (``NativeAPI/queueDirectories(_:)``).
  func base(_ queues: [String: String], usual: String) -> String {
    usesDefault ? queue.flatMap { queues[$0] } ?? usual : usual
  }
}
