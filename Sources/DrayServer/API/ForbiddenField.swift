// Names of fields that are well known, but that callers of the API must not set. An error refuses such a field by its
// name, and gives the reason.

internal import DrayCore

enum ForbiddenField {
  /// The names as they are in lists (`-i`), in aria2 and in this API, with the reason why the API refuses them.
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

  /// The names that other programs have for settings of dray.
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
