// The directories of named queues, for jobs whose user names none.

internal import DrayKit

extension JobArguments {
  /// Returns the arguments with the directory of their named queue, unless a directory was typed. It takes precedence
  /// over one of the configuration.
  func inQueueDirectory() async throws(Failure) -> JobArguments {
    let isTyped = dir != nil && !CommandContext.current.configured.contains("dir")
    guard let queue, !isTyped, !outputs.contains(where: { ObjectPlace.isMeant(by: $0) }) else { return self }
    if let objection = QueueName.objection(to: queue) { throw OptionValue.bad("--queue", objection) }
    guard let directory = try await Store.openIfPresent()?.directory(ofQueue: queue) else { return self }
    var arguments = self
    arguments.dir = directory
    return arguments
  }
}

extension HostLimits {
  /// Reads the directories of named queues for rules. If the queue on the command line has one, rules choose none.
  mutating func readQueues(_ arguments: JobArguments) async throws(Failure) {
    let isTyped = given.contains("queue")
    guard choosesDirectories, isTyped && !jobRules.rules.isEmpty || !jobRules.queues.isEmpty else { return }
    for queue in try await Store.openIfPresent()?.namedQueues() ?? [] {
      queueDirectories[queue.name] = queue.settings.directory
    }
    if isTyped, let queue = arguments.queue, queueDirectories[queue] != nil { choosesDirectories = false }
  }
}
