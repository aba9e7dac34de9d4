// Completes requests of schemes that need more than a URL, by this machine's configuration. All such schemes are in one
// table.

internal import FoundationEssentials

struct RequestAccess: Sendable {
  /// Adds the values that are stored with the request, unless the request already has them.
  var complete: @Sendable (TransferRequest, AccessOptions, [String: String]) throws(Failure) -> TransferRequest
  /// Adds the current keys if the request needs keys; these are not stored.
  var credentialed: @Sendable (TransferRequest) throws(Failure) -> TransferRequest

  /// The table of access rules, by the ability that a scheme has.
  fileprivate static let table: [(ability: Scheme.Ability, access: RequestAccess)] = [(.signature, S3Access.access)]
}

extension TransferRequest {
  /// Returns the request with all values that its scheme needs besides the URL: the server, and how to sign. Requests
  /// of most schemes are returned unchanged. The call reads files.
  /// - Throws: Kind `usage` if options, variables or files lack something that is needed.
  package func completed(
    _ options: AccessOptions = AccessOptions(), environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(Failure) -> TransferRequest {
    let abilities = Scheme(url)?.abilities ?? []
    var request = self
    for (ability, access) in RequestAccess.table where abilities.contains(ability) {
      request = try access.complete(request, options, environment)
    }
    return request
  }

  /// Returns the request with its keys, which are not stored with a job. The call reads files.
  func credentialed() throws(Failure) -> TransferRequest {
    var request = self
    // Do not select by scheme: a completed request may already have the HTTP URL that its `s3` URL stands for.
    for (_, access) in RequestAccess.table { request = try access.credentialed(request) }
    return request
  }
}
