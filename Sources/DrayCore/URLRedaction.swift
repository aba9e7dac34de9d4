// Hides what is secret in URLs before people see them (P7).

internal import Foundation

/// Hides user names, passwords and secret query parameters.
public enum URLRedaction {
  /// Parameter names that say secret, lower case, with `-` and `_` taken out.
  private static let secretNames: Set<String> = [
    "token", "accesstoken", "refreshtoken", "idtoken", "authtoken", "apitoken", "key", "apikey", "accesskey",
    "secretkey", "privatekey", "sig", "signature", "hmac", "password", "passwd", "passphrase", "pass", "pwd", "auth",
    "authorization", "session", "sessionid", "sid", "secret", "clientsecret", "credential", "credentials", "jwt",
    "ticket", "code", "policy", "keypairid", "awsaccesskeyid", "googleaccessid", "hdnea", "hdnts",
  ]
  private static let secretPrefixes = ["xamz", "xgoog", "xoss", "xcos"]

  /// The URL with `…` in the place of its secrets. Text that is no URL is treated the same way.
  public static func redacted(_ url: String) -> String {
    var text = url
    if let slashes = text.range(of: "//") {
      let rest = text[slashes.upperBound...]
      let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
      if let at = rest[..<end].lastIndex(of: "@") {
        text = String(text[..<slashes.upperBound]) + "…" + String(text[at...])
      }
    }
    guard let mark = text.firstIndex(of: "?") else { return text }
    let fragment = text[mark...].firstIndex(of: "#") ?? text.endIndex
    let pairs = text[text.index(after: mark)..<fragment]
      .split(omittingEmptySubsequences: false) { $0 == "&" || $0 == ";" }
      .map { pair -> String in
        guard let equals = pair.firstIndex(of: "="), isSecret(pair[..<equals]) else { return String(pair) }
        return pair[...equals] + "…"
      }
    return text[...mark] + pairs.joined(separator: "&") + text[fragment...]
  }

  /// A longer text with every URL in it redacted.
  public static func redactingURLs(in text: String) -> String {
    guard text.contains("://") else { return text }
    var result = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !result.isEmpty || word.startIndex != text.startIndex { result += " " }
      result += word.contains("://") ? redacted(String(word)) : String(word)
    }
    return result
  }

  /// Whether a parameter or field of this name is taken for a secret.
  public static func isSecret(_ name: some StringProtocol) -> Bool {
    let folded = name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != "." }
    return secretNames.contains(folded) || secretPrefixes.contains { folded.hasPrefix($0) }
      || folded.hasSuffix("token") || folded.hasSuffix("password") || folded.hasSuffix("secret")
      || folded.hasSuffix("signature") || folded.hasSuffix("apikey")
  }
}
