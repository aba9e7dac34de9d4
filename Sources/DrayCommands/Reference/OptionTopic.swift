// The options by topic, as the help and the manual show them. If an option is a setting, its row in the table of
// settings names its topic. Any other option that no topic lists is assigned by the title of its group in the
// definition, so a new option needs no entry here.

internal import DrayKit

struct OptionTopic: Sendable {
  /// The name that `dray help get NAME` uses for the topic.
  let name: String
  let title: String
  /// The long names of the options that are shown before the settings, in this order.
  var first: [String] = []
  /// The long names of the options that are shown after the settings, in this order.
  var last: [String] = []
  /// The title of a group in the definition. New options of that group are shown in this topic.
  var home: String?

  /// All topics, in the order in which they are shown.
  static let all: [OptionTopic] = [
    OptionTopic(
      name: "input", title: "What is fetched",
      first: ["input-file", "metalink-file", "metalink", "catalog", "no-names"]),
    OptionTopic(name: "files", title: "Names and places of files", first: ["output"], home: "File options"),
    OptionTopic(name: "verify", title: "Checking and resuming", last: ["no-sync"]),
    OptionTopic(
      name: "speed", title: "Rates and connections",
      last: ["max-concurrent-downloads", "max-per-host", "max-overall-rate", "max-transfer"], home: "Run options"),
    OptionTopic(name: "queue", title: "Order and time"),
    OptionTopic(name: "fleet", title: "Several runners, and their figures", home: "Fleet options"),
    OptionTopic(name: "retries", title: "Retries and timeouts"),
    OptionTopic(name: "http", title: "Header fields and HTTP", last: ["query"], home: "Request options"),
    OptionTopic(
      name: "send", title: "Forms, files, other methods",
      first: [
        "data", "data-raw", "data-binary", "data-urlencode", "get", "form", "form-string", "json-body", "plist-body",
        "upload-file", "request", "post301", "post302", "post303",
      ], home: "Options for what is sent"),
    OptionTopic(
      name: "login", title: "User names and passwords", last: ["password-stdin", "netrc"],
      home: "Authentication options"),
    OptionTopic(name: "cookies", title: "Cookies", last: ["cookies-from-browser"], home: "Cookie options"),
    OptionTopic(name: "tls", title: "Certificates and keys"),
    OptionTopic(name: "proxy", title: "Proxies"),
    OptionTopic(name: "network", title: "Addresses and interfaces", home: "Connection options"),
    OptionTopic(name: "ftp", title: "FTP and SFTP"),
    OptionTopic(name: "s3", title: "Buckets of S3"),
    OptionTopic(
      name: "hooks", title: "Commands run at the end", last: ["hook-shell", "hook-timeout", "when-done"],
      home: "Hook options"),
    OptionTopic(
      name: "display", title: "Progress and messages",
      first: ["progress", "print-path", "quiet", "verbose", "notify", "notify-after", "bell"], home: "Display options"),
  ]

  /// The most important options, in order. If a command has them, they come first in its short help and in its
  /// completions.
  private static let usual = [
    "output", "dir", "listen", "root", "secret-file", "input-file", "recursive", "max-connections",
    "max-concurrent-downloads",
    "limit-rate", "on-conflict",
    "if-changed", "checksum", "verify", "header", "user", "cookie", "data", "proxy", "insecure", "after", "progress",
    "quiet", "verbose", "mirror", "priority", "start-at", "between", "max-overall-rate",
    "retries",
  ]

  /// Short descriptions of these options, for one line of a short help.
  private static let words = [
    "output": "name the file; - is standard output", "dir": "put files into this directory",
    "input-file": "read URLs from a file; - is standard input",
    "recursive": "fetch all files below a directory",
    "max-connections": "connections for one file (default: auto)",
    "max-concurrent-downloads": "files at once (default: auto)",
    "limit-rate": "bytes per second of each file: 500k, 2M",
    "max-overall-rate": "bytes per second of all, or a timetable",
    "max-per-host": "connections to one server (default: auto)",
    "on-conflict": "if the target exists (default: fail)",
    "if-changed": "only if it changed on the server", "checksum": "what it must be: sha-256=HEX",
    "verify": "where to find its digest (default: offered)", "header": "send this header field",
    "user": "for the URL's server", "cookie": "send these cookies, or those in a file",
    "data": "send a form; @FILE is a file", "proxy": "use this proxy; an empty value disables it",
    "insecure": "do not check certificates", "after": "start when this job is complete",
    "progress": "how to show progress", "quiet": "print only errors", "verbose": "print more",
    "mirror": "another URL of the same file", "priority": "higher runs first (default: 0)",
    "start-at": "not before this time: 23:00, +2h",
    "between": "only at these times: 01:00-07:00", "retries": "tries without progress (default: 5)",
    "head": "print the header fields only",
  ]

  static func words(_ option: ArgumentReference) -> String {
    // An option that only one command has may have the same name as another option.
    if !option.isOwn || option.key == "head", let known = words[option.key] { return known }
    let abstract = (option.abstract ?? "").lowercasedFirst
    return abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract
  }

  static let few = 20

  /// Returns the most important options of a command: first its own, and then those in `usual`.
  static func usual(_ command: CommandReference, atMost count: Int = few) -> [ArgumentReference] {
    let options = command.visibleOptions
    let own = options.filter(\.isOwn)
    let known = usual.compactMap { name in options.first { !$0.isOwn && $0.key == name } }
    return Array((own + known).prefix(count))
  }

  /// Returns the options of a command by topic. The options that only this command has come first, without a heading.
  static func divide(_ options: [ArgumentReference]) -> [(topic: OptionTopic?, options: [ArgumentReference])] {
    var divided: [(topic: OptionTopic?, options: [ArgumentReference])] = []
    let own = options.filter(\.isOwn)
    if !own.isEmpty { divided.append((nil, own)) }
    var rest = options.filter { !$0.isOwn }
    for topic in all {
      func named(_ names: [String]) -> [ArgumentReference] {
        names.compactMap { name in rest.first { $0.key == name } }
      }
      let settings = rest.filter { setting($0.key)?.rawValue == topic.name }
      let new = rest.filter { !isNamed($0.key) && topic.home != nil && $0.sectionTitle == topic.home }
      let found = named(topic.first) + settings + named(topic.last) + new
      if !found.isEmpty { divided.append((topic, found)) }
    }
    let placed = Set(divided.flatMap(\.options).map(\.key))
    rest.removeAll { placed.contains($0.key) }
    // A group with an unknown title becomes a separate topic, named after the first word of the title.
    while let title = rest.first?.sectionTitle {
      let word = title.lowercased().prefix { $0.isLetter || $0.isNumber }
      divided.append((OptionTopic(name: String(word), title: title), rest.filter { $0.sectionTitle == title }))
      rest.removeAll { $0.sectionTitle == title }
    }
    return divided
  }

  private static let named = Set(all.flatMap { $0.first + $0.last })

  private static func setting(_ option: String) -> SettingTopic? { Setting.named(option)?.topic }

  /// Whether the topic of an option is known.
  private static func isNamed(_ option: String) -> Bool { named.contains(option) || setting(option) != nil }
}

extension ArgumentReference {
  /// Whether the option belongs only to one command, and to no group.
  var isOwn: Bool { sectionTitle == nil }
}
