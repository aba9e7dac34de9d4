// Finds the taken names for a group of files, before the store chooses among names.

internal import DrayEngine

extension PublishGroup {
  /// A search whose result counts for all files of a name.
  private struct NameQuestion: Hashable {
    let destination: ObjectIdentifier
    let name: String
    /// The job, if the file that it adopted does not count as taken.
    let job: JobID?
  }

  /// Finds out which names are taken, for files that get a free one. The store chooses among names in a transaction,
  /// which must not wait for a server.
  /// - Parameter isHalted: whether the run ends.
  mutating func findTakenNames(unless isHalted: @escaping @Sendable () -> Bool) async {
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
    await withTaskGroup(of: ([Int], Result<Set<String>?, Failure>).self) { group in
      for (count, indices) in askers.values.enumerated() {
        if count >= PublishGroup.mostRequests, let (done, found) = await group.next() { take(found, for: done) }
        let entry = entries[indices[0]]
        group.addTask {
          let search = NameSearch(
            specification: entry.item.box.job.specification, destination: entry.destination, isOver: isHalted)
          do throws(Failure) { return (indices, .success(try await search.taken(before: entry.name))) } catch {
            return (indices, .failure(error))
          }
        }
      }
      for await (done, found) in group { take(found, for: done) }
    }
  }

  /// Notes the taken names for some files; without them, the files are not published.
  private mutating func take(_ found: Result<Set<String>?, Failure>, for indices: [Int]) {
    for index in indices {
      switch found {
      case .success(let taken?): entries[index].taken = taken
      case .success(nil): entries[index].result = .stopped
      case .failure(let failure): entries[index].result = .failed(failure)
      }
    }
  }
}
