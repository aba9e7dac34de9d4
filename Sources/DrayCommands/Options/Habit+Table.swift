// The options of curl, wget and aria2 that dray translates or refuses, as the manual lists them. Options that are
// settings of jobs are not in this table: their rows in the table of settings contain the names in other programs.

internal import DrayKit

extension Habit {
  /// Returns an option that dray has under another name, with the same value.
  private static func same(_ names: String, _ option: String) -> Habit {
    Habit(names, .required, .words([option, "%"]), option)
  }

  /// Returns a flag that dray has under another name.
  private static func flag(_ names: String, _ option: String) -> Habit { Habit(names, .none, .words([option]), option) }

  /// Returns a flag of dray that other programs switch with a value.
  private static func switched(_ names: String, _ words: String) -> Habit {
    Habit(names, .optional, .decided { unless($0, "false", words.split(separator: " ").map(String.init)) }, words)
  }

  /// Returns a limit, where 0 means no limit.
  private static func limit(_ names: String, _ option: String) -> Habit {
    Habit(names, .required, .decided { unless($0, "0", [option, $0]) }, option)
  }

  private static func usual(_ names: String, _ value: Value, _ note: String) -> Habit {
    Habit(names, value, .usual, note)
  }

  /// Returns the words for wget's list of patterns and suffixes of names.
  private static func patterns(_ option: String, _ list: String) -> [String]? {
    let words = list.split(separator: ",").flatMap { word in
      [option, word.contains { "*?/".contains($0) } ? String(word) : "*\(word)"]
    }
    return words.isEmpty ? nil : words
  }

  /// Returns the words for a number of tries. dray counts only the tries after the first.
  private static func tries(_ text: String) -> [String]? {
    Int(text).map { ["--retries", "\(AriaMeaning.retries(tries: $0))"] }
  }

  /// Returns the words for wget's limit of all files together. The same letter in curl is an option that sends
  /// commands.
  private static func quota(_ text: String) -> [String]? {
    if text == "0" || text == "inf" { return [] }
    return (try? ByteCount.parse(text)).map { _ in ["--max-transfer", text] }
  }

  /// Returns the words for wget's pause between two requests.
  private static func pause(_ text: String) -> [String]? {
    guard let seconds = try? TimeSpan.parse(text) else { return nil }
    return seconds == 0 ? [] : RequestPace(count: 1, period: seconds).map { ["--pace", "\($0)"] }
  }

  /// Returns the words for the value of curl's `--rate`.
  static func rate(_ text: String) -> [String]? {
    RequestPace(text.contains("/") ? text : text + "/h").map { ["--pace", "\($0)"] }
  }

  private static func unless(_ text: String, _ off: String, _ words: [String]) -> [String] { text == off ? [] : words }

  static let all: [Habit] = settings + names + running + files + connections + requests + refused

  /// The settings of jobs under the names that other programs have for them.
  private static let settings = Setting.all.filter { !$0.foreign.typed.isEmpty }.map { setting -> Habit in
    let (names, option) = (setting.foreign.typed, "--\(setting.name)")
    return setting.isFlag ? flag(names, option) : same(names, option)
  }

  private static let names: [Habit] = [
    usual("-L --location", .none, "redirects are followed"),
    usual(
      "-O --remote-name --remote-name-all -J --remote-header-name --content-disposition --trust-server-names -nd"
        + " --no-directories", .none, "the server or the URL names the file"),
    same("--out --output-document", "--output"),
    usual("--create-dirs", .none, "directories are made"),
    usual("-R --remote-time", .none, "the file gets the server's time"),
    usual("--restrict-file-names --default-page", .required, "names are made safe"),
    Habit("-nc --no-clobber --skip-existing", .none, .words(["--on-conflict", "skip"]), "--on-conflict skip"),
    switched("--auto-file-renaming", "--on-conflict rename"),
    switched("--allow-overwrite", "--on-conflict overwrite"),
    switched("--conditional-get", "--if-changed"),
    flag("--no-glob", "--globoff"),
    usual("--parameterized-uri", .optional, "{a,b} and [1-9] in an argument stand for several URLs"),
    Habit("--url", .required, .decided { [$0] }, "the URL as an argument"),
  ]

