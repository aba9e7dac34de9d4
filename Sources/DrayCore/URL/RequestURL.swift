// The URL of a request in normal form, without user name and password.

/// A URL in the form that libcurl uses without a change: ASCII, scheme and host in lowercase, no default port, no
/// fragment, and a path that begins with `/` and has no dot segments (RFC 3986 §6.2.2).
///
/// The value never contains a user name or password. Parsing returns these separately, so that code that stores or
/// prints a URL cannot leak them. Secrets in the query remain, because the server needs them; ``description`` hides
/// them.
public struct RequestURL: Hashable, Sendable {
  /// The whole URL for the request. Use ``description`` for display.
  public let string: String
  /// The ends of the parts, as UTF-8 offsets in ``string``.
  private let hostStart, hostEnd, pathStart, pathEnd: Int

  /// Joins parts that are already normalised.
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

  /// Reads a URL that already has the normal form of ``string``: http or https, with a host of letters, digits, dots
  /// and hyphens. Returns `nil` in case of doubt; the caller then uses ``parse(_:)``.
  public init?(normalized text: String) {
    var copy = text
    let offsets: (Int, Int, Int, Int)? = copy.withUTF8 { bytes in
      let isSecure = bytes.starts(with: "https://".utf8)
      guard isSecure || bytes.starts(with: "http://".utf8), bytes.count <= RequestURL.longest else { return nil }
      let host = isSecure ? 8 : 7
      var index = host
      while index < bytes.count, RequestURL.isPlainInHost(bytes[index]) { index += 1 }
      let hostEnd = index
      guard hostEnd > host else { return nil }
      if index < bytes.count, bytes[index] == UInt8(ascii: ":") {
        index += 1
        while index < bytes.count, bytes[index].isDigit { index += 1 }
        guard (2...6).contains(index - hostEnd) else { return nil }
      }
      let path = index
      guard path < bytes.count, bytes[path] == UInt8(ascii: "/") else { return nil }
      var query = bytes.count
      while index < bytes.count {
        let byte = bytes[index]
        if byte == UInt8(ascii: "?"), query == bytes.count {
          query = index
        } else if !PercentEncoding.query.contains(byte), byte != UInt8(ascii: "%") {
          return nil
        } else if query == bytes.count, byte == UInt8(ascii: "."), bytes[index - 1] == UInt8(ascii: "/") {
          return nil  // It may be a dot segment.
        }
        index += 1
      }
      return (host, hostEnd, path, query)
    }
    guard let offsets else { return nil }
    (hostStart, hostEnd, pathStart, pathEnd) = offsets
    string = text
  }

  /// Reads a typed URL that has the same server as `other` and is already in normal form. Most lines of a long list
  /// have such URLs. Returns `nil` in case of doubt; the caller then uses ``parse(_:)``.
  public init?(_ typed: some Collection<UInt8>, at other: RequestURL) {
    let found: Int?? = typed.withContiguousStorageIfAvailable { bytes in
      let (server, count) = (other.pathStart, bytes.count)
      guard count > server, count <= RequestURL.longest, bytes[server] == UInt8(ascii: "/"),
        other.string.hasPrefix("http"), bytes.starts(with: other.string.utf8.prefix(server))
      else { return nil }
      var query = count
      for index in server..<count {
        let byte = bytes[index]
        if byte == UInt8(ascii: "?"), query == count {
          query = index
        } else if query == count {
          // A dot after a slash may be a dot segment.
          guard PercentEncoding.path.contains(byte),
            byte != UInt8(ascii: ".") || bytes[index - 1] != UInt8(ascii: "/")
          else { return nil }
        } else if !PercentEncoding.query.contains(byte) {
          return nil
        }
      }
      return query
    }
    guard let pathEnd = found.flatMap(\.self) else { return nil }
    (hostStart, hostEnd, pathStart, self.pathEnd) = (other.hostStart, other.hostEnd, other.pathStart, pathEnd)
    string = String(decoding: typed, as: UTF8.self)
  }

  private static func isPlainInHost(_ byte: UInt8) -> Bool {
    byte.isDigit || byte &- 0x61 < 26 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
  }

  /// The scheme, lowercase: one of ``Scheme``.
  public var scheme: String { slice(0, hostStart - 3) }
  /// The host in lowercase ASCII. An IPv6 address is in brackets. Empty for a local file; the bucket for `s3`.
  public var host: String { slice(hostStart, hostEnd) }
  /// The port, unless it is the scheme's default.
  public var port: Int? { hostEnd < pathStart ? Int(slice(hostEnd + 1, pathStart)) : nil }
  /// The origin to which the URL's secrets belong.
  public var origin: Origin {
    Origin(scheme: scheme, host: host, port: port ?? Origin.defaultPort(of: scheme))
  }
  /// The percent-encoded path; at least `/`.
  public var path: String { slice(pathStart, pathEnd) }
  /// The percent-encoded text after `?`; `nil` without a `?`.
  public var query: String? {
    pathEnd < string.utf8.count ? slice(pathEnd + 1, string.utf8.count) : nil
  }

  /// Whether both URLs have the same scheme, host and port.
  public func isAtServer(of other: RequestURL) -> Bool {
    pathStart == other.pathStart && string.utf8.prefix(pathStart).elementsEqual(other.string.utf8.prefix(pathStart))
  }

  /// This URL without its query.
  public var withoutQuery: RequestURL {
    RequestURL(scheme: scheme, host: host, port: port, path: Array(path.utf8), query: nil)
  }

  private func slice(_ start: Int, _ end: Int) -> String {
    let bytes = string.utf8
    return String(string[bytes.index(bytes.startIndex, offsetBy: start)..<bytes.index(bytes.startIndex, offsetBy: end)])
  }

  /// Whether both URLs have the same text.
  public static func == (one: RequestURL, other: RequestURL) -> Bool { one.string == other.string }

  /// Hashes the URL.
  public func hash(into hasher: inout Hasher) { hasher.combine(string) }
}

extension RequestURL: CustomStringConvertible, CustomDebugStringConvertible {
  /// The URL for display: secrets in the query are shown as `…` (P7).
  public var description: String { URLRedaction.redacted(string) }
  /// The same as ``description``.
  public var debugDescription: String { description }
}

extension RequestURL: Codable {
  /// Decodes a string and checks it like a typed URL.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = try RequestURL.parse(try container.decode(String.self)).url
    } catch let error as URLParseError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  /// Encodes a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}
