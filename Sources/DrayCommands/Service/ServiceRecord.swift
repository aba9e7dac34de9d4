// The facts about a service that it publishes to other processes of its user.

internal import DrayKit
internal import FoundationEssentials

/// A running service. The names are those of `dray serve --status --json`.
struct ServiceRecord: Sendable, Equatable, Codable {
  var pid: Int32
  var version: String
  /// The time of the start, in seconds since 1970.
  var startedAt: Int64
  var listening: [String]
  var hasSecret: Bool
  var secretFile: String?
  /// The allowed directories for clients' jobs.
  var roots: [String]
  /// The directory for jobs that name none.
  var directory: String
  var log: String?

  /// A URL for people; `nil` if the service has only sockets.
  var address: String? {
    // A wildcard address cannot be opened.
    let anywhere = ["0.0.0.0:", "[::]:"]
    return listening.first { !$0.hasPrefix("/") }.map { name in
      let port = anywhere.first(where: name.hasPrefix).map { name.dropFirst($0.count) }
      return "http://\(port.map { "127.0.0.1:\($0)" } ?? name)/"
    }
  }

  /// The place of the secret, or the consequence of having none.
  var secretText: String {
    guard hasSecret else {
      return listening.allSatisfy { $0.hasPrefix("/") }
        ? "none; its socket is for its owner only"
        : "none: every user and program of this machine can control it"
    }
    return "needed; \(secretFile.map { "in \($0), " } ?? "")`dray serve --show-secret` prints it"
  }

  /// The contents of the file, and the output of `--json`.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Parses the output of ``json``.
  static func read(_ bytes: [UInt8]) -> ServiceRecord? { try? JSONDecoder().decode(self, from: Data(bytes)) }
}
