// The place from which a service reads its secret.

package import DrayCore
internal import Posix

/// A place from which the secret is read. The command line is never such a place, because every user of the machine can
/// read it (P7).
package enum SecretSource: Sendable, Equatable {
  /// A file that only its owner can read.
  case file(String)
  case variable(String, value: String)
  /// A file in systemd's credentials directory (systemd.exec(5), `LoadCredential`).
  case credential(String)

  package static let variable = "DRAY_SERVE_SECRET"
  package static let credential = "dray-secret"

  /// Returns the source to use: a file that was named, otherwise the variable, otherwise the credential; `nil` if all
  /// three are missing.
  /// - Parameter exists: Returns whether there is a file at a path.
  package static func choose(
    file: String?, environment: [String: String], exists: (String) -> Bool
  ) -> SecretSource? {
    if let file { return .file(file) }
    if let value = environment[variable], !value.isEmpty { return .variable(variable, value: value) }
    guard let directory = environment["CREDENTIALS_DIRECTORY"], directory.hasPrefix("/") else { return nil }
    let path = "\(directory)/\(credential)"
    return exists(path) ? .credential(path) : nil
  }

  /// Reads the secret. White space at the end of the source is not part of the secret.
  /// - Throws: ``Failure`` if the file is missing, if other users can read it, or if the secret is invalid.
  package func read() throws(Failure) -> Secret { try found().secret }

  /// Reads the secret as text, to show it to the user.
  /// - Throws: ``Failure`` for the same reasons as ``read()``.
  package func text() throws(Failure) -> String { try found().text }

  private func found() throws(Failure) -> (text: String, secret: Secret) {
    switch self {
    case .file(let path): try secret(path, try contents(path, isOurs: true))
    // systemd lets the service's user read the file with an access control list, which shows as mode 0440
    // (systemd#29435). Other users cannot reach the file nevertheless.
    case .credential(let path): try secret(path, try contents(path, isOurs: false))
    case .variable(let name, let value): try secret("$\(name)", value)
    }
  }

  private func contents(_ path: String, isOurs: Bool) throws(Failure) -> String {
    let found: (bytes: [UInt8], owner: UInt32, mode: UInt32)
    do throws(SystemError) {
      found = try System.readOwned(path, limit: Secret.longest + 2)
    } catch {
      throw Failure(.file, path, error.text)
    }
    if isOurs,
      let reason = SecretFileRule.objection(owner: found.owner, mode: found.mode, user: System.effectiveUserID)
    {
      throw Failure(.usage, path, reason, advice: "chmod 600 it, and change the secret if others may have read it")
    }
    return String(decoding: found.bytes, as: UTF8.self)
  }

  private func secret(_ subject: String, _ text: String) throws(Failure) -> (text: String, secret: Secret) {
    var text = text[...]
    while text.last?.isWhitespace ?? false { text.removeLast() }
    guard let secret = Secret(String(text)) else {
      throw Failure(
        .usage, subject, "a secret has \(Secret.shortest) to \(Secret.longest) bytes in one line",
        advice: "make one with openssl rand -hex 32")
    }
    return (String(text), secret)
  }
}

package enum SecretFileRule {
  package static func objection(owner: UInt32, mode: UInt32, user: UInt32) -> String? {
    if owner != user, owner != 0 { return "this file with the secret belongs to another user" }
    if mode & 0o077 != 0 { return "others can use this file with the secret" }
    return nil
  }
}
