// aria2's options on a command line: their syntax, their letters, and the options that exist only on a command line or
// in a configuration file.

extension Aria2Option {
  package static let names = Set(all.map(\.name))

  /// Returns the option with a name. The name may be abbreviated if only one option begins with it.
  package static func named(_ name: String) -> Aria2Option? {
    if let option = byName[name] { return option }
    let found = name.isEmpty ? [] : all.filter { $0.name.hasPrefix(name) }
    return found.count == 1 ? found[0] : nil
  }

  package static func lettered(_ letter: Character) -> Aria2Option? { letters[letter].flatMap { byName[$0] } }

  /// Whether the option's value may be omitted. If the value is given, it is in the same word as the option's name.
  package var isSwitch: Bool { isFlag || name == "optimize-concurrent-downloads" }

  /// Whether the option may have this value. Only the values of flags are checked.
  package func accepts(_ value: String) -> Bool { !isFlag || value == "true" || value == "false" }

  private var isFlag: Bool {
    switch form {
    case .boolean, .only: true
    default: false
    }
  }

  private static let letters: [Character: String] = [
    "a": "file-allocation", "c": "continue", "d": "dir", "D": "daemon", "i": "input-file",
    "j": "max-concurrent-downloads", "k": "min-split-size", "l": "log", "m": "max-tries", "M": "metalink-file",
    "n": "no-netrc", "o": "out", "O": "index-out", "p": "ftp-pasv", "P": "parameterized-uri", "q": "quiet",
    "R": "remote-time", "s": "split", "S": "show-files", "t": "timeout", "T": "torrent-file",
    "u": "max-upload-limit", "U": "user-agent", "V": "check-integrity", "x": "max-connection-per-server",
    "Z": "force-sequential",
  ]

  /// The options that clients cannot set. Clients can see some of them.
  static let ofLine =
    options(
      .boolean,
      """
      bt-detach-seed-only daemon deferred-input enable-async-dns6 enable-color enable-direct-io enable-xml-rpc
      force-sequential human-readable no-conf no-want-digest-header quiet rpc-allow-origin-all rpc-listen-all rpc-secure
      show-console-readout show-files stderr truncate-console-readout
      """)
    + options(
      .text,
      """
      async-dns-server auto-save-interval bt-keep-alive-interval bt-lpd-interface bt-request-timeout bt-timeout
      ca-certificate certificate conf-path console-log-level dht-entry-point dht-entry-point6 dht-file-path dht-file-path6
      dht-listen-addr6 dht-listen-port dht-message-timeout dns-timeout dscp event-poll input-file interface listen-port
      load-cookies log metalink-file metalink-servers min-tls-version multiple-interface netrc-path
      on-bt-download-complete on-download-complete on-download-error on-download-pause on-download-start
      on-download-stop peer-agent peer-connection-timeout peer-id-prefix private-key rlimit-nofile rpc-certificate
      rpc-listen-port rpc-passwd rpc-private-key rpc-secret rpc-user save-cookies save-session server-stat-if
      server-stat-of server-stat-timeout socket-recv-buffer-size startup-idle-time stop stop-with-process
      summary-interval torrent-file xml-rpc-listen-port
      """)

  private static func options(_ form: OptionForm, _ names: String) -> [Aria2Option] {
    names.split(whereSeparator: \.isWhitespace).map { name in
      Aria2Option(String(name), form, told[String(name)], .nowhere)
    }
  }

  /// The values that clients see. A front end shows a setting without a value as broken. The path of a file that dray
  /// does not have is empty. ``Aria2OptionMethods`` adds the port.
  private static let told: [String: String] = [
    "auto-save-interval": "60", "bt-detach-seed-only": "false", "ca-certificate": "", "conf-path": "",
    "console-log-level": "notice", "daemon": "false", "deferred-input": "false", "dht-file-path": "",
    "dht-file-path6": "", "dht-listen-port": "6881-6999", "dht-message-timeout": "10", "dscp": "0",
    "enable-color": "true", "event-poll": "epoll", "human-readable": "true", "listen-port": "6881-6999",
    "min-tls-version": "TLSv1.2", "netrc-path": "", "no-conf": "true", "peer-agent": "aria2/1.36.0",
    "peer-id-prefix": "A2-1-36-0-", "quiet": "true", "rlimit-nofile": "1024", "rpc-allow-origin-all": "false",
    "rpc-listen-all": "false", "rpc-listen-port": "6800", "rpc-secure": "false", "server-stat-timeout": "86400",
    "show-console-readout": "true", "show-files": "false", "socket-recv-buffer-size": "0", "stderr": "false",
    "stop": "0", "summary-interval": "60", "truncate-console-readout": "true",
  ]
}
