// Finds out which names are taken for a group of files, before the store chooses among names.

internal import DrayEngine

extension PublishGroup {
  /// A search whose result is valid for all files with the same name.
  private struct NameQuestion: Hashable {
    let destination: ObjectIdentifier
    let name: String
    /// The job, if its adopted file does not count as taken; otherwise `nil`.
    let job: JobID?
  }

  /// Finds out which names are taken, for files that get a free name. The store chooses the name in a transaction,
  /// which must not wait for a server.
  /// - Parameter isHalted: Whether the run is ending.
  mutating func findTakenNames(isHalted: @escaping @Sendable () -> Bool) async {
    var askers: [NameQuestion: [Int]] = [:]
    for index in entries.indices where entries[index].isOpen && !entries[index].item.isNamed {
      let (entry, job) = (entries[index], entries[index].item.box.job)
      guard job.specification.options.onConflict == .rename else { continue }
      let question = NameQuestion(
        destination: ObjectIdentifier(entry.destination), name: entry.name,
        job: job.specification.options.adopts == nil ? nil : job.id)
      askers[question, default: []].append(index)
    }
    guard !askers.isEmpty else { return }
    await withTaskGroup(of: Answer.self) { group in
      for (count, indices) in askers.values.enumerated() {
        if count >= PublishGroup.mostRequests, let answer = await group.next() { take(answer) }
        let entry = entries[indices[0]]
        let search = NameSearch(
          specification: entry.item.box.job.specification, destination: entry.destination, isOver: isHalted)
        let name = entry.name
        group.addTask { await PublishGroup.answer(search, name, indices) }
      }
      for await answer in group { take(answer) }
    }
  }

  /// The taken names; `nil` if the search was given up or failed. This is a class, because Swift 6.3.1 miscompiles a
  /// tuple with a typed error that a task of a group returns: copying the tuple crashed the program.
  private final class Answer: Sendable {
    let indices: [Int]
    let taken: Set<String>?
    let failure: Failure?

    init(_ indices: [Int], _ taken: Set<String>?, _ failure: Failure?) {
      (self.indices, self.taken, self.failure) = (indices, taken, failure)
    }
  }

  private static func answer(_ search: NameSearch, _ name: String, _ indices: [Int]) async -> Answer {
    do throws(Failure) {
      let taken = try await search.taken(before: name)
      return Answer(indices, taken, nil)
    } catch {
      return Answer(indices, nil, error)
    }
  }

  /// Takes the result of a search. Files without a result are not published.
  private mutating func take(_ answer: Answer) {
    for index in answer.indices {
      if let taken = answer.taken {
        entries[index].taken = taken
      } else {
        entries[index].result = answer.failure.map { .failed($0) } ?? .stopped
      }
    }
  }
}
