// The URL of a request, in one normal form, and without any user name or password in it.

/// A URL that libcurl can be given as it stands: ASCII, scheme and host in lower case, no default port, no
/// fragment, a path that begins with `/` and has no dot segments (RFC 3986 §6.2.2).
///
/// A user name and password never are part of it: parsing hands them back apart, so that whatever stores or prints
/// the URL cannot leak them. Secrets in its query remain, as the server needs them; ``description`` hides those.
public struct RequestURL: Hashable, Sendable {
  /// The whole URL, for the request. For people there is ``description``.
  public let string: String
  /// UTF-8 offsets into ``string``.
  private let hostStart, hostEnd, pathStart, pathEnd: Int

  /// Joins parts that are normalised already.
  init(scheme: String, host: String, port: Int?, path: [UInt8], query: [UInt8]?) {
    var text = "\(scheme)://\(host)"
    hostStart = scheme.utf8.count + 3
    hostEnd = text.utf8.count
    if let port, port != Origin.defaultPort(of: scheme) { text += ":\(port)" }
    pathStart = text.utf8.count
    text += String(decoding: path, as: UTF8.self)
    pathEnd = text.utf8.count
    if let query { text += "?" + String(decoding: query, as: UTF8.self) }
    string = text
  }

  /// The scheme, in lower case: one of ``Scheme``.
  public var scheme: String { slice(0, hostStart - 3) }
  /// The host in lower-case ASCII; an IPv6 address is in brackets. Empty for a file of this machine; the bucket of `s3`.
  public var host: String { slice(hostStart, hostEnd) }
  /// The port, if it is not the scheme's own.
  public var port: Int? { hostEnd < pathStart ? Int(slice(hostEnd + 1, pathStart)) : nil }
  /// Whom its secrets belong to.
  public var origin: Origin {
    Origin(scheme: scheme, host: host, port: port ?? Origin.defaultPort(of: scheme))
  }
  /// The path, percent-encoded; at least `/`.
  public var path: String { slice(pathStart, pathEnd) }
  /// What follows `?`, percent-encoded; `nil` where there is no `?`.
  public var query: String? {
    pathEnd < string.utf8.count ? slice(pathEnd + 1, string.utf8.count) : nil
  }

  private func slice(_ start: Int, _ end: Int) -> String {
    let bytes = string.utf8
    return String(string[bytes.index(bytes.startIndex, offsetBy: start)..<bytes.index(bytes.startIndex, offsetBy: end)])
  }

  /// Whether both are the same URL.
  public static func == (one: RequestURL, other: RequestURL) -> Bool { one.string == other.string }

  /// Hashes the URL.
  public func hash(into hasher: inout Hasher) { hasher.combine(string) }
}

extension RequestURL: CustomStringConvertible, CustomDebugStringConvertible {
  /// The URL for people: secrets in its query show as `…` (P7).
  public var description: String { URLRedaction.redacted(string) }
  /// The same as ``description``.
  public var debugDescription: String { description }
}

extension RequestURL: Codable {
  /// Reads one string, and checks it as if it had been typed.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = try RequestURL.parse(try container.decode(String.self)).url
    } catch let error as URLParseError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  /// Writes one string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}
