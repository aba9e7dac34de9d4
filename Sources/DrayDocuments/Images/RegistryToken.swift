// Tokens of registries: what a challenge asks for, how a token is requested, and what the token server answers.

package import DrayCore

/// The proof that a registry wants.
package enum RegistryChallenge: Sendable, Equatable {
  case basic
  /// - Parameters:
  ///   - realm: The URL of the token server.
  ///   - service: The name of the registry for the token server.
  ///   - scope: What the token is for.
  case bearer(realm: RequestURL, service: String?, scope: String?)

  /// Reads the fields of a 401. A token is preferred to a password.
  /// - Returns: `nil` if the registry wants something else, or names a token server to which a password would travel in
  ///   clear.
  package static func of(_ head: ResponseHead) -> RegistryChallenge? {
    let items = AuthenticationChallenge.items(head.all("WWW-Authenticate"))
    for item in items where item.scheme == "bearer" {
      guard let text = item.parameters["realm"], let realm = try? RequestURL.parse(text).url else { continue }
      let host = realm.port.map { "\(realm.host):\($0)" } ?? realm.host
      guard realm.scheme == "https" || realm.scheme == "http" && ServiceAddress.isLocal(host) else { continue }
      return .bearer(realm: realm, service: item.parameters["service"], scope: item.parameters["scope"])
    }
    return items.contains { $0.scheme == "basic" } ? .basic : nil
  }
}

/// An account at a registry.
package enum RegistryAccount: Sendable, Equatable {
  case password(user: String, secret: String)
  /// A token that the token server exchanges for others.
  case identity(String)
  /// A token for the registry itself.
  case token(String)

  /// The field for a registry that asks for a password; `nil` if this account has none.
  package var basic: String? {
    guard case .password(let user, let secret) = self else { return nil }
    return "Basic " + Base64Text.encoded(Array("\(user):\(secret)".utf8))
  }
}

/// The request for a token.
package struct RegistryTokenRequest: Sendable, Equatable {
  package var url: RequestURL
  /// The form of a POST; `nil` for a GET.
  package var form: [UInt8]?
  /// The value of `Authorization`.
  package var authorization: String?

  /// - Parameter scope: The scope if the challenge names none: `repository:NAME:pull`.
  /// - Returns: `nil` if the URL would be too long.
  package init?(_ realm: RequestURL, service: String?, scope: String, account: RegistryAccount?) {
    var fields: [FormField] = []
    if let service { fields.append(FormField("service", service)) }
    fields.append(FormField("scope", scope))
    if case .identity(let token) = account {
      fields += [
        FormField("grant_type", "refresh_token"), FormField("client_id", "dray"), FormField("refresh_token", token),
      ]
      (url, form) = (realm, FormEncoding.body(fields))
      return
    }
    authorization = account?.basic
    let query = String(decoding: FormEncoding.body(fields), as: UTF8.self)
    let joined = realm.withoutQuery.string + "?" + (realm.query.map { $0.isEmpty ? query : "\($0)&\(query)" } ?? query)
    guard let whole = try? RequestURL.parse(joined).url else { return nil }
    url = whole
  }
}

/// A token, and how long it is accepted.
package struct RegistryToken: Sendable, Equatable {
  package var text: String
  /// In seconds.
  package var life: Double

  /// The life of a token whose server states none.
  private static let usual = 60.0
  private static let kind = "the answer of a token server"

  package init(text: String, life: Double) { (self.text, self.life) = (text, life) }

  /// - Throws: ``DocumentError``, which does not show the token.
  package static func parse(_ bytes: [UInt8]) throws(DocumentError) -> RegistryToken {
    let root = try JSONNode.parse(bytes, kind: kind)
    guard let text = ["token", "access_token"].lazy.compactMap({ root[$0]?.string }).first(where: { !$0.isEmpty })
    else {
      throw DocumentError(kind, "it has no token")
    }
    guard TokenText.isUsable(text) else { throw DocumentError(kind, "its token cannot be sent") }
    let life = root["expires_in"]?.integer.map { Double(min(max($0, 1), 86_400)) }
    return RegistryToken(text: text, life: life ?? usual)
  }
}
