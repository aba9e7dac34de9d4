// nginx: the reference for the other servers.

import Foundation

extension ServerKind {
  /// nginx as one process. Its `ETag` depends on the second and the length.
  static let nginx = ServerKind(
    name: "nginx", program: "nginx", tags: .seconds, secureVersion: "2", places: Set(Place.allCases)
  ) { try Nginx.prepare($0, locations: Nginx.places($0)) }
}

/// The configuration of nginx, with or without a cache.
enum Nginx {
  /// A line of its access log.
  struct Entry: Sendable {
    let status: Int
    let range: String
    let sent: Int64
    let version: String
    let uri: String
    /// The number of its connection.
    let connection: Int
  }

  static func prepare(_ setup: ServerSetup, http: String = "", locations: String) throws -> ServerStart {
    let directory = setup.directory
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(directory)/\($0);" }.joined(separator: "\n  ")
    let secure = setup.tls.map { tls in
      "listen 127.0.0.1:\(setup.securePort) ssl http2; ssl_certificate \(tls.certificate); ssl_certificate_key \(tls.key);"
    }
    let file = try setup.write(
      """
      daemon off; master_process off; pid \(directory)/pid; error_log \(directory)/error.log;
      events { worker_connections 512; }
      http {
        \(temporary)
        log_format plain '$status|$http_range|$body_bytes_sent|$server_protocol|$connection|$uri';
        access_log \(directory)/log plain;
        types { text/plain txt; text/html html; } default_type application/octet-stream;
        \(setup.rate.map { "limit_rate \($0);" } ?? "")
        \(http)
        server {
          listen 127.0.0.1:\(setup.port); root \(setup.site);
          \(secure ?? "")
          \(setup.clients.map { "ssl_client_certificate \($0); ssl_verify_client on;" } ?? "")
          \(locations)
        }
      }
      """, to: "nginx.conf")
    return ServerStart(arguments: ["-p", directory, "-c", file, "-e", directory + "/error.log"])
  }

  fileprivate static func places(_ setup: ServerSetup) throws -> String {
    let users = try setup.write(HashedPassword.sha + "\n", to: "users")
    return """
      location /secret/ { auth_basic here; auth_basic_user_file \(users); }
      location /forbidden/ { deny all; }
      location /packed/ { gzip on; gzip_min_length 1; gzip_types text/plain; }
      location /forced/ { gzip_static always; }
      location /whole/ { max_ranges 0; add_header Accept-Ranges none; }
      location /dated/ { etag off; }
      location /slow/ { limit_rate 1m; }
      location /tree/ { autoindex on; }
      location /json/ { alias \(setup.site)/tree/; autoindex on; autoindex_format json; }
      \(setup.redirects.map { "location = /to/\($0.name) { return 302 \($0.location); }" }.joined(separator: "\n"))
      location /hsts/ { add_header Strict-Transport-Security "max-age=86400" always; }
      location /hsts-off/ { add_header Strict-Transport-Security "max-age=0" always; }
      """
  }
}

extension RealServer {
  /// The log of nginx so far; a line appears when an answer ends.
  var entries: [Nginx.Entry] {
    log.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 6, let status = Int(parts[0]), let sent = Int64(parts[2]), let connection = Int(parts[4])
      else { return nil }
      return Nginx.Entry(
        status: status, range: parts[1], sent: sent, version: parts[3], uri: parts[5], connection: connection)
    }
  }
}

/// The user ann with `ServerSetup.password`, in the formats of servers' password files.
enum HashedPassword {
  /// In the format of `htpasswd -s`.
  static let sha = "ann:{SHA}/vNB+F2HQ559kaLUZbmHHvZrXpg="
  /// The hash alone, by bcrypt with its lowest cost.
  static let bcrypt = "$2y$04$b57fQwzmCgTcxjO0.97rWe.6nEc69sYM2wXRaTjmCZjWTFNB0Yb/G"
}
