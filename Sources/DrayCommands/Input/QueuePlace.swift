// The directories of named queues, for jobs for which the user names no directory.

internal import DrayKit

extension JobArguments {
  /// Returns the arguments with the directory of their named queue, unless the user typed a directory. The directory of
  /// the queue takes precedence over that of the configuration.
  func inQueueDirectory() async throws(Failure) -> JobArguments {
    let isTyped = dir != nil && !CommandContext.current.configured.contains("dir")
    if let queue { try await JobArguments.checkQueue(queue) }
    guard let queue, !isTyped, !outputs.contains(where: { ObjectPlace.isMeant(by: $0) }) else { return self }
    guard let directory = try await Store.openIfPresent()?.directory(ofQueue: queue) else { return self }
    var arguments = self
    arguments.dir = directory
    return arguments
  }

  /// Refuses a name that is similar to the name of an existing queue, but belongs to none. Any other new name creates a
  /// queue.
  private static func checkQueue(_ name: String) async throws(Failure) {
    if let objection = QueueName.objection(to: name) { throw OptionValue.bad("--queue", objection) }
    guard let names = try await Store.openIfPresent()?.namedQueues().map(\.name), !names.contains(name),
      let near = NearestName.find(name, among: names)
    else { return }
    throw OptionValue.bad(
      "--queue \(TextSafety.escaped(name))", "no such queue",
      advice:
        "did you mean \(TextSafety.escaped(near))? `dray queue set \(TextSafety.escaped(name)) --jobs 2` makes a new one"
    )
  }
}

extension HostLimits {
  /// Reads the directories of the queues that rules may choose. If the queue on the command line has a directory, the
  /// rules choose no other.
  mutating func readQueues(_ arguments: JobArguments) async throws(Failure) {
    let isTyped = given.contains("queue")
    guard choosesDirectories, isTyped && !jobRules.rules.isEmpty || !jobRules.queues.isEmpty else { return }
    for queue in try await Store.openIfPresent()?.namedQueues() ?? [] {
      queueDirectories[queue.name] = queue.settings.directory
    }
    if isTyped, let queue = arguments.queue, queueDirectories[queue] != nil { choosesDirectories = false }
  }
}
