// Reads the secrets of options: typed, from a file, from the environment, from standard input, or asked for.

internal import DrayKit

struct SecretReader: Sendable {
  private let surroundings: Surroundings
  private let readsInput: Bool

  /// - Parameter readsInput: Whether the password comes from standard input.
  init(_ surroundings: Surroundings, readsInput: Bool = false) {
    self.surroundings = surroundings
    self.readsInput = readsInput
  }

  /// Returns the secret that was typed; for `@FILE`, the first line of the file.
  func value(_ text: String, _ option: String) throws(Failure) -> String {
    guard text.hasPrefix("@") else { return try checked(text, option) }
    let secret = try SecretReader.firstLine(try surroundings.contents(String(text.dropFirst()), option), option)
    guard !secret.isEmpty else { throw OptionValue.bad(option, "the first line of its file is empty") }
    return try checked(secret, option)
  }

  /// Parses `NAME:PASSWORD`, or `NAME`, whose password comes from another place.
  func credentials(_ text: String, _ option: String, variable: String) throws(Failure) -> Credentials {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let user = try checked(parts[0], option)
    if parts.count > 1 { return Credentials(user: user, password: try checked(parts[1], option)) }
    if readsInput { return Credentials(user: user, password: try fromInput()) }
    if let password = surroundings.environment[variable] {
      return Credentials(user: user, password: try checked(password, variable))
    }
    guard let password = surroundings.askPassword("Password for \(TextSafety.escaped(user)): ") else {
      throw OptionValue.bad(
        option, "the password is missing, and only a terminal could ask for it: write USER:PASSWORD or set \(variable)")
    }
    return Credentials(user: user, password: try checked(password, "the password"))
  }

  /// Returns a secret after checking that it can be sent. An error does not contain the secret.
  func checked(_ text: String, _ option: String) throws(Failure) -> String {
    guard FieldRule.isValue(text) else {
      throw OptionValue.bad(option, "it contains a control character: remove it")
    }
    return text
  }

  private func fromInput() throws(Failure) -> String {
    try checked(
      try SecretReader.firstLine(try surroundings.standardInput("--password-stdin"), "--password-stdin"),
      "--password-stdin")
  }

  /// Returns the first line without the line end, which `echo` and editors add.
  private static func firstLine(_ bytes: [UInt8], _ option: String) throws(Failure) -> String {
    let line = bytes.prefix { $0 != 0x0A }
    guard let text = OutsideText.text(line.last == 0x0D ? line.dropLast() : line) else {
      throw OptionValue.bad(option, "it is not valid UTF-8: save it as UTF-8")
    }
    return text
  }
}