  private static let running: [Habit] = [
    Habit(
      "-c --continue", .optional, .decided { $0.isEmpty ? ["--adopt-target"] : [] },
      "`--adopt-target`; what dray began is continued in any case"),
    Habit(
      "-C --continue-at", .required, .decided { $0 == "-" ? ["--adopt-target"] : nil }, "with -: `--adopt-target`"),
    usual(
      "-f --fail --fail-with-body --remove-on-error --fail-early", .none, "an error status is a failure"),
    usual("-S --show-error", .none, "errors are printed"),
    usual("--compressed --tr-encoding", .none, "files are stored as they are"),
    usual(
      "--no-buffer --no-if-modified-since --keep-session-cookies --unlink --styled-output"
        + " --tcp-nodelay --tcp-fastopen --no-keepalive --suppress-connect-headers --path-as-is", .none,
      "makes no difference"),
    usual("-Z --parallel --parallel-immediate", .none, "jobs run side by side"),
    usual("-nv --no-verbose -# --progress-bar --show-progress", .none, "makes no difference"),
    usual(
      "--file-allocation --console-log-level --log-level --summary-interval --disk-cache --auto-save-interval --uri-selector"
        + " --stream-piece-selector --keepalive-time --event-poll --rlimit-nofile --socket-recv-buffer-size --min-tls-version"
        + " --save-session-interval --max-resume-failure-tries --lowest-speed-limit -Y --speed-limit --download-result"
        + " --local-encoding --remote-encoding --prefer-family --certificate-type --private-key-type --cert-type --key-type",
      .required, "makes no difference"),
    usual(
      "--always-resume --async-dns --enable-http-keep-alive --enable-http-pipelining --http-accept-gzip --use-head"
        + " --content-disposition-default-utf8 --reuse-uri --optimize-concurrent-downloads --realtime-chunk-checksum"
        + " --enable-mmap --enable-color --human-readable --show-console-readout --truncate-console-readout --deferred-input"
        + " --allow-piece-length-change --remove-control-file --http-auth-challenge --ftp-pasv --ftp-reuse-connection"
        + " --follow-metalink --follow-torrent --force-sequential", .optional, "makes no difference"),
    Habit("-s --silent", .none, .words(["--quiet"]), "--quiet"),
    Habit("--no-progress-meter", .none, .words(["--progress", "none"]), "--progress none"),
    flag("--server-response", "--verbose"),
    usual("--force-save", .optional, "the queue is always kept"),
    // This option is taken out before the command line is read.
    usual("--no-conf", .optional, "--no-config"),
    flag("--spider", "--head"),
    switched("--dry-run", "--head"),
    Habit("-t --tries --max-tries", .required, .decided(tries), "`--retries`, one less"),
    usual("--retry-connrefused --retry-on-host-error", .none, "what may pass is tried again; `--retry-all-errors`"),
    same("--parallel-max", "--max-concurrent-downloads"),
    Habit("-Q --quota", .required, .decided(quota), "--max-transfer"),
    Habit("--wait", .required, .decided(pause), "`--pace`: `1/2s` for 2 seconds"),
    Habit("--rate", .required, .decided(rate), "`--pace`; without a unit, per hour"),
  ]

  private static let files: [Habit] = [
    usual("--min-split-size --piece-length", .required, "chosen automatically"),
    limit("--max-download-limit", "--limit-rate"),
    limit("--max-overall-download-limit", "--max-overall-rate"),
  ]

  private static let connections: [Habit] = [
    switched("--disable-ipv6", "--ipv4"),
    usual("-1 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --https-only --ssl-no-revoke", .none, "TLS 1.2 or newer is used"),
    Habit(
      "--proto-redir --proto-default --secure-protocol", .required, .usual,
      "a redirect never leads from https to http, nor to other schemes"),
    Habit(
      "--check-certificate", .optional, .decided { $0 == "false" ? ["--insecure"] : [] }, "with =false: --insecure"),
    Habit("--socks5", .required, .words(["--proxy", "socks5://%"]), "--proxy socks5://HOST"),
    Habit("--socks5-hostname", .required, .words(["--proxy", "socks5h://%"]), "--proxy socks5h://HOST"),
    Habit("--socks4", .required, .words(["--proxy", "socks4://%"]), "--proxy socks4://HOST"),
    Habit("--socks4a", .required, .words(["--proxy", "socks4a://%"]), "--proxy socks4a://HOST"),
    usual("-p --proxytunnel --proxy-tunnel", .none, "https goes through a tunnel"),
    usual("--proxy-method", .required, "https goes through a tunnel"),
  ]

  private static let requests: [Habit] = [
    same("--post-data --data-ascii --body-data", "--data"),
    Habit("--post-file --body-file", .required, .words(["--data", "@%"]), "--data @FILE"),
    same("--json", "--json-body"),
    same("--method", "--request"),
    same("--url-query", "--query"),
    flag("-n --netrc-optional", "--netrc"),
    switched("--http-no-cache", "--no-cache"),
  ]

