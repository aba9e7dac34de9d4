// Completes requests of schemes that need more than a URL, from this machine's configuration; all such schemes are in
// one table.

public import FoundationEssentials

struct RequestAccess: Sendable {
  /// Adds what is stored with the request, unless the request already has it.
  var complete: @Sendable (TransferRequest, AccessOptions, [String: String]) throws(Failure) -> TransferRequest
  /// Adds the current keys, which are not stored, if the request needs any.
  var credentialed: @Sendable (TransferRequest) throws(Failure) -> TransferRequest

  /// The table, by the ability that a scheme has.
  fileprivate static let table: [(ability: Scheme.Ability, access: RequestAccess)] = [(.signature, S3Access.access)]
}

extension TransferRequest {
  /// Returns the request with everything that its scheme needs besides the URL: the server, and how to sign. Requests
  /// of most schemes stay as they are. It reads files.
  /// - Throws: Kind `usage` if options, variables or files lack something that is needed.
  public func completed(
    _ options: AccessOptions = AccessOptions(), environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(Failure) -> TransferRequest {
    let abilities = Scheme(url)?.abilities ?? []
    var request = self
    for (ability, access) in RequestAccess.table where abilities.contains(ability) {
      request = try access.complete(request, options, environment)
    }
    return request
  }

  /// Returns the request with its keys, which are not stored with a job; reads files.
  func credentialed() throws(Failure) -> TransferRequest {
    var request = self
    // Do not select by scheme, because a completed request may already have the HTTP URL for which its `s3` URL stands.
    for (_, access) in RequestAccess.table { request = try access.credentialed(request) }
    return request
  }
}
