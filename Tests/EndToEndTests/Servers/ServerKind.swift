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
    /// Made of length and second alone: a file of the same length in the same second keeps it.
    case seconds
    /// Another file has another one, whatever its length and time.
    case fine
  }

  let name: String
  /// The program, as `toolPath` finds it.
  let program: String
  var scheme = "http"
  /// Whether parts are served.
  var servesRanges = true
  var tags = Tags.fine
  /// The highest version of HTTP over TLS, as `dray info --json` has it; nil if there is no TLS.
  var secureVersion: String?
  /// The prefixes of the site that it knows to treat as their names say.
  var places: Set<Place> = []
  /// The kind of the origin server, for a caching proxy.
  var origin: @Sendable () -> ServerKind? = { nil }
  /// Whether a `--no-cache` is needed to get past what it has kept.
  var keeps: Bool { origin() != nil }

  /// Writes its configuration and returns its command line.
  let prepare: @Sendable (ServerSetup) throws -> ServerStart

  var testDescription: String { name }

  /// Parts of the site where something special is done. Each is a directory of that name.
  enum Place: String, Sendable, CaseIterable {
    /// The user ann with her password, by Basic.
    case secret
    /// Forbidden to everybody.
    case forbidden
    /// Texts are compressed on request.
    case packed
    /// Texts are sent compressed, whatever the request says.
    case forced
    /// No ranges are served, and `Accept-Ranges: none` says so.
    case whole
    /// No `ETag` is sent.
    case dated
    /// Redirects: `path`, `absolute`, `secure`, `elsewhere`, each to `/file` of this server or the other one.
    case to
    /// The most that one connection gets is 1 MiB/s.
    case slow
    /// Directories have index pages.
    case tree
  }

  /// All that speak HTTP.
  static let http: [ServerKind] = [.nginx, .apache, .lighttpd, .caddy, .python, .squid, .nginxCache]

  /// The kinds that serve TLS.
  static let secure = http.filter { $0.secureVersion != nil }

  /// The kinds that have `place`.
  static func with(_ place: Place) -> [ServerKind] { http.filter { $0.places.contains(place) } }
}

/// The values of a configuration.
struct ServerSetup: Sendable {
  /// The password of ann only.
  static let password = "s3cret"

  /// Its own directory.
  let directory: String
  /// The directory that it serves; the origin's, for one that passes on.
  let site: String
  let port: Int
  /// The port for TLS.
  let securePort: Int
  /// Certificate and key, where TLS is wanted.
  let tls: (certificate: String, key: String)?
  /// The authority of the clients' certificates, where these are wanted.
  let clients: String?
  /// Bytes a second of each connection, in nginx's words.
  let rate: String?
  /// Where `/to/elsewhere` leads, without the path.
  let elsewhere: String?
  /// The port of its origin server.
  let originPort: Int?

  /// Writes a file of its directory and gives the path.
  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
    return "\(directory)/\(name)"
  }

  /// Where `/to/…` lead, by the last part of their path.
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
