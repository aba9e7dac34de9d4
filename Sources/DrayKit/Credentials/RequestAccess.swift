// Completes requests of schemes that need more than a URL, from this machine's configuration. The schemes are in one
// table.

public import FoundationEssentials

struct RequestAccess: Sendable {
  /// Adds fields that are stored with the request, unless the request has them.
  var complete: @Sendable (TransferRequest, AccessOptions, [String: String]) throws(Failure) -> TransferRequest
  /// Adds the current keys, which are not stored. Leaves a request unchanged if it needs no keys.
  var credentialed: @Sendable (TransferRequest) throws(Failure) -> TransferRequest

  /// By the ability of a scheme.
  fileprivate static let table: [(ability: Scheme.Ability, access: RequestAccess)] = [(.signature, S3Access.access)]
}

extension TransferRequest {
  /// Returns the request with everything that its scheme needs besides the URL: the server, and how to sign. Requests
  /// of most schemes stay unchanged. Reads files.
  /// - Throws: Kind `usage` if options, variables or files lack something required.
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

  /// The keys are not stored with a job. Reads files.
  func credentialed() throws(Failure) -> TransferRequest {
    var request = self
    // Do not select by scheme: a completed request may already have the HTTP URL that its `s3` URL stands for.
    for (_, access) in RequestAccess.table { request = try access.credentialed(request) }
    return request
  }
}
