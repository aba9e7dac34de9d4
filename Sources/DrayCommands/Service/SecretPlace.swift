// The place of a service's secret: either the user named it, or it is the service's own file, which the first start
// creates.

internal import DrayKit
internal import DrayServer
internal import DrayStore
internal import Posix

enum SecretPlace: Sendable, Equatable {
  /// There is no secret, because of `--no-secret` or because there are only sockets.
  case none
  /// The user named this place.
  case given(SecretSource)
  /// The secret is in this file in the state directory.
  case own(String)

  static func ownFile(in home: StateDirectory) -> SecretPlace { .own(PathText.join(home.path, "serve.secret")) }

  /// Returns where to find the secret that the clients of a running service need.
  /// - Throws: Kind `usage` if clients need no secret, or if only the service's environment contains it.
  static func of(_ record: ServiceRecord, _ environment: [String: String]) throws(Failure) -> SecretPlace {
    guard record.hasSecret else {
      throw Failure(.usage, "--show-secret", "the running service needs no secret")
    }
    if let file = record.secretFile { return .given(.file(file)) }
    guard let value = environment[SecretSource.variable], !value.isEmpty else {
      throw Failure(
        .usage, "--show-secret", "the running service has its secret from $\(SecretSource.variable), not from a file")
    }
    return .given(.variable(SecretSource.variable, value: value))
  }

  var isNeeded: Bool { self != .none }

  var file: String? {
    switch self {
    case .none, .given(.variable): nil
    case .given(.file(let path)), .given(.credential(let path)), .own(let path): path
    }
  }

  /// Returns the secret for a service that is about to start.
  /// - Throws: A failure if other users can read the file, if the file contains no secret, or if it cannot be created.
  func take() throws(Failure) -> Secret? {
    switch self {
    case .none: return nil
    case .given(let source): return try source.read()
    case .own(let path):
      if System.kind(path) == .missing {
        try AtomicFile.write(Array((Secret.randomText() + "\n").utf8), to: path, isPrivate: true)
      }
      return try SecretSource.file(path).read()
    }
  }

  /// Returns the text of the secret, to show it to its user.
  /// - Throws: The same failures as ``take()``, and kind `usage` if there is no secret.
  func text() throws(Failure) -> String {
    switch self {
    case .given(let source): return try source.text()
    case .own(let path) where System.kind(path) != .missing: return try SecretSource.file(path).text()
    case .none, .own:
      throw Failure(
        .usage, "--show-secret", "no secret yet", advice: "dray serve creates it at its first start")
    }
  }
}
