// The table of rules for schemes that use HTTP in a special way.

/// The special rules for the requests of a scheme.
public struct RequestRules: Sendable {
  var address: @Sendable (TransferRequest) -> RequestURL
  /// The meaning of an answer beyond HTTP's; `nil` without one. The text is the URL for messages.
  var failure: @Sendable (TransferRequest, ResponseHead, String) -> Failure?

  private static let table: [(scheme: Scheme, rules: RequestRules)] = [(.s3, S3Address.rules)]

  fileprivate static func of(_ url: RequestURL) -> RequestRules? {
    table.first { $0.scheme.name == url.scheme }?.rules
  }
}

extension TransferRequest {
  /// The URL to request: the job's URL, or its address by the scheme's rules.
  public var address: RequestURL { RequestRules.of(url)?.address(self) ?? url }

  /// Returns the failure of an answer by the rules of the URL's scheme, beyond HTTP's.
  /// - Parameter subject: The URL that answered, without secrets.
  public func failure(on head: ResponseHead, subject: String) -> Failure? {
    // Requests for https URLs may be signed, too.
    let rules = RequestRules.of(url) ?? (signature == nil ? nil : S3Address.rules)
    return rules?.failure(self, head, subject)
  }
}
