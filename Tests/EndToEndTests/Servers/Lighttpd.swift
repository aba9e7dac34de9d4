// lighttpd.

extension ServerKind {
  /// lighttpd. Its `ETag` depends on length, second and inode; it ignores `If-Match`.
  static let lighttpd = ServerKind(
    name: "lighttpd", program: "lighttpd", secureVersion: "2", places: Set(Place.allCases).subtracting([.forced]),
    prepare: Lighttpd.prepare)
}

private enum Lighttpd {
  @Sendable static func prepare(_ setup: ServerSetup) throws -> ServerStart {
    let users = try setup.write("ann:\(ServerSetup.password)\n", to: "users")
    let secure = setup.tls.map { tls in
      """
      $SERVER["socket"] == "127.0.0.1:\(setup.securePort)" {
        ssl.engine = "enable"
        ssl.pemfile = "\(tls.certificate)"
        ssl.privkey = "\(tls.key)"
      }
      """
    }
    let file = try setup.write(
      """
      server.modules = ("mod_access", "mod_auth", "mod_authn_file", "mod_redirect", "mod_deflate", "mod_setenv",
        "mod_openssl", "mod_dirlisting")
      server.document-root = "\(setup.site)"
      server.bind = "127.0.0.1"
      server.port = \(setup.port)
      # Otherwise it serves the old file for two more seconds: a whole version, but tests would wait.
      server.stat-cache-engine = "disable"
      server.errorlog = "\(setup.directory)/error.log"
      index-file.names = ("index.html")
      mimetype.assign = (".txt" => "text/plain", ".html" => "text/html", "" => "application/octet-stream")
      auth.backend = "plain"
      auth.backend.plain.userfile = "\(users)"
      \(secure ?? "")
      $HTTP["url"] =^ "/secret/" {
        auth.require = ("" => ("method" => "basic", "realm" => "here", "require" => "valid-user"))
      }
      $HTTP["url"] =^ "/forbidden/" { url.access-deny = ("") }
      $HTTP["url"] =^ "/packed/" {
        deflate.mimetypes = ("text/")
        deflate.allowed-encodings = ("gzip")
      }
      $HTTP["url"] =^ "/whole/" {
        server.range-requests = "disable"
        setenv.add-response-header = ("Accept-Ranges" => "none")
      }
      $HTTP["url"] =^ "/dated/" {
        etag.use-inode = "disable"
        etag.use-mtime = "disable"
        etag.use-size = "disable"
      }
      $HTTP["url"] =^ "/tree/" { dir-listing.activate = "enable" }
      $HTTP["url"] =^ "/slow/" { connection.kbytes-per-second = 1024 }
      url.redirect = (\(setup.redirects.map { "\"^/to/\($0.name)$\" => \"\($0.location)\"" }.joined(separator: ", ")))
      url.redirect-code = 302
      """, to: "lighttpd.conf")
    return ServerStart(arguments: ["-D", "-f", file])
  }
}
