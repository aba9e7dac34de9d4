// `dray queue set`, `pause`, `resume` and `remove`.

internal import ArgumentParser
internal import DrayKit

struct QueueSet: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set the limits and the directory of a queue; a new name makes a queue.",
    discussion: """
      Every runner applies them within a second. Jobs that run already are not stopped by a smaller --jobs. off takes a \
      setting back.

      EXAMPLES
        dray queue set films --jobs 1 --rate '08:00,512k 19:00,off'
        dray queue set films --quota 50G/month --directory ~/films
        dray queue set nightly --between 'Mon-Fri 22:00-06:00 Sat,Sun'
        dray queue set films --quota off
      """)

  @Argument(help: ArgumentHelp("The queue.", valueName: "name"), completion: .custom(QueueNames.complete))
  var name: String

  @Option(
    help: ArgumentHelp(
      "Transfer this many of its jobs at once, over all runners: a number, or off.", valueName: "number"),
    completion: .list(["off"]))
  var jobs: String?

  @Option(
    help: ArgumentHelp(
      "Limit its jobs together to this many bytes per second, for each runner: a rate, a timetable, or off.",
      discussion: "As for `dray limit`.", valueName: "rate"), completion: .list(["off"]))
  var rate: String?

  @Option(
    help: ArgumentHelp(
      "Transfer its jobs only at these times: 01:00-07:00, or off.",
      discussion: """
        As for `get --between`. Outside of them its jobs stop with their bytes kept, and go on when the next time comes.
        """, valueName: "times"), completion: .list(["off"]))
  var between: String?

  @Option(
    help: ArgumentHelp(
      "Receive at most this much in each hour, day, week or month: 10G/day, or off.",
      discussion: """
        In local time; a week begins on Monday. When it is used up, the queue's jobs stop, with what came in about a second \
        more, and go on when the next period begins.
        """, valueName: "size/period"), completion: .list(["off"]))
  var quota: String?

  @Option(
    help: ArgumentHelp(
      "Put the files of jobs without --dir into this directory, or off.", valueName: "dir"), completion: .directory)
  var directory: String?

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  func execute() async throws -> ExitStatus {
    let change = try change(Surroundings.real())
    let queue = try await Store.open().changeQueue(name, change)
    if !quiet { Messages.print("queue \(queue.name): \(QueueText.settings(queue.settings))") }
    return .success
  }

  /// Returns a closure that makes the changes that the options ask for.
  /// - Throws: Kind `usage` for an invalid name or value.
  func change(_ surroundings: Surroundings) throws(Failure) -> @Sendable (inout QueueSettings) -> Void {
    if let objection = QueueName.objection(to: name) { throw OptionValue.bad("the queue", objection) }
    let (jobs, rate) = (try newJobs(), try newRate())
    let (between, quota) = (try newTimes(), try newQuota())
    let directory = try newDirectory(surroundings)
    return { settings in
      if let jobs { settings.jobs = jobs.value }
      if let rate { settings.rate = rate.value }
      if let between { settings.between = between.value }
      if let quota { settings.quota = quota.value }
      if let directory { settings.directory = directory.value }
    }
  }

  /// A new value for a setting; if it is `nil`, the setting is removed.
  private struct New<Value: Sendable>: Sendable {
    var value: Value?
  }

  private func newJobs() throws(Failure) -> New<Int>? {
    guard let jobs else { return nil }
    return New(value: jobs == "off" ? nil : try OptionValue.count(jobs, "--jobs", JobsLimit.range))
  }

  private func newRate() throws(Failure) -> New<String>? {
    guard let rate else { return nil }
    if rate == "off" { return New(value: nil) }
    _ = try OptionValue.rateRule(rate, "--rate")
    return New(value: rate)
  }

  private func newTimes() throws(Failure) -> New<String>? {
    guard let between else { return nil }
    let window: TransferWindow? = try OptionValue.read(between, .window, "--between")
    return New(value: window.map { "\($0)" })
  }

  private func newQuota() throws(Failure) -> New<QueueQuota>? {
    guard let quota else { return nil }
    if quota == "off" { return New(value: nil) }
    do throws(QuantityParseError) { return New(value: try QueueQuota.parse(quota)) } catch {
      throw OptionValue.bad("--quota", error.message)
    }
  }

  private func newDirectory(_ surroundings: Surroundings) throws(Failure) -> New<String>? {
    guard let directory else { return nil }
    if directory == "off" { return New(value: nil) }
    guard !directory.isEmpty else { throw OptionValue.bad("--directory", "it is empty: name a directory") }
    let path = surroundings.withoutParents(surroundings.absolute(directory))
    try surroundings.checkDirectory(path, "--directory")
    return New(value: path)
  }
}

struct QueuePause: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Stop the jobs of queues until the queues are resumed, keeping their bytes.",
    discussion: """
      Its active jobs stop within a second and wait in the queue. Jobs that are added meanwhile wait, too. Unlike after \
      `dray pause`, each job keeps its state.
      """)

  @OptionGroup var queues: QueueSelection

  func execute() async throws -> ExitStatus { try await queues.set(isPaused: true) }
}

struct QueueResume: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Let the jobs of paused queues go on.",
    discussion: """
      A quota that is used up still holds, as do the times of a queue; `dray queue set NAME --quota off --between off` takes \
      both back.
      """)

  @OptionGroup var queues: QueueSelection

  func execute() async throws -> ExitStatus { try await queues.set(isPaused: false) }
}

struct QueueSelection: ParsableArguments, Sendable {
  @Argument(help: ArgumentHelp("The queues.", valueName: "name"), completion: .custom(QueueNames.complete))
  var names: [String] = []

  @Flag(help: "All named queues.")
  var all = false

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  fileprivate func set(isPaused: Bool) async throws(Failure) -> ExitStatus {
    let manager = try await Store.look()
    let chosen = try await QueueNames.chosen(names, all: all, manager)
    let done = isPaused ? "paused" : "resumed"
    for name in chosen {
      _ = try await manager?.changeQueue(name) { $0.isPaused = isPaused }
      if !quiet { Messages.print("queue \(name) \(done)") }
    }
    if chosen.isEmpty, !quiet { Messages.print("no named queues: nothing was \(done)") }
    return .success
  }
}

struct QueueRemove: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take back all settings of queues.",
    discussion: "The jobs stay, with the names of their queues, which have no limits any more.", aliases: ["rm"])

  @Argument(help: ArgumentHelp("The queues.", valueName: "name"), completion: .custom(QueueNames.complete))
  var names: [String]

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  func execute() async throws -> ExitStatus {
    let manager = try await Store.look()
    for name in try await QueueNames.chosen(names, all: false, manager) {
      _ = try await manager?.removeQueue(name)
      if !quiet { Messages.print("queue \(name) removed; its jobs stay, without its limits") }
    }
    return .success
  }
}
