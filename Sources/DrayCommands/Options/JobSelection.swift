// Selects the jobs of a command: by ids, or all. All jobs are looked up before the first one is changed.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore

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
  /// - Throws: Kind `usage` for an id that no job has; nothing has been changed at that point.
  func resolve(_ manager: DownloadManager?, states: Set<JobState>) async throws(Failure) -> [JobID] {
    let ids = try named()
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

  /// Returns the jobs that are named themselves, and not only by their groups.
  func named() throws(Failure) -> [JobID] { try JobIDs.parse(ids.filter { JobIDs.groupNumber($0) == nil }) }

  /// Whether jobs are only counted in reports, and not reported one by one.
  var mayBeMany: Bool { all || namesGroups || selectsByState }

  /// Whether jobs are selected by their state or their failure. Thousands of jobs may match such a selection.
  var selectsByState: Bool { !state.isEmpty || !code.isEmpty }

  /// Returns the selected states if jobs are selected by nothing but their state; otherwise `nil`.
  /// - Throws: Kind `usage` for a word that is not a state.
  func wholeStates(of states: Set<JobState>) throws(Failure) -> Set<JobState>? {
    guard ids.isEmpty, group.isEmpty, code.isEmpty, all != selectsByState else { return nil }
    return all ? states : try StateWords.read(state)?.intersection(states)
  }

  /// Returns the jobs in these states, and among them only those whose failures have the selected kinds. The jobs are
  /// read page by page.
  private func byState(_ manager: DownloadManager?, _ states: Set<JobState>) async throws(Failure) -> [JobID] {
    // A job that has not failed, but was stopped by a failure, has that failure as well.
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

  /// The names of the groups: those from `--group`, and ids of groups such as `g3`.
  private var groupNames: [String] { group + ids.filter { JobIDs.groupNumber($0) != nil } }
  /// Whether any group is named. A group may contain thousands of jobs.
  var namesGroups: Bool { !groupNames.isEmpty }
}

extension QueuePlace {
  /// Reads the place that the options of `dray move` name.
  /// - Throws: Kind `usage` if they name no place or several places, and for an invalid id.
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
