// A kind of real server: its program, its configuration, its abilities. One file per server.

import FaultServer
import Foundation
import Testing

/// A kind of server from Debian, and its deviations. Everything else follows the standards.
struct ServerKind: Sendable, CustomTestStringConvertible {
  /// The resolution of an `ETag`.
  enum Tags: Sendable {
    /// None is sent.
    case none
    /// Made of length and second only: a file of the same length in the same second has the same tag.
    case seconds
    /// Different for each file, even with equal length and time.
    case fine
  }

  let name: String
  /// The program, by its name for `toolPath`.
  let program: String
  var scheme = "http"
  /// Whether parts are served.
  var servesRanges = true
  var tags = Tags.fine
  /// The highest version of HTTP over TLS, in the form of `dray info --json`; nil without TLS.
  var secureVersion: String?
  /// The special directories of the site that the server supports.
  var places: Set<Place> = []
  /// The kind of the origin server, for a caching proxy.
  var origin: @Sendable () -> ServerKind? = { nil }
  /// Whether only `--no-cache` gets past its cached copy.
  var keeps: Bool { origin() != nil }

  /// Writes its configuration and returns its command line.
  let prepare: @Sendable (ServerSetup) throws -> ServerStart

  var testDescription: String { name }

  /// Directories of the site with special behaviour, named after it.
  enum Place: String, Sendable, CaseIterable {
    /// Requires Basic credentials of the user ann.
    case secret
    /// Forbidden to everybody.
    case forbidden
    /// Texts are compressed on request.
    case packed
    /// Texts are sent compressed, even if the request does not accept that.
    case forced
    /// No ranges are served, and `Accept-Ranges: none` says so.
    case whole
    /// No `ETag` is sent.
    case dated
    /// Redirects: `path`, `absolute`, `secure`, `elsewhere`, each to `/file` of this server or the other one.
    case to
    /// Each connection gets at most 1 MiB/s.
    case slow
    /// Directories have index pages.
    case tree
  }

  /// All kinds that speak HTTP.
  static let http: [ServerKind] = [.nginx, .apache, .lighttpd, .caddy, .python, .squid, .nginxCache]

  /// The kinds that serve TLS.
  static let secure = http.filter { $0.secureVersion != nil }

  /// The kinds that support `place`.
  static func with(_ place: Place) -> [ServerKind] { http.filter { $0.places.contains(place) } }
}

/// The values for a configuration.
struct ServerSetup: Sendable {
  /// The password of ann, the only user.
  static let password = "s3cret"

  /// The server's own directory.
  let directory: String
  /// The served directory; for a proxy, the origin's.
  let site: String
  let port: Int
  /// The port for TLS.
  let securePort: Int
  /// Certificate and key, for TLS.
  let tls: (certificate: String, key: String)?
  /// The authority of client certificates, if these are required.
  let clients: String?
  /// Bytes a second of each connection, in nginx's form.
  let rate: String?
  /// The destination of `/to/elsewhere`, without the path.
  let elsewhere: String?
  /// The port of its origin server.
  let originPort: Int?

  /// Writes a file into the server's directory and returns its path.
  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
    return "\(directory)/\(name)"
  }

  /// The destinations of `/to/…`, by the last part of their path.
  var redirects: [(name: String, location: String)] {
    [
      ("path", "/file"), ("absolute", "http://127.0.0.1:\(port)/file"),
      ("secure", "https://127.0.0.1:\(securePort)/file"), ("elsewhere", "\(elsewhere ?? "")/file"),
    ]
  }
}

/// How a server is started.
struct ServerStart: Sendable {
  var arguments: [String]
  var environment: [String: String] = [:]
}
