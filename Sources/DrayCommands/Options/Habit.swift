// What users of curl, wget and aria2 type by habit, and what it comes to here: a table, shown in the manual page.

internal import DrayKit

/// An option of another program.
struct Habit: Sendable {
  /// Whether it is followed by a value.
  enum Value: Sendable {
    case none
    case required
    /// Only after `=`.
    case optional
  }

  /// What it comes to.
  enum Meaning: Sendable {
    /// What dray does anyway, or what makes no difference to it.
    case usual
    /// These words instead; `%` is the value.
    case words([String])
    /// What a value comes to; `nil` where it cannot be used.
    case decided(@Sendable (String) -> [String]?)
    /// It is refused, with dray's word for it.
    case refused(String)
  }

  /// Its names, with dashes.
  let names: [String]
  let value: Value
  let meaning: Meaning
  /// What the manual page says of it: dray's option, or a few words.
  let note: String

  init(_ names: String, _ value: Value, _ meaning: Meaning, _ note: String) {
    self.names = names.split(separator: " ").map(String.init)
    (self.value, self.meaning, self.note) = (value, meaning, note)
  }

  /// One that another option of dray's has taken over, with the same value.
  private static func same(_ names: String, _ option: String) -> Habit {
    Habit(names, .required, .words([option, "%"]), option)
  }

  private static func usual(_ names: String, _ value: Value, _ note: String) -> Habit {
    Habit(names, value, .usual, note)
  }

  /// The words for a number of tries, of which dray counts those after the first.
  private static func tries(_ text: String) -> [String]? {
    let most = JobOptions.retryRange.upperBound
    return Int(text).map { ["--retries", "\($0 == 0 ? most : max(0, min($0 - 1, most)))"] }
  }

  /// wget's patterns and suffixes of names.
  private static func patterns(_ option: String, _ list: String) -> [String]? {
    let words = list.split(separator: ",").flatMap { word in
      [option, word.contains { "*?/".contains($0) } ? String(word) : "*\(word)"]
    }
    return words.isEmpty ? nil : words
  }

  private static func unless(_ text: String, _ off: String, _ words: [String]) -> [String] { text == off ? [] : words }

  /// All of them.
  static let all: [Habit] = [
    usual("-L --location", .none, "redirects are followed"),
    usual(
      "-O --remote-name --remote-name-all -J --remote-header-name --content-disposition", .none,
      "the server or the URL names the file"),
    usual("-c --continue", .optional, "what was begun is continued"),
    Habit(
      "-C --continue-at", .required, .decided { $0 == "-" ? [] : nil },
      "with -: what was begun is continued"),
    usual("-f --fail --fail-with-body", .none, "an error status is a failure"),
    usual("-S --show-error", .none, "errors are printed"),
    usual("-R --remote-time", .none, "the file gets the server's time"),
    usual("--compressed --tr-encoding", .none, "files are stored as they are"),
    usual("--create-dirs", .none, "directories are made"),
    usual("-N --no-buffer --timestamping", .none, "makes no difference"),
    usual("-Z --parallel --parallel-immediate", .none, "jobs run side by side"),
    usual("-nv --no-verbose -# --progress-bar --show-progress", .none, "makes no difference"),
    usual(
      "--file-allocation --console-log-level --summary-interval --disk-cache --auto-save-interval", .required,
      "makes no difference"),
    Habit("-s --silent", .none, .words(["--quiet"]), "--quiet"),
    Habit("--no-progress-meter", .none, .words(["--progress", "none"]), "--progress none"),
    Habit("-nc --no-clobber", .none, .words(["--on-conflict", "skip"]), "--on-conflict skip"),
    Habit(
      "--auto-file-renaming", .optional, .decided { unless($0, "false", ["--on-conflict", "rename"]) },
      "--on-conflict rename"),
    Habit(
      "--allow-overwrite", .optional, .decided { unless($0, "false", ["--on-conflict", "overwrite"]) },
      "--on-conflict overwrite"),
    Habit("--no-check-certificate", .none, .words(["--insecure"]), "--insecure"),
    Habit(
      "--check-certificate", .optional, .decided { $0 == "false" ? ["--insecure"] : [] }, "with =false: --insecure"),
    Habit("-t --tries --max-tries", .required, .decided(tries), "`--retries`, one less"),
    same("--retry", "--retries"),
    same("--retry-delay --waitretry", "--retry-wait"),
    same("--split --max-connection-per-server", "--max-connections"),
    same("--parallel-max", "--max-concurrent-downloads"),
    usual("--min-split-size --piece-length", .required, "chosen automatically"),
    same("-P --directory-prefix --output-dir", "--dir"),
    same("--out --output-document", "--output"),
    same("--max-download-limit", "--limit-rate"),
    same("--max-overall-download-limit", "--max-overall-rate"),
    same("--timeout", "--connect-timeout"),
    same("--read-timeout --speed-time -y", "--stall-timeout"),
    same("-U", "--user-agent"),
    same("--load-cookies", "--cookie"),
    same("--save-cookies", "--cookie-jar"),
    same("--post-data", "--data"),
    Habit("--post-file", .required, .words(["--data", "@%"]), "--data @FILE"),
    same("--all-proxy --http-proxy --https-proxy", "--proxy"),
    same("--ca-certificate", "--cacert"),
    same("--certificate", "--cert"),
    same("--private-key", "--key"),
    same("--max-redirect", "--max-redirs"),
    Habit(
      "--http-user --http-password --password --http-passwd", .required, .refused("write --user NAME:PASSWORD"),
      "--user"),
    Habit("--spider", .none, .refused("`dray info URL` looks without fetching"), "dray info"),
    Habit("--range", .required, .refused("dray fetches whole files; curl -r fetches a part of one"), "not here"),
    usual("-np --no-parent", .none, "-r never leaves the directory"),
    usual("-nH --no-host-directories", .none, "-r makes no directory of the host's name"),
    Habit("-m", .none, .words(["--recursive"]), "--recursive"),
    Habit(
      "-l --level", .required, .decided { ["0", "inf"].contains($0) ? [] : ["--depth", $0] },
      "`--depth`; 0 and inf are all levels"),
    Habit(
      "--accept", .required, .decided { patterns("--include", $0) },
      "`--include`, one for each of a comma-separated list; `-A` is `--user-agent` here"),
    Habit(
      "--reject", .required, .decided { patterns("--exclude", $0) },
      "`--exclude`, in the same way; `-R` is curl's `--remote-time` here"),
    Habit(
      "--delete --delete-after --delete-before", .none,
      .refused("dray never deletes files; what is gone on the server is yours to remove"), "not here"),
    Habit("--background", .none, .refused("`dray add URL` queues it; `dray run &` transfers the queue"), "dray add"),
    Habit(
      "-K --config-file", .required, .refused("--config FILE reads dray's configuration, and -i FILE a list of URLs"),
      "--config, -i"),
    Habit(
      "--torrent-file --bt-max-peers --seed-time", .required, .refused("dray does not speak BitTorrent; aria2 does"),
      "not here"),
  ]

  private static let byName = Dictionary(all.flatMap { habit in habit.names.map { ($0, habit) } }) { first, _ in first }

  /// The habit of this name, with its dashes.
  static func named(_ name: String) -> Habit? { byName[name] }
}
