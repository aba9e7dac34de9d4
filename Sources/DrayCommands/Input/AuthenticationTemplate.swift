// Turns the options for authentication and trust into values: it checks them, reads files, and asks for passwords.

internal import DrayKit
internal import FoundationEssentials
internal import Posix

struct AuthenticationTemplate: Sendable {
  let options: AuthenticationOptions?
  /// The user name and the password for the server.
  let credentials: Credentials?
  /// The user whose password is in a .netrc file.
  let netrcUser: String?

  /// Checks the options, and then asks the user for missing passwords.
  /// - Parameter hasNetrc: Whether a .netrc file is read, which contains the password of a user name that was given
  ///   without one.
  /// - Throws: Kind `usage` with the name of the option.
  init(
    user: String?, _ arguments: AuthenticationArguments, _ surroundings: Surroundings, hasNetrc: Bool = false
  ) throws(Failure) {
    var options = AuthenticationOptions()
    options.scheme = try AuthenticationTemplate.scheme([
      ("--basic", arguments.basic, .basic), ("--digest", arguments.digest, .digest), ("--ntlm", arguments.ntlm, .ntlm),
      ("--negotiate", arguments.negotiate, .negotiate), ("--anyauth", arguments.anyauth, .any),
    ])
    options.proxyScheme = try AuthenticationTemplate.scheme([
      ("--proxy-basic", arguments.proxyBasic, .basic), ("--proxy-digest", arguments.proxyDigest, .digest),
      ("--proxy-ntlm", arguments.proxyNTLM, .ntlm), ("--proxy-negotiate", arguments.proxyNegotiate, .negotiate),
      ("--proxy-anyauth", arguments.proxyAnyauth, .any),
    ])
    options.bearer = try AuthenticationTemplate.bearer(arguments, user: user, surroundings)
    if options.bearer != nil, options.scheme != nil {
      throw OptionValue.bad("--oauth2-bearer", "a token cannot be combined with another scheme: give one of them")
    }
    options.pinnedPublicKey = try arguments.pinnedpubkey.map { (text) throws(Failure) in
      try PinnedKey.parse(text, "--pinnedpubkey", surroundings)
    }
    if let path = arguments.capath {
      let absolute = surroundings.absolute(path)
      guard surroundings.kind(absolute) == .directory else {
        throw OptionValue.bad("--capath", "\(OptionValue.quote(path)) is not an existing directory")
      }
      options.caPath = absolute
    }
    try ClientCertificate.read(arguments, into: &options, surroundings)
    let password = SecretReader(surroundings, readsInput: arguments.passwordStdin)
    if arguments.passwordStdin, user?.contains(":") ?? true {
      throw OptionValue.bad("--password-stdin", "it is the password of --user NAME: add that, without a password")
    }
    let isInNetrc =
      hasNetrc && !arguments.passwordStdin && surroundings.environment["DRAY_PASSWORD"] == nil
      && user.map { !$0.contains(":") } ?? false
    netrcUser = isInNetrc ? try user.map { (text) throws(Failure) in try password.checked(text, "--user") } : nil
    credentials =
      isInNetrc
      ? nil
      : try user.map { (text) throws(Failure) in
        try password.credentials(text, "--user", variable: "DRAY_PASSWORD")
      }
    options.proxyCredentials = try arguments.proxyUser.map { (text) throws(Failure) in
      try SecretReader(surroundings).credentials(text, "--proxy-user", variable: "DRAY_PROXY_PASSWORD")
    }
    self.options = options == AuthenticationOptions() ? nil : options
  }

  private static func scheme(
    _ flags: [(name: String, isSet: Bool, scheme: AuthenticationOptions.Scheme)]
  ) throws(Failure) -> AuthenticationOptions.Scheme? {
    let set = flags.filter(\.isSet)
    guard let first = set.first else { return nil }
    guard set.count == 1 else {
      throw OptionValue.bad(set.map(\.name).joined(separator: " and "), "only one scheme can be used: give one")
    }
    guard DownloadManager.supports(first.scheme) else {
      throw OptionValue.bad(
        first.name, "this system's libcurl was built without it",
        advice: "`curl -V` shows what it has; use another scheme, or another libcurl")
    }
    return first.scheme
  }

  private static func bearer(
    _ arguments: AuthenticationArguments, user: String?, _ surroundings: Surroundings
  ) throws(Failure) -> String? {
    let option = "--oauth2-bearer"
    if let text = arguments.oauth2Bearer {
      guard user == nil else { throw OptionValue.bad(option, "it replaces --user: give one of them") }
      return try SecretReader(surroundings).value(text, option)
    }
    // The token in the environment is meant for all requests. It is no error if the command line names a user as well;
    // that user takes precedence.
    guard user == nil, let token = surroundings.environment["DRAY_OAUTH2_BEARER"], !token.isEmpty else { return nil }
    return try SecretReader(surroundings).checked(token, "DRAY_OAUTH2_BEARER")
  }
}

/// Checks the value of `--pinnedpubkey`.
enum PinnedKey {
  /// Parses `sha256//BASE64;…`, or the path of a file with a key.
  static func parse(_ text: String, _ option: String, _ surroundings: Surroundings) throws(Failure) -> String {
    guard text.hasPrefix("sha256//") else { return try surroundings.check(text, option) }
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      guard part.hasPrefix("sha256//"), let hash = Data(base64Encoded: String(part.dropFirst(8))), hash.count == 32
      else {
        throw OptionValue.bad(
          option, "\(OptionValue.quote(String(part))) is not a SHA-256 in base64: write sha256//BASE64, joined by ;")
      }
    }
    return text
  }
}
