// Which jobs a command is about: ids, or all of them. All are looked up before the first is touched.

internal import ArgumentParser
internal import DrayKit

enum JobIDs {
  /// Numbers out of what was typed.
  /// - Throws: kind `usage` for what is not a number.
  static func parse(_ texts: [String]) throws(Failure) -> [JobID] {
    var ids: [JobID] = []
    for text in texts {
      guard let id = JobID(text), id > 0 else {
        throw OptionValue.bad(OptionValue.quote(text), "this is not an id: ids are the numbers that `dray list` shows")
      }
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }

  /// The job of a number.
  /// - Throws: kind `usage` where there is none.
  static func job(_ id: JobID, _ manager: DownloadManager?) throws(Failure) -> Job {
    if let job = try manager?.store.job(id) { return job }
    throw unknown(id)
  }

  static func unknown(_ id: JobID) -> Failure {
    OptionValue.bad("job \(id)", "there is no such job: `dray list` shows all")
  }

  /// Completions: the ids of the store that begin with what was typed. It marks an argument as one that takes jobs; those that a
  /// command can act on, with their names, are in `JobCandidates`.
  @Sendable static func complete(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    guard let configuration = try? Configuration.user() else { return [] }
    return DownloadManager.glance(
      configuration, states: Set(JobState.allCases), idsBeginningWith: prefix, limit: 200
    ).map { "\($0.id)" }
  }
}

struct JobSelection: ParsableArguments, Sendable {
  @Argument(
    help: ArgumentHelp("The jobs, by their ids.", valueName: "id"), completion: .custom(JobIDs.complete))
  var ids: [String] = []

  @Flag(help: "All jobs to which this applies.")
  var all = false

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  /// The jobs that are meant.
  /// - Parameter states: those that `--all` takes.
  /// - Throws: kind `usage` for an id that does not exist; then nothing was touched.
  func resolve(_ manager: DownloadManager?, states: Set<JobState>) throws(Failure) -> [JobID] {
    let ids = try JobIDs.parse(ids)
    guard ids.isEmpty || !all else { throw OptionValue.bad("--all", "give either ids or --all") }
    if all { return try manager?.store.ids(states: states) ?? [] }
    guard !ids.isEmpty else { throw OptionValue.bad("no job is given", "name jobs by their ids, or write --all") }
    for id in ids where try manager?.store.job(id) == nil {
      var failure = JobIDs.unknown(id)
      if ids.count > 1 { failure.advice = "the others are unchanged: omit this one" }
      throw failure
    }
    return ids
  }
}
