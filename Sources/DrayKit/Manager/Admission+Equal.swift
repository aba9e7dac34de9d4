// Recognises existing targets that are up to date although no job knows them, because their jobs were forgotten.

internal import DrayEngine
internal import DrayStore
internal import Threads

/// An existing target that no job knows, compared with the server's file.
package enum PresentTarget: Sendable, Equatable {
  /// The target equals the server's file.
  case upToDate(path: String)
  /// The target has the same length as the server's file. Only a comparison of the bytes can tell whether the two are
  /// equal.
  case sameLength(Int64)
}

extension DownloadManager {
  /// Compares the target of a download with the server's file, unless a job knows the target. If a digest is given,
  /// nothing else matters. Otherwise the length and the time decide, and the server is asked for them.
  ///
  /// If only the server can name the target, the comparison is made when the server answers. A file that several images
  /// or snapshots share is left to ``admit(_:marks:entering:)``, which also makes the links and entries that lead to
  /// it.
  /// - Parameter hosts: Additional settings for requests to some hosts.
  /// - Returns: `nil` if there is no such target, or if its file differs from the server's.
  /// - Throws: Kind `store`. It is no failure if the server does not answer.
  package func presentTarget(of specification: JobSpecification, hosts: HostRules = HostRules()) async throws(Failure)
    -> PresentTarget?
  {
    let request = specification.request
    guard let name = specification.output, request.isSafe, request.method == "GET", specification.arrangements.isEmpty,
      try await store.find(specification.key).map(\.state) ?? .failed == .failed
    else { return nil }
    try await shares?.lookAtAll()
    let local = try await executor.run { [destinations] () async throws(Failure) -> LocalTarget? in
      guard let destination = try destinations.check(specification.place),
        let size = try destination.identity(of: name)?.size,
        try Conflict.mayBeEqual(specification, at: name, in: destination, size: size)
      else { return nil }
      let path = PathText.join(destination.path, name)
      guard let digest = specification.options.digest else {
        return LocalTarget(destination: destination, path: path, size: size, isProved: false)
      }
      guard let file = try? destination.openTarget(name),
        try FileHashing.digest(digest.algorithm, file, size, { false }) == digest
      else { return nil }
      return LocalTarget(destination: destination, path: path, size: size, isProved: true)
    }
    guard let local else { return nil }
    if local.isProved { return .upToDate(path: local.path) }
    guard let report = try? await DownloadManager.probe(request, knowing: self, hosts: hosts),
      report.facts.size == local.size
    else { return nil }
    // The attempt judges the file; a matching time is not enough for it.
    if FileDemands.judgeMore(specification, length: local.size) { return .sameLength(local.size) }
    let head = report.response.head
    let isEqual = try await executor.run { () throws(Failure) in
      try Conflict.hasServersTime(specification, at: name, in: local.destination, head, now: WallClock.now())
    }
    return isEqual ? .upToDate(path: local.path) : .sameLength(local.size)
  }

  /// A file that may be equal to the server's.
  private struct LocalTarget: Sendable {
    var destination: any Destination
    var path: String
    var size: Int64
    /// Whether the file has the digest that was given.
    var isProved: Bool
  }
}
