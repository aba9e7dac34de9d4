// nginx from Debian with a prefix and a configuration of its own: the real server among the test servers.

import FaultServer
import Foundation

/// A running nginx. It ends with its sandbox.
struct Nginx: Sendable {
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

  private let prefix: String
  private let port: Int
  private let scheme: String

  /// The directory that it serves.
  var site: String { prefix + "/site" }

  /// The URL of `path`.
  func url(_ path: String) -> String { "\(scheme)://127.0.0.1:\(port)\(path)" }

  /// The URL of `path` by the name of this machine, with a scheme of the caller's choice.
  func namedURL(_ path: String, scheme: String) -> String { "\(scheme)://localhost:\(port)\(path)" }

  /// Starts nginx in `sandbox`, with TLS and HTTP/2 when `certificate` is given, and waits until it answers.
  /// With `clients`, an authority's certificate, it wants one by that authority of whoever asks.
  ///
  /// `rate` is in bytes a second of each connection, in nginx's words (`5m`).
  ///
  /// - Throws: `HarnessError` when it is not installed or does not start.
  init(
    in sandbox: Sandbox, rate: String? = nil, certificates: Certificates? = nil,
    kind: Certificates.Kind = .good, clients: String? = nil
  ) async throws {
    let program = try toolPath("nginx")
    scheme = certificates == nil ? "http" : "https"
    let prefix = sandbox.root + "/nginx-\(UUID().uuidString.prefix(8))"
    self.prefix = prefix
    try FileManager.default.createDirectory(atPath: prefix + "/site", withIntermediateDirectories: true)
    for attempt in 1... {
      let port = try LocalPort.free()
      let configuration = Self.configuration(
        prefix: prefix, port: port, rate: rate,
        tls: certificates.map { ($0.certificate(kind), $0.key(kind)) }, clients: clients)
      try Data(configuration.utf8).write(to: URL(fileURLWithPath: prefix + "/nginx.conf"))
      let running = try sandbox.launch(
        program, ["-p", prefix, "-c", prefix + "/nginx.conf", "-e", prefix + "/error.log"])
      do {
        try await running.wait(for: "nginx to listen", seconds: 10) { LocalPort.isListening(port) }
        self.port = port
        return
      } catch  where attempt < 5 {
        try await running.kill9()
      }
    }
    throw HarnessError("nginx does not start")
  }

  /// What it has logged so far; a line comes when an answer has ended.
  var log: [Entry] {
    let text = FileManager.default.contents(atPath: prefix + "/access.log") ?? Data()
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 6, let status = Int(parts[0]), let sent = Int64(parts[2]), let connection = Int(parts[4])
      else { return nil }
      return Entry(
        status: status, range: parts[1], sent: sent, version: parts[3], uri: parts[5], connection: connection)
    }
  }

  private static func configuration(
    prefix: String, port: Int, rate: String?, tls: (certificate: String, key: String)?, clients: String?
  ) -> String {
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(prefix)/\($0);" }.joined(separator: "\n  ")
    let secure = tls.map { "ssl_certificate \($0.certificate); ssl_certificate_key \($0.key);" } ?? ""
    return """
      daemon off; master_process off; pid \(prefix)/pid; error_log \(prefix)/error.log;
      events { worker_connections 512; }
      http {
        \(temporary)
        log_format plain '$status|$http_range|$body_bytes_sent|$server_protocol|$connection|$uri';
        access_log \(prefix)/access.log plain;
        default_type application/octet-stream;
        \(rate.map { "limit_rate \($0);" } ?? "")
        server {
          listen 127.0.0.1:\(port)\(tls == nil ? "" : " ssl http2"); root \(prefix)/site;
          \(secure)
          \(clients.map { "ssl_client_certificate \($0); ssl_verify_client on;" } ?? "")
          location /hsts/ { add_header Strict-Transport-Security "max-age=86400" always; }
          location /hsts-off/ { add_header Strict-Transport-Security "max-age=0" always; }
          location /to-plain { return 302 http://127.0.0.1:\(port)/file; }
        }
      }
      """
  }
}
