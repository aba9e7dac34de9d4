/// The body of a request, spooled to a file of known length so that it can be sent more than once.
public struct RequestBody: Sendable, Equatable, Codable {
  /// The absolute path of the file with the encoded body.
  public var path: String
  /// The length in bytes.
  public var length: Int64
  /// The `Content-Type`; `nil` sends no type.
  public var contentType: String?

  /// The name of the file.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Creates a body.
  public init(path: String, length: Int64, contentType: String?) {
    self.path = path
    self.length = length
    self.contentType = contentType
  }
}
