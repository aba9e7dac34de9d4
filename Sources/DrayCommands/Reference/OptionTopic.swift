// The options by topic, as help and manual show them. An option that no topic names is assigned by the title of its
// group in the definition, so a new option needs no entry here.

/// A group of options.
struct OptionTopic: Sendable {
  /// The name for `dray help get NAME`.
  let name: String
  /// The heading.
  let title: String
  /// The long names of options, in display order.
  var options: [String] = []
  /// The title of a group in the definition. New options of that group are added to this topic.
  var home: String?

  /// All topics, in display order.
  static let all: [OptionTopic] = [
    OptionTopic(
      name: "input", title: "What is fetched",
      options: ["input-file", "metalink-file", "metalink", "catalog", "mirror"]),
    OptionTopic(
      name: "files", title: "Names and places of files",
      options: ["output", "dir", "temp-dir", "on-conflict", "if-changed", "no-mtime", "xattr"], home: "File options"),
    OptionTopic(
      name: "verify", title: "Checking and resuming",
      options: ["checksum", "verify", "verify-key", "expect-type", "resume", "no-sync"]),
    OptionTopic(
      name: "speed", title: "Rates and connections",
      options: [
        "max-connections", "max-concurrent-downloads", "max-per-host", "limit-rate", "max-overall-rate", "max-transfer",
        "pace", "jitter",
      ],
      home: "Run options"),
    OptionTopic(
      name: "queue", title: "Order and time", options: ["queue", "priority", "after", "start-at", "between"]),
    OptionTopic(
      name: "retries", title: "Retries and timeouts",
      options: [
        "retries", "retry-wait", "max-retry-wait", "retry-status", "retry-all-errors", "connect-timeout",
        "stall-timeout",
      ]),
    OptionTopic(
      name: "http", title: "Header fields and HTTP",
      options: [
        "header", "user-agent", "referer", "query", "max-redirs", "proto", "no-cache", "http1.1", "http2", "http3",
      ], home: "Request options"),
    OptionTopic(
      name: "send", title: "Forms, files, other methods",
      options: [
        "data", "data-raw", "data-binary", "data-urlencode", "get", "form", "form-string", "json-body", "plist-body",
        "upload-file", "request", "post301", "post302", "post303",
      ], home: "Options for what is sent"),
    OptionTopic(
      name: "login", title: "User names and passwords",
      options: [
        "user", "password-stdin", "netrc", "netrc-file", "oauth2-bearer", "basic", "digest", "ntlm", "negotiate",
        "anyauth",
      ], home: "Authentication options"),
    OptionTopic(
      name: "cookies", title: "Cookies", options: ["cookie", "cookie-jar", "no-cookies", "cookies-from-browser"],
      home: "Cookie options"),
    OptionTopic(
      name: "tls", title: "Certificates and keys",
      options: ["insecure", "cacert", "capath", "cert", "key", "pass", "pinnedpubkey"]),
    OptionTopic(
      name: "proxy", title: "Proxies",
      options: [
        "proxy", "proxy-user", "proxy-basic", "proxy-digest", "proxy-ntlm", "proxy-negotiate", "proxy-anyauth",
      ]),
    OptionTopic(
      name: "network", title: "Addresses and interfaces",
      options: ["ipv4", "ipv6", "resolve", "interface", "own-service"],
      home: "Connection options"),
    OptionTopic(name: "ftp", title: "FTP and SFTP", options: ["ssl", "ssl-reqd", "hostpubsha256"]),
    OptionTopic(
      name: "s3", title: "Buckets of S3", options: ["endpoint-url", "aws-profile", "aws-region", "no-sign-request"]),
    OptionTopic(
      name: "hooks", title: "Commands run at the end",
      options: ["on-complete", "on-error", "hook-shell", "hook-timeout", "when-done"], home: "Hook options"),
    OptionTopic(
      name: "display", title: "Progress and messages",
      options: ["progress", "print-path", "quiet", "verbose", "notify", "notify-after", "bell"], home: "Display options"
    ),
  ]

  /// The most important options, in order. The first ones that a command has are in its short help and at the top of
  /// its completions.
  private static let usual = [
    "output", "dir", "listen", "root", "secret-file", "input-file", "recursive", "max-connections",
    "max-concurrent-downloads",
    "limit-rate", "on-conflict",
    "if-changed", "checksum", "verify", "header", "user", "cookie", "data", "proxy", "insecure", "after", "progress",
    "quiet", "verbose", "mirror", "priority", "start-at", "between", "max-overall-rate",
    "retries",
  ]

  /// Their short descriptions, for a line of a short help.
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

  /// Returns the short description of an option.
  static func words(_ option: ArgumentReference) -> String {
    // An option of only one command may share its name with another option.
    if !option.isOwn || option.key == "head", let known = words[option.key] { return known }
    let abstract = (option.abstract ?? "").lowercasedFirst
    return abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract
  }

  /// The maximum number of options in a short help.
  static let few = 20

  /// Returns the most important options of a command: its own, then the usual ones.
  static func usual(_ command: CommandReference, atMost count: Int = few) -> [ArgumentReference] {
    let options = command.visibleOptions
    let own = options.filter(\.isOwn)
    let known = usual.compactMap { name in options.first { !$0.isOwn && $0.key == name } }
    return Array((own + known).prefix(count))
  }

  /// Returns the options of a command by topic. Its own come first, without a heading.
  static func divide(_ options: [ArgumentReference]) -> [(topic: OptionTopic?, options: [ArgumentReference])] {
    var divided: [(topic: OptionTopic?, options: [ArgumentReference])] = []
    let own = options.filter(\.isOwn)
    if !own.isEmpty { divided.append((nil, own)) }
    var rest = options.filter { !$0.isOwn }
    for topic in all {
      let named = topic.options.compactMap { name in rest.first { $0.key == name } }
      let new = rest.filter { !isNamed($0.key) && topic.home != nil && $0.sectionTitle == topic.home }
      if !(named + new).isEmpty { divided.append((topic, named + new)) }
    }
    let placed = Set(divided.flatMap(\.options).map(\.key))
    rest.removeAll { placed.contains($0.key) }
    // A group with an unknown title is a separate topic, named by the first word of the title.
    while let title = rest.first?.sectionTitle {
      let word = title.lowercased().prefix { $0.isLetter || $0.isNumber }
      divided.append((OptionTopic(name: String(word), title: title), rest.filter { $0.sectionTitle == title }))
      rest.removeAll { $0.sectionTitle == title }
    }
    return divided
  }

  private static let named = Set(all.flatMap(\.options))

  private static func isNamed(_ option: String) -> Bool { named.contains(option) }
}

extension ArgumentReference {
  /// Whether the option belongs to one command only, outside any group.
  var isOwn: Bool { sectionTitle == nil }
}
