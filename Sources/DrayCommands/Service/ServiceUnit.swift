// The text of the systemd unit that `dray serve --install` writes.

internal import DrayKit

struct ServiceUnit: Equatable {
  /// The program that the unit starts, and its arguments.
  var command: [String]
  /// The base of relative paths; `nil` if there are none.
  var workingDirectory: String?
  /// The environment variables that name the places of the state and the configuration.
  var environment: [(name: String, value: String)] = []

  /// The directives that restrict the service. The service manager of a user has no namespaces, so it cannot restrict
  /// more.
  static let rules = [
    "Type=notify", "WatchdogSec=2min",
    "# SIGTERM ends it after a clean checkpoint, and says so with 143.", "SuccessExitStatus=143",
    "Restart=on-failure", "RestartSec=10", "RestartPreventExitStatus=2", "TimeoutStopSec=30",
    "NoNewPrivileges=yes", "LockPersonality=yes", "RestrictRealtime=yes", "RestrictSUIDSGID=yes",
    "RestrictNamespaces=yes", "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
    "SystemCallArchitectures=native",
  ]

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

  /// A line for a crontab(5) that starts the same service on a system without systemd.
  var cronLine: String {
    let variables = environment.map { "\($0.name)=" + CommandWords.joined([$0.value]) }
    let place = workingDirectory.map { "cd \(CommandWords.joined([$0])) && " } ?? ""
    let line = place + (variables + [CommandWords.joined(command + ["--detach"])]).joined(separator: " ")
    // For cron, a percent sign without a backslash ends the command.
    return "@reboot " + line.replacing("%", with: "\\%")
  }

  /// Quotes a word for systemd (systemd.syntax(7), systemd.service(5), "COMMAND LINES").
  static func word(_ text: String) -> String { word(text, isCommand: true) }

  private static func word(_ text: String, isCommand: Bool) -> String {
    var word = value(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    // systemd replaces variables only in commands.
    if isCommand { word = word.replacing("$", with: "$$") }
    let isPlain =
      !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !text.contains { "\"'\\;".contains($0) }
    return isPlain ? word : "\"\(word)\""
  }

  /// Escapes the percent signs in a value, which systemd would take for specifiers.
  private static func value(_ text: String) -> String { text.replacing("%", with: "%%") }

  static func == (one: ServiceUnit, other: ServiceUnit) -> Bool { one.text == other.text }
}
