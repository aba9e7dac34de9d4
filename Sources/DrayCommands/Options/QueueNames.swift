// The names of queues on a command line.

internal import DrayKit

enum QueueNames {
  static func unknown(_ name: String) -> Failure {
    OptionValue.bad(
      "the queue", "there is no queue \(OptionValue.quote(name))", advice: "`dray queue list` shows all")
  }

  /// Returns the queues that the user named, or all queues.
  /// - Throws: Kind `usage` if no queue is named, or if a queue does not exist.
  static func chosen(
    _ names: [String], all isAll: Bool, _ manager: DownloadManager?
  ) async throws(Failure) -> [String] {
    guard isAll != !names.isEmpty else {
      throw OptionValue.bad("the queue", isAll ? "name queues, or give --all" : "name one, or give --all")
    }
    let known = try await manager?.namedQueues().map(\.name) ?? []
    if isAll { return known }
    if let name = names.first(where: { !known.contains($0) }) { throw unknown(name) }
    return names
  }

  @Sendable static func complete(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    guard let configuration = try? Store.user() else { return [] }
    return Array(DownloadManager.glanceQueues(configuration).filter { $0.hasPrefix(prefix) }.prefix(500))
  }
}
