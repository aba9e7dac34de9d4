// The address of a job store (`--store`, `DRAY_STORE`, `store =`): parses it, and shows it without secrets.

/// The address of a job store.
package enum StoreAddress: Sendable, Equatable {
  /// The SQLite store in a directory, as typed.
  case directory(String)
  /// A PostgreSQL database: a URI of libpq.
  case database(String)

  /// The schemes of databases that libpq accepts.
  package static let schemes = ["postgresql", "postgres"]

  /// Reads a text. A text without a scheme is the path of a directory.
  /// - Throws: The reason why the text is not an address. It does not quote the text, which may contain a password.
  package static func parse(_ text: String) throws(StoreAddressProblem) -> StoreAddress {
    guard !text.isEmpty else { throw StoreAddressProblem(reason: "it is empty: name a directory, or postgresql://…") }
    guard let scheme = scheme(of: text) else {
      guard !isKeywordForm(text) else {
        throw StoreAddressProblem(
          reason:
            "it is a list of keywords: write postgresql://USER@HOST:PORT/DATABASE, or ./NAME for a directory")
      }
      return .directory(text)
    }
    guard schemes.contains(scheme.lowercased()) else {
      throw StoreAddressProblem(
        reason:
          "unknown scheme \(TextSafety.escaped(scheme.start(40))):// (use postgresql://…, or the path of a directory)")
    }
    guard !text.utf8.contains(where: \.isControl) else {
      throw StoreAddressProblem(reason: "it has control characters")
    }
    if let problem = unknownParameter(text) { throw problem }
    // libpq accepts the scheme in lowercase only.
    return .database(scheme.lowercased() + text.dropFirst(scheme.count))
  }

  /// The address as shown to people, without secrets.
  package var shown: String {
    switch self {
    case .directory(let path): TextSafety.escaped(path)
    case .database(let uri): StoreAddress.shown(uri)
    }
  }

  /// Whether a text contains a password, which other users of the machine could see in the list of processes.
  package static func hasPassword(_ text: String) -> Bool { secrets(in: text).contains { !$0.isEmpty } }

  /// Returns the address of a database as shown to people: passwords become `…`, and control characters are escaped.
  package static func shown(_ text: String) -> String {
    var shown = text
    // Replace from the end, so that the earlier ranges stay valid.
    for range in secrets(in: text).reversed() where !range.isEmpty { shown.replaceSubrange(range, with: "…") }
    return TextSafety.escaped(shown)
  }

  private static func scheme(of text: String) -> Substring? {
    guard let end = text.firstRange(of: "://") else { return nil }
    let scheme = text[..<end.lowerBound]
    return scheme.isEmpty || scheme.contains("/") ? nil : scheme
  }

  /// Whether a text has libpq's other form, `host=db dbname=jobs`. Such a text must not be taken as the name of a
  /// directory: that would create an unwanted store, perhaps with a password in its name.
  private static func isKeywordForm(_ text: String) -> Bool {
    guard let equals = text.firstIndex(of: "=") else { return false }
    let name = text[..<equals].filter { !$0.isWhitespace }
    return parameters.contains(name.lowercased())
  }

  /// Returns the problem with the first parameter that libpq does not know. The parameter's value may be secret. Its
  /// name may be secret, too, if the parameter follows a password with an unescaped `&`.
  private static func unknownParameter(_ text: String) -> StoreAddressProblem? {
    guard let start = (text.lastIndex(of: "@") ?? text.firstRange(of: "://")?.upperBound),
      let question = text[start...].firstIndex(of: "?")
    else { return nil }
    var follows = false
    for (place, pair) in text[text.index(after: question)...].split(separator: "&").enumerated() {
      let name = pair.prefix { $0 != "=" }
      let plain = String(decoding: PercentEncoding.decoded(Array(name.utf8)[...]), as: UTF8.self)
      guard parameters.contains(plain), name.endIndex != pair.endIndex else {
        let shown = follows || name.endIndex == pair.endIndex ? "\(place + 1)" : TextSafety.escaped(plain.start(40))
        return StoreAddressProblem(reason: "unknown parameter \(shown) (libpq's documentation lists them)")
      }
      follows = follows || isSecret(name)
    }
    return nil
  }

  /// The parameters of libpq (PostgreSQL 18, 32.1.2 Parameter Key Words), and `ssl`, which URIs may have.
  private static let parameters: Set<String> = [
    "application_name", "channel_binding", "client_encoding", "connect_timeout", "dbname", "fallback_application_name",
    "gssdelegation", "gssencmode", "gsslib", "host", "hostaddr", "keepalives", "keepalives_count", "keepalives_idle",
    "keepalives_interval", "krbsrvname", "load_balance_hosts", "max_protocol_version", "min_protocol_version",
    "oauth_client_id", "oauth_client_secret", "oauth_issuer", "oauth_scope", "options", "passfile", "password", "port",
    "replication", "require_auth", "requirepeer", "requiressl", "scram_client_key", "scram_server_key", "service",
    "servicefile", "ssl", "ssl_max_protocol_version", "ssl_min_protocol_version", "sslcert", "sslcertmode",
    "sslcompression", "sslcrl", "sslcrldir", "sslkey", "sslkeylogfile", "sslmode", "sslnegotiation", "sslpassword",
    "sslrootcert", "sslsni", "target_session_attrs", "tcp_user_timeout", "user",
  ]

  /// Returns the places of passwords: in the authority, and in parameters whose names say that they are secret.
  private static func secrets(in text: String) -> [Range<String.Index>] {
    guard let start = text.firstRange(of: "://")?.upperBound else { return [] }
    var found: [Range<String.Index>] = []
    var rest = text[start...]
    // The user and the password end at the last @. An unescaped / or ? in a password is invalid, but such a password
    // must not be shown either.
    if let at = rest.lastIndex(of: "@") {
      if let colon = rest[..<at].firstIndex(of: ":") { found.append(text.index(after: colon)..<at) }
      rest = rest[at...]
    }
    guard let parameters = rest.firstIndex(of: "?") else { return found }
    for pair in rest[rest.index(after: parameters)...].split(separator: "&") {
      guard let equals = pair.firstIndex(of: "="), isSecret(pair[..<equals]) else { continue }
      found.append(pair.index(after: equals)..<pair.endIndex)
    }
    return found
  }

  private static let secretNames = ["password", "sslpassword", "oauth_client_secret"]

  private static func isSecret(_ name: Substring) -> Bool {
    let plain = String(decoding: PercentEncoding.decoded(Array(name.utf8)[...]), as: UTF8.self)
    return secretNames.contains(plain.lowercased())
  }
}

/// The reason why a text is no address of a job store.
package struct StoreAddressProblem: Error, Sendable, Equatable {
  /// The reason, as a clause.
  package var reason: String

  /// Creates a problem.
  package init(reason: String) { self.reason = reason }
}
