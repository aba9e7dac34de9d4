// The body of a request: always one spooled file of a known length, so that it can be sent again from its start.

/// A body that has been spooled.
public struct RequestBody: Sendable, Equatable, Codable {
  /// The absolute path of its file, encoded as it is sent.
  public var path: String
  /// Its length in bytes.
  public var length: Int64
  /// The `Content-Type`; `nil` sends none.
  public var contentType: String?

  /// The name of its file.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Makes a body.
  public init(path: String, length: Int64, contentType: String?) {
    self.path = path
    self.length = length
    self.contentType = contentType
  }
}
