// Judges the facts for `dray doctor`.

internal import DrayKit
internal import TerminalUI

enum DoctorRules {
  /// Returns one finding for each check, in the order in which they are printed.
  static func findings(_ facts: DoctorFacts) -> [Finding] {
    [
      library(facts.library), features(facts.library), certificates(facts), clock(facts),
      proxy(facts.environment), directory(facts.directory, facts.abilities), state(facts), store(facts),
      facts.database.map(DatabaseRules.findings) ?? [], shares(facts.shares), holds(facts),
      configuration(facts.configuration), programs(facts.missingPrograms), descriptors(facts.descriptors),
      completions(facts.shell, facts.completions), service(facts.service), BrowserRules.findings(facts.browsers),
    ].flatMap(\.self)
  }

  // MARK: libcurl

  /// The oldest version of libcurl that dray supports.
  static let oldest = [7, 81]

  private static func library(_ library: LibraryFacts) -> [Finding] {
    let numbers = library.version.split(separator: ".").prefix(2).map { Int($0) ?? 0 }
    let text = "\(library.version) with \(library.tls.isEmpty ? "no TLS" : library.tls)"
    if library.tls.isEmpty {
      return [
        Finding("libcurl", .bad, text, advice: "https needs a libcurl with TLS: install that of the distribution")
      ]
    }
    guard !numbers.lexicographicallyPrecedes(oldest) else {
      return [Finding("libcurl", .bad, text, advice: "7.81 is the oldest that dray works with: upgrade libcurl")]
    }
    return [Finding("libcurl", .good, text)]
  }

  /// What does not work if a feature is missing.
  private static let losses: [(feature: String, loss: String)] = [
    ("HTTP2", "small files take longer"), ("PSL", "cookies for whole public suffixes are not refused"),
    ("brotli", "servers cannot compress with it"), ("zstd", "servers cannot compress with it"),
    ("AsynchDNS", "all transfers wait while a name is looked up"),
  ]

  private static func features(_ library: LibraryFacts) -> [Finding] {
    let lost = losses.filter { !library.features.contains($0.feature) }
    guard !lost.isEmpty else {
      return [Finding("features", .good, library.features.joined(separator: " "))]
    }
    return lost.map {
      Finding(
        "features", .limited, "this libcurl lacks \($0.feature): \($0.loss)",
        advice: "another build of libcurl may have it")
    }
  }

  private static func certificates(_ facts: DoctorFacts) -> [Finding] {
    guard let (path, place) = facts.certificates else {
      return [
        Finding(
          "certificates", .bad, "libcurl knows no file of CA certificates: no https server can be verified",
          advice: "install ca-certificates, or give --cacert FILE")
      ]
    }
    switch place {
    case .certificates(let count) where count > 0:
      return [Finding("certificates", .good, "\(count) authorities in \(path)")]
    case .certificates:
      return [
        Finding("certificates", .bad, "\(path) has no certificate in it", advice: "install ca-certificates again")
      ]
    case .directory: return [Finding("certificates", .good, "those in \(path)")]
    case .missing:
      return [
        Finding(
          "certificates", .bad, "\(path) does not exist: no https server can be verified",
          advice: "install ca-certificates, or give --cacert FILE")
      ]
    case .unreadable(let reason):
      return [Finding("certificates", .bad, "\(path) cannot be read: \(reason)", advice: "see its permissions")]
    }
  }

  // MARK: The machine

  /// The time at which this version of dray was made, in seconds since 1970. A clock that shows an earlier time is
  /// wrong.
  static let made = 1_764_000_000.0

  private static func clock(_ facts: DoctorFacts) -> [Finding] {
    let now = facts.now
    if now < made {
      return [
        Finding(
          "clock", .bad, "it is earlier than this program",
          advice: "set the clock")
      ]
    }
    if let newest = facts.newest, newest > now + 86400 {
      return [
        Finding(
          "clock", .limited, "it was set back: jobs were added later than now",
          advice: "check the clock")
      ]
    }
    // The finding about the database already reports that the clocks differ.
    if let database = facts.database, DatabaseRules.clocksDiffer(database) { return [] }
    return [Finding("clock", .good, "plausible")]
  }