  private static func no(_ names: String, _ value: Value, _ advice: String, _ note: String = "not here") -> Habit {
    Habit(names, value, .refused(advice), note)
  }

  private static let refused: [Habit] = [
    no(
      "--http-user --http-password --password --http-passwd --ftp-user --ftp-password --ftp-passwd", .required,
      "write --user NAME:PASSWORD", "--user"),
    no(
      "--all-proxy-user --all-proxy-passwd --http-proxy-user --http-proxy-passwd --https-proxy-user --https-proxy-passwd"
        + " --proxy-password", .required, "write --proxy-user NAME:PASSWORD", "--proxy-user"),
    no("--noproxy", .required, "set the variable no_proxy, or write --proxy '' for none"),
    no("--location-trusted", .none, "secrets go to their own server only; [host] sections give them to others"),
    no("--range --start-pos", .required, "dray fetches whole files; curl -r fetches a part of one"),
    usual("-np --no-parent", .none, "-r never leaves the directory"),
    usual("-nH --no-host-directories", .none, "-r makes no directory of the host's name"),
    Habit("-m --mirror-site", .none, .words(["--recursive"]), "--recursive"),
    Habit(
      "-l --level", .required, .decided { ["0", "inf"].contains($0) ? [] : ["--depth", $0] },
      "`--depth`; 0 and inf are all levels"),
    Habit(
      "--accept", .required, .decided { patterns("--include", $0) },
      "`--include`, one for each of a comma-separated list; `-A` is `--user-agent` here"),
    Habit(
      "--reject", .required, .decided { patterns("--exclude", $0) },
      "`--exclude`, in the same way; `-R` is curl's `--remote-time` here"),
    no(
      "--delete --delete-after --delete-before", .none,
      "dray never deletes files; what is gone on the server is yours to remove"),
    no(
      "--page-requisites --convert-links --span-hosts", .none,
      "dray does not follow the links of pages; -r fetches the files of a directory"),
    no(
      "--accept-regex --reject-regex --domains --exclude-domains --include-directories"
        + " --exclude-directories", .required, "-r takes the patterns --include and --exclude", "--include, --exclude"),
    no("-w --write-out", .required, "--progress json tells what came of it"),
    no("--random-wait", .none, "--jitter TIME adds a random time to the pause", "--jitter"),
    no("-D --dump-header", .required, "`dray show ID` prints the header fields, `dray info URL` without fetching"),
    no("--save-headers", .none, "`dray show ID` prints the header fields, `dray info URL` without fetching"),
    no(
      "--trace --trace-ascii --trace-config --stderr", .required,
      "-v prints more; everything but results goes to standard error"),
    no(
      "-a --append --append-output --output-file --log", .required, "redirect standard error to keep messages: 2>>FILE"),
    no("--retry-max-time", .required, "--max-time limits one attempt, --retries their number"),
    no("--connect-to", .required, "--resolve HOST:PORT:ADDRESS connects to another address"),
    no("--unix-socket --abstract-unix-socket", .required, "dray connects over the network only"),
    no("--doh-url --dns-servers --async-dns-server", .required, "names are looked up by the system"),
    no("-z --time-cond", .required, "--if-changed fetches a file only if it changed"),
    no("-0 --http1.0", .none, "--http1.1 is the oldest version"),
    no("--tlsv1.3", .none, "TLS 1.3 is used where the server has it, and cannot be required"),
    no("--stop --stop-with-process", .required, "--max-time limits each job, and a signal stops the run"),
    no("--background --daemon", .none, "`dray add URL` queues it; `dray run &` transfers the queue", "dray add"),
    no("--pause", .optional, "`dray add URL` queues it without starting it", "dray add"),
    no("--check-integrity --hash-check-only", .optional, "`dray verify` checks a file", "dray verify"),
    no("--save-session", .required, "the queue is always kept in %; `dray list` shows it", "dray list"),
    no(
      "--on-download-complete --on-download-error --on-download-start --on-download-stop --on-download-pause",
      .required,
      "--on-complete and --on-error run a command", "--on-complete"),
    no("--enable-rpc", .optional, "see `dray serve`", "dray serve"),
    no(
      "-K --config-file --conf-path", .required, "--config FILE reads dray's configuration, and -i FILE a list of URLs",
      "--config, -i"),
    no(
      "--torrent-file --bt-max-peers --seed-time --seed-ratio --select-file --listen-port --bt-tracker", .required,
      "dray does not speak BitTorrent; aria2 does"),
  ]
}
