// The unit of systemd that `dray serve --install` writes: a text.

/// A unit for the service manager of a user.
struct ServiceUnit: Equatable {
  /// The program and its words.
  var command: [String]
  /// Where relative paths begin.
  var workingDirectory: String?
  /// Variables that say where the state and the configuration are.
  var environment: [(name: String, value: String)] = []

  /// What systemd itself sees to. A service manager of a user can do no more without namespaces.
  static let rules = [
    "Type=notify", "WatchdogSec=2min",
    "# SIGTERM ends it after a clean checkpoint, and says so with 143.", "SuccessExitStatus=143",
    "Restart=on-failure", "RestartSec=10", "RestartPreventExitStatus=2", "TimeoutStopSec=30",
    "NoNewPrivileges=yes", "LockPersonality=yes", "RestrictRealtime=yes", "RestrictSUIDSGID=yes",
    "RestrictNamespaces=yes", "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
    "SystemCallArchitectures=native",
  ]

  /// The text of its file.
  var text: String {
    var lines = [
      "# Written by dray serve --install; dray serve --uninstall removes it. Settings belong into dray's configuration.",
      "",
      "[Unit]", "Description=dray, transfers the queue of downloads and answers its clients",
      "Documentation=man:dray-serve(1) man:dray-config(5)", "", "[Service]",
      "ExecStart=" + command.map(ServiceUnit.word).joined(separator: " "),
    ]
    if let workingDirectory { lines.append("WorkingDirectory=" + ServiceUnit.value(workingDirectory)) }
    lines += environment.map { "Environment=" + ServiceUnit.word("\($0.name)=\($0.value)", isCommand: false) }
    lines += ServiceUnit.rules + ["", "[Install]", "WantedBy=default.target"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// A word as systemd reads it (systemd.syntax(7), systemd.service(5), "COMMAND LINES").
  static func word(_ text: String) -> String { word(text, isCommand: true) }

  private static func word(_ text: String, isCommand: Bool) -> String {
    var word = value(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    // Variables are put into commands, and nowhere else.
    if isCommand { word = word.replacing("$", with: "$$") }
    let isPlain =
      !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !text.contains { "\"'\\;".contains($0) }
    return isPlain ? word : "\"\(word)\""
  }

  /// A value without specifiers.
  private static func value(_ text: String) -> String { text.replacing("%", with: "%%") }

  static func == (one: ServiceUnit, other: ServiceUnit) -> Bool { one.text == other.text }
}
