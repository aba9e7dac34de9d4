// Caddy: HTTP/2 over TLS by default.

extension ServerKind {
  /// Caddy. Its `ETag` depends on the second and the length, and is the same for a compressed body.
  static let caddy = ServerKind(
    name: "caddy", program: "caddy", tags: .seconds, secureVersion: "2",
    places: Set(Place.allCases).subtracting([.forced, .slow]), prepare: Caddy.prepare)
}

private enum Caddy {
  @Sendable static func prepare(_ setup: ServerSetup) throws -> ServerStart {
    let site = """
        bind 127.0.0.1
        root * \(setup.site)
        basicauth /secret/* {
          ann \(HashedPassword.bcrypt)
        }
        respond /forbidden/* 403
        encode /packed/* gzip
        request_header /whole/* -Range
        header /whole/* Accept-Ranges none
        header /dated/* -Etag
        \(setup.redirects.map { "redir /to/\($0.name) \($0.location) 302" }.joined(separator: "\n  "))
        file_server /tree/* browse
        file_server
      """
    let secure = setup.tls.map { "https://:\(setup.securePort) {\n  tls \($0.certificate) \($0.key)\n\(site)\n}" }
    let file = try setup.write(
      """
      {
        admin off
        auto_https off
        servers {
          protocols h1 h2
        }
      }
      http://:\(setup.port) {
      \(site)
      }
      \(secure ?? "")

      """, to: "Caddyfile")
    return ServerStart(
      arguments: ["run", "--config", file, "--adapter", "caddyfile"],
      environment: ["XDG_DATA_HOME": setup.directory, "XDG_CONFIG_HOME": setup.directory])
  }
}
