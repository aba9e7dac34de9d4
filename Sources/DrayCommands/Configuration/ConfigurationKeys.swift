// The options that no configuration may set, with the reasons, and the values that are secret.

internal import DrayKit
internal import DrayWire

enum ConfigurationKeys {
  /// Returns the reason why neither a file nor the environment can set an option; `nil` if they can.
  static func refusal(_ name: String) -> String? {
    let setting = Setting.named(name)
    if let reason = reasons[name] ?? setting?.notForAll { return reason }
    return setting?.isOfOneServer ?? false || ["password", "bearer"].contains(name)
      ? "it would be sent to every server: put it into a section such as [host.\"example.org\"]" : nil
  }

  /// Returns the reason why a header field cannot be set for all servers; `nil` if it can.
  static func refusal(header line: String) -> String? {
    let name = line.prefix { $0 != ":" }.lowercased()
    return SafeHead.isSecretName(name)
      ? "\(name) would be sent to every server: put it into a [host.\"…\"] section" : nil
  }

  /// Whether an option has another meaning in this command than in those where it is a setting of jobs: here it selects
  /// jobs, or concerns a whole queue. The configuration does not set such an option.
  static func isOther(_ name: String, of command: [String]) -> Bool {
    ["queue", "label"].contains(name) && command == ["list"] || name == "between" && command == ["queue", "set"]
  }

  private static let request = "it applies to one request: use it on the command line"
  private static let service = "it says what to do with the service now: use it on the command line"
  private static let queue = "`dray queue set` keeps it with the queue"
  private static let browser = "it names a browser: use it on the command line"
  private static let output = "scripts rely on what a command prints: use it on the command line"

  /// Returns a key as it is written in the file. A key that contains a dot is quoted, because TOML would take it for a
  /// table.
  static func text(_ name: String) -> String { name.contains(".") ? "\"\(name)\"" : name }

  private static let reasons: [String: String] = [
    "output": "it names one file: use it on the command line, or out= in a list",
    "input-file": "it says what to fetch: use it on the command line",
    "metalink-file": "it says what to fetch: use it on the command line",
    "catalog": "it says what to fetch: use it on the command line",
    "adopt": "it applies to one file: use it on the command line",
    "new-link": "it applies to one job: use it on the command line",
    "jobs": "it would change what runs at each call: max-concurrent-downloads sets it for runners to come",
    "rate": queue, "quota": queue, "directory": queue,
    "window": "it would change what runs at each call: between sets it for jobs and runners to come",
    "first": "it names a place in the queue: use it on the command line",
    "last": "it names a place in the queue: use it on the command line",
    "before": "it names a job: use it on the command line",
    "data": request, "data-urlencode": request, "data-raw": request, "data-binary": request, "form": request,
    "form-string": request, "json-body": request, "plist-body": request, "upload-file": request, "query": request,
    "request": request, "head": request, "get": request,
    "keep-credentials": "it would apply to every new server: use it on the command line",
    "detach": service, "status": service, "stop": service, "show-secret": service, "install": service,
    "uninstall": service, "run": service,
    "chromium": browser, "chrome": browser, "brave": browser, "edge": browser, "vivaldi": browser, "firefox": browser,
    "librewolf": browser, "user-data-dir": browser, "extension-id": browser,
    "count": output, "limit": output, "code": "it selects jobs: use it on the command line",
    "again": request, "list": request, "dry-run": request, "defaults": output, "json": output,
    "reveal": "secrets are shown only on request: use it on the command line",
    "all": "it would affect every job: use it on the command line",
    "password-stdin": "standard input belongs to one command: use it on the command line",
    "host": "it applies to one request here: use it on the command line",
    "assume-type": request, "assume-size": request,
    "config": "it names this file: use it on the command line, or set DRAY_CONFIG",
    "no-config": "it would disable this file: use it on the command line",
    "help": output, "version": output,
  ]

  /// Whether other users must not read the value of an option.
  static func isSecret(_ name: String, _ value: String) -> Bool {
    switch name {
    case "header": SafeHead.isSecretName(value.prefix { $0 != ":" }.lowercased())
    case "password": true
    case StoreChoice.key: StoreAddress.hasPassword(value)
    default: Setting.named(name).map { $0.isOfOneServer && !value.isEmpty || $0.isSecret(value) } ?? false
    }
  }

  private static func hasUserInfo(_ proxy: String) -> Bool { proxy.contains("@") }

  static func shown(_ name: String, _ value: String) -> String {
    switch name {
    case "header":
      return TextSafety.escaped(SafeHead.request(ConfigurationKeys.field(value)))
    case "proxy" where hasUserInfo(value):
      let scheme = value.firstRange(of: "://").map { String(value[..<$0.upperBound]) } ?? ""
      return TextSafety.escaped("\(scheme)…@\(value[(value.lastIndex(of: "@") ?? value.startIndex)...].dropFirst())")
    case "user" where value.contains(":"):
      return TextSafety.escaped("\(value.prefix { $0 != ":" }):…")
    case "user": return TextSafety.escaped(value)
    case "referer": return TextSafety.escaped(URLRedaction.redactingURLs(in: value))
    default:
      return isSecret(name, value) ? "…" : TextSafety.escaped(URLRedaction.redactingURLs(in: value))
    }
  }

  private static func field(_ line: String) -> HeaderField {
    let name = line.prefix { $0 != ":" }
    return HeaderField(String(name), String(line.dropFirst(name.count + 1).trimmingSpaces()))
  }
}
