// The directory of a named queue, for jobs whose user names none.

internal import DrayKit

extension JobArguments {
  /// Returns the arguments with the directory of their named queue, unless a directory was typed. It takes precedence
  /// over one of the configuration.
  func inQueueDirectory() async throws(Failure) -> JobArguments {
    let isTyped = dir != nil && !CommandContext.current.configured.contains("dir")
    guard let queue, !isTyped else { return self }
    if let objection = QueueName.objection(to: queue) { throw OptionValue.bad("--queue", objection) }
    guard let directory = try await Store.openIfPresent()?.directory(ofQueue: queue) else { return self }
    var arguments = self
    arguments.dir = directory
    return arguments
  }
}
