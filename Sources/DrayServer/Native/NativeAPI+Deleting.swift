// Removes complete jobs together with their files.

internal import DrayCore
internal import DrayKit
internal import DrayStore

extension NativeAPI {
  /// Removes complete jobs and deletes their files. A job is left as it is if its file was replaced, or if the file
  /// lies outside the allowed directories. Returns one result for each job, in the order of the jobs.
  func delete(_ ids: [JobID]) async throws(APIFailure) -> [ActionResult] {
    var results: [ActionResult] = []
    for id in ids { results.append(try await delete(id)) }
    return results
  }

  private func delete(_ id: JobID) async throws(APIFailure) -> ActionResult {
    let known = try await trying { () async throws(Failure) in try await manager.jobs.job(id) }
    guard let job = known else { return ActionResult(id: id, outcome: .unknown, message: "no such job") }
    let file: String
    do throws(Failure) {
      file = try await deletions.setAside(job, in: settings.rule.directories)
    } catch {
      if error.kind == .store { throw refused(error) }
      return ActionResult(id: id, outcome: .refused, message: error.message(settings.names))
    }
    guard var result = try? await act(.remove, [id]).first, result.outcome == .done else {
      await deletions.giveBack(file)
      return ActionResult(id: id, outcome: .refused, message: "it was changed at the same time; try again")
    }
    guard let token = result.undo else {
      // This removal cannot be undone, so its file is deleted at once.
      await deletions.drop(file)
      return result
    }
    await deletions.keep(file, as: token)
    result.message = nil
    return result
  }
}
