// The text that `git credential` reads and writes: lines of names and values.

package import DrayCore

/// What git knows about the account at a server.
package struct GitCredential: Sendable, Equatable {
  private var lines: [String]
  package var user: String
  package var password: String

  /// Returns the text that asks git for an account; `nil` if the URL cannot be asked for.
  /// - Parameter user: The user in the URL, if any.
  package static func question(_ url: RequestURL, user: String?) -> String? {
    let host = url.port.map { "\(url.host):\($0)" } ?? url.host
    var lines = ["protocol=\(url.scheme)", "host=\(host)", "path=\(url.path.dropFirst())"]
    if let user { lines.append("username=\(user)") }
    guard lines.allSatisfy({ line in line.utf8.allSatisfy { $0 >= 0x20 } }) else { return nil }
    return lines.map { $0 + "\n" }.joined() + "\n"
  }

  /// Reads git's answer; `nil` if it has no account.
  package init?(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let lines = text.split(separator: "\n").map(String.init).filter { $0.contains("=") }
    func value(_ name: String) -> String? {
      lines.last { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.utf8.count + 1)) }
    }
    guard let user = value("username"), let password = value("password"), !user.isEmpty || !password.isEmpty else {
      return nil
    }
    (self.lines, self.user, self.password) = (lines, user, password)
  }

  /// The text that tells git whether the server has accepted the account.
  package var text: String { lines.map { $0 + "\n" }.joined() + "\n" }

  /// The value of `Authorization`.
  package var basic: String { Self.basic(user, password) }

  /// Returns the value of `Authorization` for an account.
  package static func basic(_ user: String, _ password: String) -> String {
    "Basic " + Base64Text.encoded(Array("\(user):\(password)".utf8))
  }
}
