// A service's record for other processes of its user.

internal import DrayKit
internal import FoundationEssentials

/// A running service. The names of the properties are those in `dray serve --status --json`.
struct ServiceRecord: Sendable, Equatable, Codable {
  var pid: Int32
  var version: String
  /// The time at which the service started, in seconds since 1970.
  var startedAt: Int64
  var listening: [String]
  var hasSecret: Bool
  var secretFile: String?
  /// The directories in which clients' jobs may put files.
  var roots: [String]
  /// The directory for jobs that name no directory.
  var directory: String
  var log: String?

  /// A URL for people; `nil` if the service listens only at sockets in the file system.
  var address: String? {
    // An address that means all addresses cannot be opened.
    let anywhere = ["0.0.0.0:", "[::]:"]
    return listening.first { !$0.hasPrefix("/") }.map { name in
      let port = anywhere.first(where: name.hasPrefix).map { name.dropFirst($0.count) }
      return "http://\(port.map { "127.0.0.1:\($0)" } ?? name)/"
    }
  }

  /// A text about the place of the secret, or about what follows if there is none.
  var secretText: String {
    guard hasSecret else {
      return listening.allSatisfy { $0.hasPrefix("/") }
        ? "none; its socket is for its owner only"
        : "none: every user and program of this machine can control it"
    }
    return "needed; \(secretFile.map { "in \($0), " } ?? "")`dray serve --show-secret` prints it"
  }

  /// The content of the file, and the output of `--json`.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Parses what ``json`` contains.
  static func read(_ bytes: [UInt8]) -> ServiceRecord? { try? JSONDecoder().decode(self, from: Data(bytes)) }
}
