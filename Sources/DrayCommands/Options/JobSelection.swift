// Selects the jobs of a command: ids, or all. All jobs are looked up before the first is changed.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore

enum JobIDs {
  /// Returns the ids in the arguments.
  /// - Throws: kind `usage` for an argument that is not an id.
  static func parse(_ texts: [String]) throws(Failure) -> [JobID] {
    var ids: [JobID] = []
    for text in texts {
      guard let id = JobID(text), id > 0 else {
        if groupNumber(text) != nil {
          throw OptionValue.bad(
            text, "this is a group: name one job", advice: "`dray list --group \(text)` shows its jobs")
        }
        throw OptionValue.bad(
          OptionValue.quote(text), "this is not an id: ids are the numbers that `dray list` shows",
          advice: text == "all" ? "did you mean --all?" : nil)
      }
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }

  /// Returns the jobs of ids and groups (`g3`) in order, without duplicates.
  /// - Parameter states: The states of the jobs to take from groups.
  /// - Throws: kind `usage` for an invalid or unknown id.
  static func expand(
    _ texts: [String], _ manager: DownloadManager?, states: Set<JobState> = Set(JobState.allCases)
  ) async throws(Failure) -> [JobID] {
    var all: [JobID] = []
    var seen: Set<JobID> = []
    for text in texts {
      let ids: [JobID]
      if groupNumber(text) != nil {
        ids = try await manager?.jobs.ids(inGroup: try group(text, manager), states: states) ?? []
      } else {
        ids = try parse([text])
        for id in ids { _ = try await job(id, manager) }
      }
      all += ids.filter { seen.insert($0).inserted }
    }
    return all
  }

  /// Returns the job with an id.
  /// - Throws: kind `usage` if there is none.
  static func job(_ id: JobID, _ manager: DownloadManager?) async throws(Failure) -> Job {
    if let job = try await manager?.jobs.job(id) { return job }
    throw unknown(id)
  }

  /// Returns why a job cannot be `done`, to follow its number: `is already complete`.
  static func refusal(_ done: String, _ reason: String, _ advice: Advice?) -> String {
    let line = Advice.line(reason, advice)
    return line.hasPrefix("it is already ") ? String(line.dropFirst("it ".count)) : "cannot be \(done): \(line)"
  }

  static func unknown(_ id: JobID) -> Failure {
    OptionValue.bad("job \(id)", "no such job: `dray list` shows all")
  }

  /// Returns the id of the group that a text names: `g3`, `3`, or the group's name.
  /// - Throws: kind `usage` if no group or several groups match.
  static func group(_ text: String, _ manager: DownloadManager?) async throws(Failure) -> GroupID {
    let groups = try await manager?.jobs.groups() ?? []
    let number = groupNumber(text) ?? GroupID(text)
    if let number, groups.contains(where: { $0.label.id == number }) { return number }
    let named = groups.filter { $0.label.name == text }
    if let only = named.first, named.count == 1 { return only.label.id }
    guard named.isEmpty else {
      let ids = named.prefix(6).map { "g\($0.label.id)" }.joined(separator: ", ")
      throw OptionValue.bad("the group \(OptionValue.quote(text))", "it could be \(ids)", advice: "name it by its id")
    }
    throw OptionValue.bad("the group \(OptionValue.quote(text))", "no such group: `dray list` shows all")
  }

  static func groupNumber(_ text: String) -> GroupID? {
    text.hasPrefix("g") && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
      ? GroupID(text.dropFirst()) : nil
  }

  @Sendable static func completeGroup(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    guard let configuration = try? Store.user() else { return [] }
    let ids = DownloadManager.glanceGroups(configuration).map { "g\($0.label.id)" }
    return Array(ids.filter { $0.hasPrefix(prefix) }.prefix(500))
  }

  /// Completes ids of the store. An argument with this function takes jobs. `JobCandidates` selects the jobs that a
  /// command can act on, with their names.
  @Sendable static func complete(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    guard let configuration = try? Store.user() else { return [] }
    return DownloadManager.glance(
      configuration, states: Set(JobState.allCases), idsBeginningWith: prefix, limit: 200
    ).map { "\($0.id)" }
  }
}

struct JobSelection: ParsableArguments, Sendable {
  @Argument(
    help: ArgumentHelp("The jobs, by their ids; g3 is all of a group to which this applies.", valueName: "id"),
    completion: .custom(JobIDs.complete))
  var ids: [String] = []

  @Option(
    help: ArgumentHelp("A group of jobs, by its id or its name; may be repeated.", valueName: "group"),
    completion: .custom(JobIDs.completeGroup))
  var group: [String] = []

  @Flag(help: "All jobs to which this applies.")
  var all = false

