// Reads `--cert`, `--key` and `--pass`: it checks the files, and finds the password of an encrypted key.

internal import DrayKit
internal import Posix

enum ClientCertificate {
  /// Checks the files, and finds the password if the key is encrypted.
  /// - Throws: Kind `usage` with the name of the option.
  static func read(
    _ arguments: AuthenticationArguments, into options: inout AuthenticationOptions, _ surroundings: Surroundings
  ) throws(Failure) {
    guard let text = arguments.cert else {
      guard let key = arguments.key else {
        guard arguments.pass == nil else {
          throw OptionValue.bad("--pass", "it is the password of a key: use it with --key or --cert")
        }
        return
      }
      // A key without a certificate is meant for sftp. SchemeInput refuses such a key for other schemes.
      options.clientKey = try surroundings.check(key, "--key")
      if let given = arguments.pass {
        options.clientKeyPassword = try SecretReader(surroundings).value(given, "--pass")
      }
      return
    }
    let (file, attached) = try split(text, surroundings)
    options.clientCertificate = file
    options.clientKey = try arguments.key.map { (path) throws(Failure) in try surroundings.check(path, "--key") }
    let secret = SecretReader(surroundings)
    if let given = arguments.pass {
      options.clientKeyPassword = try secret.value(given, "--pass")
    } else if let attached {
      options.clientKeyPassword = try secret.checked(attached, "--cert")
    } else if try isEncrypted(options.clientKey ?? file, surroundings) {
      guard
        let password = surroundings.environment["DRAY_KEY_PASSWORD"]
          ?? surroundings.askPassword("Password for the key of \(TextSafety.escaped(file)): ")
      else {
        throw OptionValue.bad(
          "--cert",
          "its key needs a password, which only a terminal could ask for: use --pass @FILE or DRAY_KEY_PASSWORD"
        )
      }
      options.clientKeyPassword = try secret.checked(password, "DRAY_KEY_PASSWORD")
    }
  }

  /// Splits `FILE:PASSWORD` into its parts, or returns `FILE`. If a file with the whole text as its name exists, the
  /// colon is part of the name.
  private static func split(_ text: String, _ surroundings: Surroundings) throws(Failure) -> (String, String?) {
    let whole = surroundings.absolute(text)
    if surroundings.kind(whole) != .file, let colon = text.firstIndex(of: ":") {
      return (try surroundings.check(String(text[..<colon]), "--cert"), String(text[text.index(after: colon)...]))
    }
    return (try surroundings.check(text, "--cert"), nil)
  }

  /// Whether the key in a PEM file is marked as encrypted (RFC 7468 §11; the older form has a field for that). A
  /// PKCS#12 file has no such mark, so an empty password is tried for it.
  private static func isEncrypted(_ path: String, _ surroundings: Surroundings) throws(Failure) -> Bool {
    let text = String(decoding: try surroundings.contents(path, "--key"), as: UTF8.self)
    return text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED")
  }
}
