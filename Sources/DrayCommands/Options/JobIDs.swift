internal import DrayKit
internal import DrayStore

/// Reads the ids of jobs and groups in a command line.
enum JobIDs {
  /// Returns the ids of the jobs that the arguments name.
  /// - Throws: Kind `usage` for an argument that is not an id.
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

  /// Returns the jobs that ids and groups (`g3`) stand for, in order, each once.
  /// - Parameter states: The states of the jobs that are taken from groups.
  /// - Throws: Kind `usage` for an id that is invalid, or that no job has.
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
  /// - Throws: Kind `usage` if no job has this id.
  static func job(_ id: JobID, _ manager: DownloadManager?) async throws(Failure) -> Job {
    if let job = try await manager?.jobs.job(id) { return job }
    throw unknown(id)
  }

  /// Returns the reason why a job cannot be `done`, as text that follows its number: `is already complete`.
  static func refusal(_ done: String, _ reason: String, _ advice: Advice?) -> String {
    let line = Advice.line(reason, advice)
    return line.hasPrefix("it is already ") ? String(line.dropFirst("it ".count)) : "cannot be \(done): \(line)"
  }

  static func unknown(_ id: JobID) -> Failure {
    OptionValue.bad("job \(id)", "no such job: `dray list` shows all")
  }

  /// Returns the id of the group that a text names: `g3`, `3`, or the name of the group.
  /// - Throws: Kind `usage` if the text matches no group or several groups.
  static func group(_ text: String, _ manager: DownloadManager?) async throws(Failure) -> GroupID {
    let groups = try await manager?.jobs.groups() ?? []
    let number = groupNumber(text) ?? GroupID(text)
    if let number, groups.contains(where: { $0.label.id == number }) { return number }
    let named = groups.filter { $0.label.name == text || $0.label.name == SourceReference.shown(text) }
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

  /// Completes the ids of jobs in the store. An argument that has this function as its completion takes jobs.
  /// `JobCandidates` selects the jobs that the command can act on, with their names.
  @Sendable static func complete(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    guard let configuration = try? Store.user() else { return [] }
    return DownloadManager.glance(
      configuration, states: Set(JobState.allCases), idsBeginningWith: prefix, limit: 200
    ).map { "\($0.id)" }
  }
}
