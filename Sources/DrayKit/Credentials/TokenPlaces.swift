// The places where the programs of services keep tokens. All sources look for tokens here.

internal import DrayStore
internal import FoundationEssentials
internal import Posix

/// The environment and the files in which tokens are looked for.
///
/// Each service has an extension in a file of its own, which says in which order its own program looks.
public struct TokenPlaces: Sendable {
  /// The variables.
  public var environment: [String: String]
  /// The home directory; `nil` if it is unknown.
  public var home: String?
  /// Returns the text of a file; `nil` if there is no such file or it cannot be read.
  public var read: @Sendable (_ path: String) -> String?

  /// Creates places.
  public init(
    environment: [String: String], home: String?, read: @escaping @Sendable (_ path: String) -> String?
  ) {
    (self.environment, self.home, self.read) = (environment, home, read)
  }

  /// The value of a variable; `nil` if it is unset or empty.
  public func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension TokenPlaces {
  /// The maximum size of a file with tokens, in bytes.
  static let limit = 1 << 20

  /// No places: for clients that may not use the tokens of this machine.
  public static let none = TokenPlaces(environment: [:], home: nil) { _ in nil }

  /// The environment and the files of this process's user.
  public static var user: TokenPlaces {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? StateDirectory.passwordDatabaseHome()
    return TokenPlaces(environment: environment, home: home) { path in
      guard case .file = System.kind(path), let bytes = try? System.read(path, limit: limit + 1), bytes.count <= limit
      else { return nil }
      return String(validating: bytes, as: UTF8.self)
    }
  }
}
