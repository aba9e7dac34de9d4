// What a service says of itself to other processes of its user.

internal import DrayKit
internal import FoundationEssentials

/// A service that runs. The names are those of `dray serve --status --json`.
struct ServiceRecord: Sendable, Equatable, Codable {
  /// Its process.
  var pid: Int32
  /// The version of the program.
  var version: String
  /// When it began, in seconds since 1970.
  var startedAt: Int64
  /// Where it listens.
  var listening: [String]
  /// Whether it has a secret.
  var hasSecret: Bool
  /// The file with the secret; nil if it is not in a file.
  var secretFile: String?
  /// The directories that jobs may go to which come by its doors.
  var roots: [String]
  /// Where jobs go that name none.
  var directory: String
  /// Its log, if that is a file.
  var log: String?

  /// A URL for people; nil if it listens at sockets only.
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

  /// As the file has it, and `--json` prints it.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Reads what ``json`` has written.
  static func read(_ bytes: [UInt8]) -> ServiceRecord? { try? JSONDecoder().decode(self, from: Data(bytes)) }
}
