// Apache: one process with threads (`-X`), because its children would outlive a killed parent.

import Foundation

extension ServerKind {
  /// Apache httpd. Its `ETag` is made of the length and the microsecond; the one of a compressed body ends in `-gzip`.
  static let apache = ServerKind(
    name: "apache", program: "apache2", secureVersion: "2",
    places: Set(Place.allCases), prepare: Apache.prepare)
}

private enum Apache {
  static let modules = [
    "mpm_event", "authz_core", "authz_user", "authn_core", "authn_file", "auth_basic", "dir", "mime", "alias", "filter",
    "deflate", "headers", "env", "setenvif", "rewrite", "ssl", "http2", "ratelimit", "autoindex", "dav", "dav_fs",
  ]

  @Sendable static func prepare(_ setup: ServerSetup) throws -> ServerStart {
    let directory = setup.directory
    let users = try setup.write(HashedPassword.sha + "\n", to: "users")
    let secure = setup.tls.map { tls in
      """
      Listen 127.0.0.1:\(setup.securePort)
      <VirtualHost 127.0.0.1:\(setup.securePort)>
        SSLEngine on
        SSLCertificateFile \(tls.certificate)
        SSLCertificateKeyFile \(tls.key)
        Protocols h2 http/1.1
      </VirtualHost>
      """
    }
    let file = try setup.write(
      """
      ServerRoot \(directory)
      ServerName 127.0.0.1
      Listen 127.0.0.1:\(setup.port)
      PidFile \(directory)/pid
      DefaultRuntimeDir \(directory)
      Mutex sem
      ErrorLog \(directory)/error.log
      \(geteuid() == 0 ? "User www-data\nGroup www-data" : "")
      \(modules.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }.joined(separator: "\n"))
      TypesConfig /etc/mime.types
      DocumentRoot \(setup.site)
      StartServers 1
      ServerLimit 1
      ThreadsPerChild 32
      ThreadLimit 32
      MaxRequestWorkers 32
      \(secure ?? "")
      <Directory \(setup.site)>
        Require all granted
      </Directory>
      <Location /secret/>
        AuthType Basic
        AuthName here
        AuthUserFile \(users)
        Require valid-user
      </Location>
      <Location /forbidden/>
        Require all denied
      </Location>
      <Location /packed/>
        SetOutputFilter DEFLATE
      </Location>
      # As those sites do it that have compressed files lying there.
      <Location /forced/>
        SetEnv force-gzip 1
        RequestHeader set Accept-Encoding gzip
        SetOutputFilter DEFLATE
      </Location>
      <Directory \(setup.site)/whole>
        MaxRanges none
        Header set Accept-Ranges none
      </Directory>
      <Directory \(setup.site)/dated>
        FileETag None
      </Directory>
      # Three ways to see one directory: a table, a plain list, WebDAV alone.
      <Location /tree/>
        Options +Indexes
        IndexOptions FancyIndexing HTMLTable
      </Location>
      Alias /plain/ \(setup.site)/tree/
      <Location /plain/>
        Options +Indexes
        IndexOptions -FancyIndexing
      </Location>
      Alias /dav/ \(setup.site)/tree/
      DavLockDB \(directory)/locks
      <Location /dav/>
        Options -Indexes
        Dav On
      </Location>
      <Location /slow/>
        SetOutputFilter RATE_LIMIT
        SetEnv rate-limit 1024
      </Location>
      \(setup.redirects.map { "Redirect 302 /to/\($0.name) \($0.location)" }.joined(separator: "\n"))
      """, to: "apache.conf")
    return ServerStart(arguments: ["-X", "-f", file])
  }
}