  @Option(
    help: ArgumentHelp(
      "Of the jobs to which this applies, those in this state; may be repeated, or a comma-separated list.",
      valueName: "state"),
    completion: .list(JobState.allCases.map(\.rawValue)))
  var state: [String] = []

  @Option(
    help: ArgumentHelp(
      "Of the jobs to which this applies, those whose failure has this exit status; may be repeated.",
      discussion: "4 is the network, 8 a status of the server, 9 a wrong digest; EXIT STATUS in dray(1) has all.",
      valueName: "status"))
  var code: [String] = []

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  /// Returns the selected jobs.
  /// - Parameter states: The states of the jobs that `--all` selects.
  /// - Throws: kind `usage` for an unknown id; nothing was changed then.
  func resolve(_ manager: DownloadManager?, states: Set<JobState>) async throws(Failure) -> [JobID] {
    let named = ids.filter { JobIDs.groupNumber($0) == nil }
    let ids = try JobIDs.parse(named)
    guard ids.isEmpty && !namesGroups || !all else { throw OptionValue.bad("--all", "give either ids or --all") }
    if selectsByState {
      guard ids.isEmpty, !namesGroups, !all else {
        throw OptionValue.bad(
          state.isEmpty ? "--code" : "--state", "leave out ids, --group and --all")
      }
      return try await byState(manager, states)
    }
    if all { return try await manager?.jobs.ids(states: states) ?? [] }
    var groups: [GroupID] = []
    for name in groupNames { groups.append(try await JobIDs.group(name, manager)) }
    guard !ids.isEmpty || !groups.isEmpty else {
      throw OptionValue.bad("no job is given", "name jobs by their ids, or write --all")
    }
    for id in ids where try await manager?.jobs.job(id) == nil {
      var failure = JobIDs.unknown(id)
      if ids.count > 1 { failure.advice = "the others are unchanged: omit this one" }
      throw failure
    }
    var all = ids
    for group in groups {
      all += try await manager?.jobs.ids(inGroup: group, states: states).filter { !ids.contains($0) } ?? []
    }
    return all
  }

  /// Whether jobs are selected by their state or failure. There may be thousands of such jobs.
  var selectsByState: Bool { !state.isEmpty || !code.isEmpty }

  /// Returns the selected states, if jobs are selected by state alone; `nil` otherwise.
  /// - Throws: kind `usage` for an unknown state.
  func wholeStates(of states: Set<JobState>) throws(Failure) -> Set<JobState>? {
    guard ids.isEmpty, group.isEmpty, code.isEmpty, all != selectsByState else { return nil }
    return all ? states : try StateWords.read(state)?.intersection(states)
  }

  /// Returns the jobs in the states, with failures of the requested kinds. Reads them page by page.
  private func byState(_ manager: DownloadManager?, _ states: Set<JobState>) async throws(Failure) -> [JobID] {
    // A job that has not failed has the failure that stopped it.
    let wanted = try StateWords.read(state)?.intersection(states) ?? states
    var codes: Set<Int32> = []
    for text in code.flatMap({ $0.split(separator: ",") }) {
      codes.insert(Int32(try OptionValue.count(String(text), "--code", 1...10)))
    }
    guard let manager else { return [] }
    guard !codes.isEmpty else { return try await manager.jobs.ids(states: wanted) }
    var ids: [JobID] = []
    var last: JobID = 0
    while true {
      let rows = try await manager.jobs.summaries(after: last, states: wanted, limit: 1000)
      for row in rows where row.failure.map({ codes.contains($0.exitStatus.rawValue) }) ?? false { ids.append(row.id) }
      guard rows.count == 1000, let id = rows.last?.id else { return ids }
      last = id
    }
  }

  /// The named groups: from `--group`, and from ids such as `g3`.
  private var groupNames: [String] { group + ids.filter { JobIDs.groupNumber($0) != nil } }
  /// Whether any group is named. A group may have thousands of jobs.
  var namesGroups: Bool { !groupNames.isEmpty }
}

extension QueuePlace {
  /// Returns the place that the options of `dray move` name.
  /// - Throws: kind `usage` for more or fewer than one, and for an invalid id.
  init(first: Bool, last: Bool, before: [String], after: [String]) throws(Failure) {
    var places: [QueuePlace] = (first ? [.first] : []) + (last ? [.last] : [])
    for id in try JobIDs.parse(before) { places.append(.before(id)) }
    for id in try JobIDs.parse(after) { places.append(.after(id)) }
    guard let place = places.first, places.count == 1 else {
      throw OptionValue.bad("dray move", "where to? --first, --last, --before ID or --after ID")
    }
    self = place
  }
}
