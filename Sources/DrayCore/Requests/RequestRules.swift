// The table of schemes that use HTTP in a special way.

/// How requests of a scheme differ from plain HTTP.
public struct RequestRules: Sendable {
  var address: @Sendable (TransferRequest) -> RequestURL
  /// Returns the failure of an answer, if the scheme has more rules than HTTP; `nil` if no such rule applies. The text
  /// is the URL for messages.
  var failure: @Sendable (TransferRequest, ResponseHead, String) -> Failure?

  private static let table: [(scheme: Scheme, rules: RequestRules)] = [(.s3, S3Address.rules)]

  fileprivate static func of(_ url: RequestURL) -> RequestRules? {
    table.first { $0.scheme.name == url.scheme }?.rules
  }
}

extension TransferRequest {
  /// The URL to request: the job's URL, or what the scheme's rules make of it.
  public var address: RequestURL { RequestRules.of(url)?.address(self) ?? url }

  /// Returns the failure of an answer by the special rules of the URL's scheme; `nil` if none applies.
  /// - Parameter subject: The URL that answered, without secrets.
  public func failure(on head: ResponseHead, subject: String) -> Failure? {
    // Requests for https URLs may be signed for S3, too.
    let rules = RequestRules.of(url) ?? (signature == nil ? nil : S3Address.rules)
    return rules?.failure(self, head, subject)
  }
}
