// Well-known fields that API callers must not set. They are refused by name, with the reason.

internal import DrayCore

enum ForbiddenField {
  /// The names in lists (`-i`), in aria2 and in this API's style, with the reason for each refusal.
  static let all: [(names: [String], what: String)] =
    Setting.all.compactMap { setting in
      if case .refused(let what) = setting.client { ([setting.name, camelCase(setting.name)], what) } else { nil }
    }
    + others.compactMap { names, setting in
      if case .refused(let what) = Setting.named(setting)?.client { (names, what) } else { nil }
    } + [
      (["body", "data", "form", "upload", "json", "method"], "files are fetched, and nothing is sent"),
      (["adopt", "adopts", "takeOver"], "it would read a file of this machine"),
    ]

  /// Other programs' names for settings.
  private static let others: [(names: [String], setting: String)] = [
    (["allProxy", "all-proxy"], "proxy"), (["addresses"], "resolve"),
    (["isInsecure", "checkCertificate", "check-certificate"], "insecure"), (["caFile", "ca-certificate"], "cacert"),
    (["certificate", "privateKey"], "cert"), (["hooks"], "on-complete"), (["netrc"], "netrc-file"),
    (["cookies", "load-cookies", "cookiesFrom"], "cookie-jar"), (["sign"], "aws-profile"),
  ]

  private static func camelCase(_ name: String) -> String {
    let words = name.split(separator: "-")
    return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  static func refusal(of name: String, at place: String) -> APIFailure? {
    guard let row = all.first(where: { $0.names.contains(name) }) else { return nil }
    return .forbidden("\(place) is not for callers of the API: \(row.what)", advice: "omit it, or use dray add")
  }
}
