// Servers that cache other servers' files: squid, and nginx with its slice module.

import Foundation

extension ServerKind {
  /// squid in front of Apache, and a forward proxy at the port for TLS. The cache is in memory only. It serves ranges
  /// of cached files even if its origin does not.
  static let squid = squid(named: "squid")

  /// squid, configured to fetch the whole file for a range, and to serve the next range from its copy.
  static let squidFilling = squid(named: "squid-filling", "range_offset_limit none")

  private static func squid(named name: String, _ more: String = "") -> ServerKind {
    ServerKind(name: name, program: "squid", places: [.secret, .forbidden, .dated, .to], origin: { .apache }) { setup in
      try start(setup, more)
    }
  }

  private static func start(_ setup: ServerSetup, _ more: String) throws -> ServerStart {
    let file = try setup.write(
      """
      http_port 127.0.0.1:\(setup.port) accel vhost
      http_port 127.0.0.1:\(setup.securePort)
      cache_peer 127.0.0.1 parent \(setup.originPort ?? 0) 0 no-query no-digest originserver name=behind login=PASSTHRU
      acl front myportname 127.0.0.1:\(setup.port)
      cache_peer_access behind allow front
      cache_peer_access behind deny all
      http_access allow all
      pid_filename none
      pinger_enable off
      netdb_filename none
      cache_mem 64 MB
      maximum_object_size_in_memory 32 MB
      memory_cache_mode always
      # All that comes is fresh for an hour, whatever its server says: a stale copy is what the tests are after.
      refresh_pattern . 60 100% 60 override-lastmod
      access_log none
      cache_log \(setup.directory)/error.log
      cache_store_log none
      coredump_dir \(setup.directory)
      shutdown_lifetime 0 seconds
      visible_hostname localhost
      max_filedescriptors 512
      \(more)
      """, to: "squid.conf")
    // squid writes the log as the user to which it switches.
    chmod(setup.directory, 0o777)
    return ServerStart(arguments: ["-N", "-f", file])
  }

  /// nginx with a cache of 256 KiB slices of Apache's files, each of the version at the time of its request.
  static let nginxCache = ServerKind(
    name: "nginx-cache", program: "nginx", origin: { .apache }
  ) { setup in
    try Nginx.prepare(
      setup, http: "proxy_cache_path \(setup.directory)/cache keys_zone=kept:1m;",
      locations: """
        location / {
          slice 256k; proxy_pass http://127.0.0.1:\(setup.originPort ?? 0); proxy_http_version 1.1;
          proxy_cache kept; proxy_cache_key $uri$slice_range; proxy_set_header Range $slice_range;
          proxy_cache_valid 200 206 1h;
        }
        """)
  }
}
