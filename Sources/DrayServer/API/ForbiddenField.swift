// Fields that somebody may know from elsewhere, and that no caller from outside gets: refused by name, and with the reason.

/// What of a job only the user of this machine says.
enum ForbiddenField {
  /// The names, as lists (`-i`), aria2 and this API's style have them, and what they would do.
  static let all: [(names: [String], what: String)] = [
    (["proxy", "allProxy", "all-proxy", "proxyUser", "proxy-user"], "a proxy sees what is fetched"),
    (
      ["resolve", "addresses", "interface", "own-service", "ownService"],
      "another route to the server exposes the traffic"
    ),
    (["insecure", "isInsecure", "checkCertificate", "check-certificate"], "certificates are always checked"),
    (
      ["cacert", "capath", "caFile", "ca-certificate", "pinnedpubkey"],
      "which certificates are trusted is said on this machine"
    ),
    (["cert", "certificate", "key", "pass", "privateKey"], "certificates and keys are files of this machine"),
    (["onComplete", "on-complete", "onError", "on-error", "hooks"], "a command would run on this machine"),
    (["body", "data", "form", "upload", "json", "method"], "files are fetched, and nothing is sent"),
    (["netrc", "netrcFile", "netrc-file"], "it is a file of this machine"),
    (["cookies", "cookieJar", "cookie-jar", "load-cookies", "cookiesFrom"], "they are in files of this machine"),
    (["adopt", "adopts", "takeOver"], "it would read a file of this machine"),
    (["verifyKey", "verify-key"], "keys are files of this machine"),
    (["awsProfile", "aws-profile", "endpoint-url", "sign"], "it would use keys of this machine"),
  ]

  /// The refusal of a field; nil for a name that means nothing.
  static func refusal(of name: String, at place: String) -> APIFailure? {
    guard let row = all.first(where: { $0.names.contains(name) }) else { return nil }
    return .forbidden("\(place) is not for callers of the API: \(row.what)", advice: "omit it, or use dray add")
  }
}
