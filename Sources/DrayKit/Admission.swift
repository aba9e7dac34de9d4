// What happens to a download that is asked for, before it is queued (DESIGN §6: "the same get again").

internal import DrayEngine
internal import Foundation

/// What became of a specification that was handed in.
public enum Admission: Sendable, Equatable {
  /// It is a job now, or was one already.
  case job(AddedJob)
  /// It was complete before, and its target is as it was published.
  case alreadyComplete(JobID, path: String)
  /// Its target is there, and the user wants it to stay; there is no job.
  case skipped(path: String)
}

extension DownloadManager {
  /// Queues what is not done yet, all or nothing; returns when it is durable.
  /// - Throws: kind `file` for a target that is taken or a directory that cannot be written; then nothing was queued.
  ///   Kind `store` when the job store cannot be used.
  public func admit(_ specifications: some Collection<JobSpecification>) throws(Failure) -> [Admission] {
    var directories: [String: TargetDirectory?] = [:]
    let mayBeDone = try store.counts()[.complete, default: 0] > 0
    var early: [Int: Admission] = [:]
    var again: [JobID] = []
    for (index, specification) in specifications.enumerated() {
      let path = specification.directory
      if directories[path] == nil { directories[path] = .some(try DownloadManager.writable(path)) }
      let directory = directories[path] ?? nil
      if mayBeDone, let done = try completed(specification) {
        if let published = done.published, let name = done.fileName, directory?.identity(of: name) == published {
          early[index] = .alreadyComplete(done.id, path: Job.join(path, name))
          continue
        }
        if let name = done.fileName, !(directory?.exists(name) ?? false) {
          again.append(done.id)
          early[index] = .job(AddedJob(id: done.id, uuid: done.uuid, existing: true))
          continue
        }
      }
      if let output = specification.output, let directory {
        switch Conflict.look(specification.options.onConflict, at: output, in: directory) {
        case .none: break
        case .skip: early[index] = .skipped(path: Job.join(path, output))
        case .refuse(let failure): throw failure
        }
      }
    }
    let rest = specifications.enumerated().lazy.filter { early[$0.offset] == nil }.map(\.element)
    var added = try add(rest).makeIterator()
    if !again.isEmpty { _ = try store.retry(again) }
    var result: [Admission] = []
    result.reserveCapacity(specifications.count)
    for (index, specification) in specifications.enumerated() {
      if let one = early[index] {
        result.append(one)
      } else if let one = added.next() {
        // Asked for again, perhaps with the header or the digest that was missing.
        if one.existing { try store.renew(one.id, with: specification) }
        result.append(.job(one))
      }
    }
    return result
  }

  private func completed(_ specification: JobSpecification) throws(Failure) -> Job? {
    let newest = try store.find(
      url: specification.request.url, directory: specification.directory, output: specification.output)
    return newest?.state == .complete ? newest : nil
  }

  /// The directory, if it is there; a failure, if nothing could be written in it.
  private static func writable(_ path: String) throws(Failure) -> TargetDirectory? {
    var existing = path
    while !FileManager.default.fileExists(atPath: existing), existing != "/", !existing.isEmpty {
      existing = (existing as NSString).deletingLastPathComponent
    }
    guard FileManager.default.isWritableFile(atPath: existing) else {
      throw Failure(
        .file, existing, "nothing can be written in this directory", advice: "choose another with --dir",
        recovery: .keep)
    }
    guard existing == path else { return nil }
    do throws(SystemError) { return try TargetDirectory(path: path) } catch { throw error.failure(path) }
  }
}
