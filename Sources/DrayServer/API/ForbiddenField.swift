// Well-known fields that API callers must not set. They are refused by name, with the reason.

/// The fields that only this machine's user may set.
enum ForbiddenField {
  /// The names in lists (`-i`), in aria2 and in this API's style, with the reason for each refusal.
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

  /// Returns the refusal of a field; `nil` for any other name.
  static func refusal(of name: String, at place: String) -> APIFailure? {
    guard let row = all.first(where: { $0.names.contains(name) }) else { return nil }
    return .forbidden("\(place) is not for callers of the API: \(row.what)", advice: "omit it, or use dray add")
  }
}
