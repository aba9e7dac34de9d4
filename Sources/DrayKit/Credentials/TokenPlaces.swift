// The places where the programs of services keep tokens. All sources look for tokens here.

internal import DrayStore
internal import FoundationEssentials
internal import Posix

/// The environment and the files to search for tokens.
///
/// Each service has an extension in a separate file, which states the order in which the service's own program looks.
package struct TokenPlaces: Sendable {
  /// The variables.
  package var environment: [String: String]
  /// The home directory; `nil` if it is unknown.
  package var home: String?
  /// Returns the text of a file; `nil` if there is no such file or it cannot be read.
  package var read: @Sendable (_ path: String) -> String?
  /// Asks a program that keeps secrets, and returns its answer; `nil` if it has none.
  package var ask: @Sendable (_ words: [String], _ input: String) async -> [UInt8]? = { words, input in
    await HelperProgram.answer(words, input)
  }

  /// Creates places.
  package init(
    environment: [String: String], home: String?, read: @escaping @Sendable (_ path: String) -> String?
  ) {
    (self.environment, self.home, self.read) = (environment, home, read)
  }

  /// The value of a variable; `nil` if it is unset or empty.
  package func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension TokenPlaces {
  /// The maximum size of a file with tokens, in bytes.
  static let limit = 1 << 20

  /// No places: for clients that may not use the tokens of this machine.
  package static let none = TokenPlaces(environment: [:], home: nil) { _ in nil }

  /// The environment and the files of this process's user.
  package static var user: TokenPlaces {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? StateDirectory.passwordDatabaseHome()
    return TokenPlaces(environment: environment, home: home) { path in
      guard case .file = System.kind(path), let bytes = try? System.read(path, limit: limit + 1), bytes.count <= limit
      else { return nil }
      return String(validating: bytes, as: UTF8.self)
    }
  }
}
