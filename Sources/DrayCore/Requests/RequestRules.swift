// What a scheme that is asked over HTTP makes of requests and answers beyond HTTP's own rules: one table.

/// What is special about requests of one scheme.
public struct RequestRules: Sendable {
  /// The URL that is asked for a request.
  var address: @Sendable (TransferRequest) -> RequestURL
  /// What an answer means beyond HTTP alone; `nil` for any other. The text is the URL for messages.
  var failure: @Sendable (TransferRequest, ResponseHead, String) -> Failure?

  /// The schemes that have any.
  private static let table: [(scheme: Scheme, rules: RequestRules)] = [(.s3, S3Address.rules)]

  fileprivate static func of(_ url: RequestURL) -> RequestRules? {
    table.first { $0.scheme.name == url.scheme }?.rules
  }
}

extension TransferRequest {
  /// The URL that is asked: the one of the job, or what it stands for.
  public var address: RequestURL { RequestRules.of(url)?.address(self) ?? url }

  /// What the head of an answer means to a request of this scheme, where HTTP alone does not say.
  /// - Parameter subject: the URL that answered, without secrets.
  public func failure(on head: ResponseHead, subject: String) -> Failure? {
    // An https URL may be signed as well.
    let rules = RequestRules.of(url) ?? (signature == nil ? nil : S3Address.rules)
    return rules?.failure(self, head, subject)
  }
}
