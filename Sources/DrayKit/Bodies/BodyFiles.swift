// The files in `bodies/`: one for each job that sends a body, deleted together with the job (P3, P5).

internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Posix

enum BodyFiles {
  /// Gives each job a separate body file: a hard link to the spooled file, or a copy if linking fails. The files are
  /// durable when this returns.
  /// - Returns: The jobs with their own bodies.
  /// - Throws: Kind `file`, without leaving new files behind.
  static func own(_ specifications: [JobSpecification], in home: StateDirectory) throws(Failure) -> [JobSpecification] {
    try home.createBodies()
    var result = specifications
    var made: [String] = []
    do throws(Failure) {
      for index in result.indices {
        guard let body = result[index].request.body else { continue }
        let path = PathText.join(home.bodiesPath, BodySpool.newName())
        try give(body, path)
        made.append(path)
        result[index].request.body?.path = path
      }
    } catch {
      for path in made { System.remove(path) }
      throw error
    }
    if let one = made.first { syncDirectory(of: one) }
    return result
  }

  /// Removes the bodies of jobs that were not added.
  static func discard(_ specifications: [JobSpecification]) {
    for case let body? in specifications.map(\.request.body) { System.remove(body.path) }
  }

  /// Returns the body with its present path, because the state directory may have been moved.
  static func located(_ body: RequestBody, in home: StateDirectory) -> RequestBody {
    let path = PathText.join(home.bodiesPath, body.name)
    guard path != body.path, System.isReadable(path) else { return body }
    return RequestBody(path: path, length: body.length, contentType: body.contentType)
  }

  static func remove(of job: Job, in home: StateDirectory) {
    guard let body = job.specification.request.body else { return }
    System.remove(PathText.join(home.bodiesPath, body.name))
  }

  /// Removes bodies that belong to no job, except those whose job is about to be added.
  /// - Parameter known: Returns the names that jobs use. Called after the directory was read.
  /// - Returns: The removed paths.
  static func sweep(_ home: StateDirectory, known: () async throws(Failure) -> Set<String>) async throws(Failure)
    -> [String]
  {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: home.bodiesPath)) ?? []).filter(isOurs)
    guard !names.isEmpty else { return [] }
    var removed: [String] = []
    var jobs = try await known()
    for name in names.sorted() where !jobs.contains(name) {
      let path = PathText.join(home.bodiesPath, name)
      guard let descriptor = try? System.open(path, [.both, .noFollow, .nonBlocking]) else { continue }
      defer { System.unlockAndClose(descriptor) }
      guard (try? System.tryLock(descriptor)) == true else { continue }
      // Ask again: a job may have been added, and its lock released, since the store was asked.
      jobs = try await known()
      if !jobs.contains(name), System.remove(path) { removed.append(path) }
    }
    return removed
  }

  /// Makes the names in the directory of `path` durable.
  static func syncDirectory(of path: String) { System.syncDirectory(PathText.directory(of: path)) }

  private static func isOurs(_ name: String) -> Bool {
    name.hasSuffix(".body") && UUID(uuidString: String(name.dropLast(5))) != nil
  }

  private static func give(_ body: RequestBody, _ path: String) throws(Failure) {
    if (try? System.link(body.path, to: path)) != nil { return }
    let copy = try SpoolFile(path: path + "~")
    try copy.append(BodyPiece(.file(body.path)))
    guard copy.length == body.length else {
      throw Failure(
        .file, body.path, "it has \(copy.length) bytes instead of \(body.length)",
        advice: "it was changed: try again")
    }
    try copy.sync()
    do throws(SystemError) { try System.rename(path + "~", to: path) } catch { throw error.spooling(path) }
  }
}
