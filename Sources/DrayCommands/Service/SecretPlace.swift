// Where a service's secret is: given by its user, or its own, which it makes when it starts for the first time.

internal import DrayKit
internal import DrayServer
internal import Posix

/// The place of a secret.
enum SecretPlace: Sendable, Equatable {
  /// There is none, by `--no-secret`, or because there are only sockets.
  case none
  /// Where its user has put it.
  case given(SecretSource)
  /// A file of the state directory.
  case own(String)

  /// The file of a state directory.
  static func ownFile(in home: StateDirectory) -> SecretPlace { .own(Job.join(home.path, "serve.secret")) }

  /// Whether clients that come over TCP need it.
  var isNeeded: Bool { self != .none }

  /// The file that has it; nil where that is no file.
  var file: String? {
    switch self {
    case .none, .given(.variable): nil
    case .given(.file(let path)), .given(.credential(let path)), .own(let path): path
    }
  }

  /// The secret of a service that starts.
  /// - Throws: a file that others can read, or that has no secret; one that cannot be made.
  func take() throws(Failure) -> DrayServer.Secret? {
    switch self {
    case .none: return nil
    case .given(let source): return try source.read()
    case .own(let path):
      if System.kind(path) == .missing {
        try AtomicFile.write(Array((DrayServer.Secret.randomText() + "\n").utf8), to: path, isPrivate: true)
      }
      return try SecretSource.file(path).read()
    }
  }

  /// The text of the secret, for its user.
  /// - Throws: as ``take()``, and kind `usage` where there is none.
  func text() throws(Failure) -> String {
    switch self {
    case .given(let source): return try source.text()
    case .own(let path) where System.kind(path) != .missing: return try SecretSource.file(path).text()
    case .none, .own:
      throw Failure(
        .usage, "--show-secret", "there is no secret yet", advice: "dray serve makes one when it starts")
    }
  }
}
