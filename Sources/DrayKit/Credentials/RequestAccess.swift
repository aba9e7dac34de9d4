// What the requests of some schemes need in addition to their URLs, and find on this machine: one table.

public import FoundationEssentials

/// Options for what requests of some schemes need in addition to their URLs.
public struct AccessOptions: Sendable, Equatable {
  /// Those for S3.
  public var s3: S3Options

  /// Without options, all is left to the environment.
  public init(s3: S3Options = S3Options()) { self.s3 = s3 }
}

/// How requests get what their scheme needs.
struct RequestAccess: Sendable {
  /// Adds what is kept with the request, unless it was added before.
  var complete: @Sendable (TransferRequest, AccessOptions, [String: String]) throws(Failure) -> TransferRequest
  /// Adds what is not kept, as it is now; a request that needs nothing comes back as it is.
  var credentialed: @Sendable (TransferRequest) throws(Failure) -> TransferRequest

  /// By what the rows of schemes say that they have.
  fileprivate static let table: [(ability: Scheme.Ability, access: RequestAccess)] = [(.signature, S3Access.access)]
}

extension TransferRequest {
  /// The request with what its scheme needs in addition to the URL: where to ask, and how to sign. Of most schemes it comes back
  /// as it is. Reads files.
  /// - Throws: kind `usage` for options, variables or files that do not have it.
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

  /// The request with the keys that are not kept with a job, as they are now. Reads files.
  func credentialed() throws(Failure) -> TransferRequest {
    var request = self
    // Not by scheme: a request that was completed may have been moved to the URL that its own stands for.
    for (_, access) in RequestAccess.table { request = try access.credentialed(request) }
    return request
  }
}
