// Where the secret comes from.

public import DrayCore
internal import Posix

/// A place that has the secret. Never the command line: every user of the machine can read that (P7).
public enum SecretSource: Sendable, Equatable {
  /// A file that only its owner can read.
  case file(String)
  /// An environment variable; its value.
  case variable(String, value: String)
  /// A file in the directory of systemd's credentials (systemd.exec(5), `LoadCredential`).
  case credential(String)

  /// The variable.
  public static let variable = "DRAY_SERVE_SECRET"
  /// The name of the credential.
  public static let credential = "dray-secret"

  /// The place that counts: the file that was named, the variable, the credential; nil if there is none.
  /// - Parameter exists: whether something is at a path.
  public static func choose(
    file: String?, environment: [String: String], exists: (String) -> Bool
  ) -> SecretSource? {
    if let file { return .file(file) }
    if let value = environment[variable], !value.isEmpty { return .variable(variable, value: value) }
    guard let directory = environment["CREDENTIALS_DIRECTORY"], directory.hasPrefix("/") else { return nil }
    let path = "\(directory)/\(credential)"
    return exists(path) ? .credential(path) : nil
  }

  /// Reads the secret. White space at the end is not part of it.
  /// - Throws: ``Failure``: no such file, others can read it, it is no secret.
  public func read() throws(Failure) -> Secret { try found().secret }

  /// Reads the secret as text, to show it to the user.
  /// - Throws: as ``read()``.
  public func text() throws(Failure) -> String { try found().text }

  private func found() throws(Failure) -> (text: String, secret: Secret) {
    switch self {
    case .file(let path): try secret(path, try contents(path, isOurs: true))
    // systemd lets the service's user in by a list of access rights, which shows as 0440 (systemd#29435). Nobody else gets as far.
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

/// Whether a file may keep a secret.
public enum SecretFileRule {
  /// What speaks against it; nil if nothing does.
  public static func objection(owner: UInt32, mode: UInt32, user: UInt32) -> String? {
    if owner != user, owner != 0 { return "this file with the secret belongs to another user" }
    if mode & 0o077 != 0 { return "others can use this file with the secret" }
    return nil
  }
}
