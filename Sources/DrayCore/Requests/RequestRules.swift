// The table of schemes whose requests differ from plain HTTP.

/// The differences between requests of a scheme and plain HTTP.
package struct RequestRules: Sendable {
  var address: @Sendable (TransferRequest) -> RequestURL
  /// Returns the failure of an answer if the scheme has a rule for it that plain HTTP does not have; otherwise `nil`.
  /// The last parameter is the URL for messages.
  var failure: @Sendable (TransferRequest, ResponseHead, String) -> Failure?

  private static let table: [(scheme: Scheme, rules: RequestRules)] = [(.s3, S3Address.rules)]

  fileprivate static func of(_ url: RequestURL) -> RequestRules? {
    table.first { $0.scheme.name == url.scheme }?.rules
  }
}

extension TransferRequest {
  /// The URL to request: the job's URL, or the URL into which the scheme's rules convert it.
  public var address: RequestURL { RequestRules.of(url)?.address(self) ?? url }

  /// Returns the failure of an answer by the special rules of the URL's scheme; `nil` if no such rule applies.
  /// - Parameter subject: The URL that answered, without secrets.
  package func failure(on head: ResponseHead, subject: String) -> Failure? {
    // Requests for https URLs may be signed for S3, too.
    let rules = RequestRules.of(url) ?? (signature == nil ? nil : S3Address.rules)
    return rules?.failure(self, head, subject)
  }
}