  private static func proxy(_ environment: [String: String]) -> [Finding] {
    let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "ftp_proxy", "FTP_PROXY"]
    var found: [Finding] = []
    for name in names {
      guard let value = environment[name], !value.isEmpty else { continue }
      let shown = URLRedaction.redacted(value)
      do throws(SettingProblem) {
        _ = try ProxyAddress.parse(value)
        found.append(Finding("proxy", .good, "\(name) is \(shown): it is used"))
      } catch {
        found.append(Finding("proxy", .bad, OptionValue.bad(name, error).message, advice: nil))
      }
    }
    if environment["HTTP_PROXY"] != nil, environment["http_proxy"] == nil {
      found.append(
        Finding(
          "proxy", .limited, "HTTP_PROXY is ignored: a server can set it for its scripts",
          advice: "set http_proxy in lower case"))
    }
    if let excepted = environment["no_proxy"] ?? environment["NO_PROXY"], !excepted.isEmpty {
      found.append(Finding("proxy", .good, "no proxy for \(excepted)"))
    }
    return found.isEmpty ? [Finding("proxy", .good, "no variable names one")] : found
  }

  private static func descriptors(_ count: UInt64?) -> [Finding] {
    guard let count else { return [] }
    guard count < 256 else { return [Finding("open files", .good, "at most \(count)")] }
    return [
      Finding(
        "open files", .limited, "at most \(count): fewer connections are opened than would help",
        advice: "`ulimit -n 1024` allows more")
    ]
  }

  // MARK: Files

  private static func directory(_ path: String, _ abilities: Result<DirectoryAbilities, Failure>) -> [Finding] {
    let found: DirectoryAbilities
    switch abilities {
    case .success(let abilities): found = abilities
    case .failure(let failure):
      return [Finding("directory", .bad, failure.message, advice: "use -d to fetch into another one")]
    }
    var findings: [Finding] = []
    let free = found.freeSpace.map { ", \(ByteText.size($0)) free" } ?? ""
    if let space = found.freeSpace, space < 1 << 20 {
      findings.append(Finding("directory", .bad, "\(path) is full\(free)", advice: "make room, or use -d"))
    }
    if !found.renamesExclusively, !found.hasLinks {
      findings.append(
        Finding(
          "directory", .limited,
          "\(path): its file system can neither rename without replacing nor give a second name: a file that another program "
            + "makes in the moment of publishing could be replaced", advice: "use -d for another file system"))
    }
    if !found.hasHoles {
      findings.append(
        Finding(
          "directory", .limited,
          "\(path): its file system has no holes: several connections to one file write it twice",
          advice: "-x 1 is faster for large files there"))
    }
    guard findings.isEmpty else { return findings }
    return [Finding("directory", .good, "\(path): files can be made, renamed and published safely\(free)")]
  }

  private static func state(_ facts: DoctorFacts) -> [Finding] {
    var findings: [Finding] = []
    let (path, mode, isRemote, _) = facts.state
    if let mode, mode & 0o077 != 0 {
      findings.append(
        Finding(
          "state", .bad, "\(path) can be read by other users (mode \(String(mode & 0o777, radix: 8)))",
          advice: "`chmod -R go= \(path)`: there may be passwords in it"))
    }
    if isRemote {
      findings.append(
        Finding(
          "state", .bad, "\(path) is on a network file system, where locks may not work",
          advice: "set DRAY_HOME to a directory of this machine"))
    }
    return findings
  }

  private static func store(_ facts: DoctorFacts) -> [Finding] {
    let path = facts.state.path
    switch facts.state.store {
    case .missing:
      // If there is a database, the finding about it reports the failure.
      return facts.database == nil ? [Finding("queue", .good, "none yet; it will be in \(path)")] : []
    case .refused(let reason): return [Finding("queue", .bad, reason)]
    case .open(let jobs, let runners):
      let running =
        runners == 0 ? "nothing is running" : "\(runners) \(runners == 1 ? "process runs" : "processes run")"
      return [Finding("queue", .good, "\(jobs) \(jobs == 1 ? "job" : "jobs") in \(path), \(running)")]
    }
  }

  private static func shares(_ shares: [ShareState]) -> [Finding] {
    shares.map { share in
      if let refusal = share.refusal { return Finding("share", .bad, refusal.message) }
      if share.isProved { return Finding("share", .good, "\(share.path) has the mark of this queue's share") }
      return Finding(
        "share", .limited,
        "\(share.path) has no mark yet: on a machine where it is not mounted, files would go to its disk",
        advice: "`dray add` makes it")
    }
  }

  private static func holds(_ facts: DoctorFacts) -> [Finding] {
    facts.holds.filter { $0.isInForce(at: facts.now) }.map { hold in
      Finding(
        "on hold", .limited, "\(hold.host) \(HoldText.text(hold, now: facts.now))",
        advice: "\(HoldText.ending(hold)) ends it")
    }
  }

  private static func configuration(_ failure: Failure?) -> [Finding] {
    guard let failure else { return [Finding("settings", .good, "the configuration is valid")] }
    return [Finding("settings", .bad, failure.message, advice: nil)]
  }

  private static func programs(_ missing: [(scheme: String, program: String)]) -> [Finding] {
    missing.map { scheme, program in
      Finding(
        "sources", .limited, "\(scheme): \(TextSafety.escaped(program)) was not found",
        advice: "install it, or change command in [source.\(scheme)]")
    }
  }

  // MARK: The desktop

  /// The places where a shell looks for a user's completions.
  private static let places = [
    "bash": "~/.local/share/bash-completion/completions/dray", "zsh": "_dray in a directory of its fpath",
    "fish": "~/.config/fish/completions/dray.fish",
  ]

  private static func completions(_ shell: String?, _ file: String?) -> [Finding] {
    if let file { return [Finding("completions", .good, file)] }
    guard let shell, ["bash", "zsh", "fish"].contains(shell) else {
      return [Finding("completions", .good, "there are some for bash, zsh and fish")]
    }
    return [
      Finding(
        "completions", .limited, "none were found for \(shell)",
        advice: "`dray --generate-completion-script \(shell)` prints them, for \(places[shell] ?? "")")
    ]
  }

  private static func service(_ service: DoctorFacts.Service) -> [Finding] {
    switch service {
    case .impossible:
      [Finding("service", .good, "this system has no systemd; `dray run --wait` stays as long as its terminal")]
    case .missing: [Finding("service", .good, "none is installed; downloads run while a command runs")]
    case .installed(let path): [Finding("service", .good, path)]
    }
  }
}
