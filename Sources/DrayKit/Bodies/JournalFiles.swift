// The files in `journals/`: one for each part file that is being written. A process that dies leaves them behind (P21).

internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Posix

extension StateDirectory {
  func journal(of job: Job) -> JournalPlace {
    JournalPlace(
      path: PathText.join(journalsPath, job.uuid.text + JournalFiles.suffix), job: job.uuid, attempt: job.attempts)
  }
}

enum JournalFiles {
  fileprivate static let suffix = ".journal"

  /// Whether a process that died has left a journal of the job.
  static func exists(for job: Job, in home: StateDirectory) -> Bool { System.isReadable(home.journal(of: job).path) }

  /// Removes journals that belong to no unfinished job.
  /// - Returns: The removed paths.
  static func sweep(_ home: StateDirectory, _ store: any JobStoring) async throws(Failure) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: home.journalsPath)) ?? []
    let jobs = names.compactMap { name in
      name.hasSuffix(suffix) ? UUID(text: String(name.dropLast(suffix.count))) : nil
    }
    guard !jobs.isEmpty else { return [] }
    // Read the directory before the store: a job that starts between the two is then known to the store.
    let kept = try await store.unfinished(among: Set(jobs))
    return jobs.filter { !kept.contains($0) }.map { PathText.join(home.journalsPath, $0.text + suffix) }.sorted()
      .filter { System.remove($0) }
  }
}

/// The files in the state directory that belong to a job.
enum JobFiles {
  /// Removes the files of a job that is deleted.
  static func remove(of job: Job, in home: StateDirectory) {
    BodyFiles.remove(of: job, in: home)
    home.journal(of: job).remove()
  }
}
