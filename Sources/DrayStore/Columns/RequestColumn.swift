internal import DrayCore

/// Encodes the column of a request. The URL is left out, because it has a separate column.
struct RequestColumn {
  /// Replaces the URL in the JSON.
  private static let placeholder = Result { try RequestURL.parse("http://url.invalid/").url }
  private var column = JSONColumn<TransferRequest>()

  mutating func encode(_ request: TransferRequest) throws -> String {
    var rest = request
    rest.url = try Self.placeholder.get()
    return try column.encode(rest)
  }

  mutating func decode(_ text: String, url: RequestURL) throws -> TransferRequest {
    var request = try column.decode(text)
    request.url = url
    return request
  }
}
