// The advice of `dray doctor` for each finding.

import DrayKit
import DrayStore
import Testing

@testable import DrayCommands

@Suite("Findings of dray doctor")
struct DoctorRulesTests {
  /// The facts of a healthy machine, after `change`.
  private static func facts(_ change: (inout DoctorFacts) -> Void = { _ in }) -> DoctorFacts {
    let features = ["AsynchDNS", "HTTP2", "PSL", "brotli", "zstd"]
    var facts = DoctorFacts(
      library: LibraryFacts(version: "7.88.1", tls: "OpenSSL/3.0.19", protocols: ["http"], features: features),
      certificates: ("/ca.crt", .certificates(139)), environment: [:], now: DoctorRules.made + 1, newest: nil,
      directory: "/d", abilities: .success(abilities), state: ("/s", 0o100600, false, .open(jobs: 1, runners: 0)),
      configuration: nil, shell: "bash", completions: "/c/dray", service: .missing, descriptors: 1024)
    change(&facts)
    return facts
  }

  private static let abilities = DirectoryAbilities(
    freeSpace: 1 << 30, hasLinks: true, renamesExclusively: true, hasHoles: true, canBeSynced: true)

  @Test("if all is well, every check says so in one line, without advice")
  func good() {
    let findings = DoctorRules.findings(Self.facts())
    #expect(findings.allSatisfy { $0.level == .good && $0.advice == nil }, "\(findings)")
    #expect(Set(findings.map(\.check)).count == findings.count && findings.count > 10)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var check: String
    var level: Finding.Level
    var says: String
    var change: @Sendable (inout DoctorFacts) -> Void

    init(
      _ check: String, _ level: Finding.Level, _ says: String, _ change: @escaping @Sendable (inout DoctorFacts) -> Void
    ) {
      (self.check, self.level, self.says, self.change) = (check, level, says, change)
    }

    var testDescription: String { "\(check): \(says)" }
  }

  private static let failure = Failure(.usage, "dray.toml:3", "no such key")

  private static func share(isProved: Bool, _ refusal: Failure? = nil) -> ShareState {
    ShareState(path: "/share", isProved: isProved, refusal: refusal)
  }

  private static func hold(_ now: Double) -> OriginHold? {
    (try? RequestURL.parse("http://h/").url.origin).map {
      OriginHold($0, until: now + 60, since: now, job: 4, askedBy: "http://h/f", status: 429)
    }
  }

  private static func database(_ change: (inout DatabaseFacts) -> Void = { _ in }) -> DatabaseFacts {
    var facts = DatabaseFacts(server: "16.4", version: 4, ownVersion: 4, connections: (12, 97))
    change(&facts)
    return facts
  }

  static let rows: [Row] = [
    Row("database", .good, "PostgreSQL 16.4 takes writes; 12 of 97 connections are used") { $0.database = database() },
    Row("database", .bad, "a standby: it takes no writes, and runners wait; promote it") {
      $0.database = database { $0.isStandby = true }
    },
    Row("database", .bad, "read-only: runners wait; see default_transaction_read_only") {
      $0.database = database { $0.isReadOnly = true }
    },
    Row("database", .bad, "the disk of the database is full; make room") {
      $0.database = database {
        $0.refusal = Failure(.store, "db", "the disk of the database is full", advice: "make room on its server")
      }
    },
    Row("database", .limited, "no job store in it: `dray run` ends with 10; `dray add` makes one") {
      $0.state.store = .missing
      $0.database = database { $0.version = nil }
    },
    Row("database", .limited, "a job store of version 2; this dray has 4") {
      $0.database = database { $0.version = 2 }
    },
    Row("database", .limited, "94 of 97 connections are used, and a runner uses two") {
      $0.database = database { $0.connections.used = 94 }
    },
    Row("database", .good, "3 of 9 connections") { $0.database = database { $0.connections = (3, 9) } },
    Row("clock", .limited, "10:00 ahead of the database's, which dray follows") {
      $0.database = database { $0.clockLead = 600 }
    },
    Row("clock", .limited, "7 s behind the database's") { $0.database = database { $0.clockLead = -7 } },
    Row("libcurl", .bad, "no TLS") { $0.library.tls = "" },
    Row("share", .good, "/share has the mark") { $0.shares = [share(isProved: true)] },
    Row("share", .limited, "/share has no mark yet") { $0.shares = [share(isProved: false)] },
    Row("share", .bad, "/share: the share is full; make room") {
      $0.shares = [share(isProved: true, ShareFault.full.failure("/share"))]
    },
    Row("libcurl", .bad, "7.81 is the oldest") { $0.library.version = "7.74.0" },
    Row("libcurl", .good, "8.5.0") { $0.library.version = "8.5.0" },
    Row("libcurl", .good, "7.81.0") { $0.library.version = "7.81.0" },
    Row("features", .limited, "lacks HTTP2: small files take longer") {
      $0.library.features.removeAll { $0 == "HTTP2" }
    },
    Row("features", .limited, "AsynchDNS") { $0.library.features = ["HTTP2", "PSL", "brotli", "zstd"] },
    Row("certificates", .bad, "install ca-certificates") { $0.certificates = nil },
    Row("certificates", .bad, "/ca.crt does not exist") { $0.certificates = ("/ca.crt", .missing) },
    Row("certificates", .bad, "no certificate in it") { $0.certificates = ("/ca.crt", .certificates(0)) },
    Row("certificates", .bad, "Permission") { $0.certificates = ("/ca.crt", .unreadable("Permission denied")) },
    Row("certificates", .good, "/certs") { $0.certificates = ("/certs", .directory) },
    Row("on hold", .limited, "h answered 429 Too Many Requests to job 4; `dray limit --no-hold h` ends it") { facts in
      facts.holds = [hold(facts.now)].compactMap(\.self)
    },
    Row("clock", .bad, "set the clock") { $0.now = 0 },
    Row("clock", .limited, "set back") { $0.newest = $0.now + 90_000 },
    Row("clock", .good, "plausible") { $0.newest = $0.now + 3600 },
    Row("proxy", .good, "https_proxy is http://…@p:1") { $0.environment = ["https_proxy": "http://u:pw@p:1"] },
    Row("proxy", .bad, "http_proxy") { $0.environment = ["http_proxy": "nonsense://x"] },
    Row("proxy", .limited, "http_proxy in lower case") { $0.environment = ["HTTP_PROXY": "http://p:1"] },
    Row("proxy", .good, "no proxy for .local") { $0.environment = ["no_proxy": ".local"] },
    Row("directory", .bad, "use -d") { $0.abilities = .failure(Failure(.file, "/d", "Permission denied")) },
    Row("directory", .bad, "is full") { $0.abilities = .success(with { $0.freeSpace = 4096 }) },
    Row("directory", .limited, "another program") {
      $0.abilities = .success(
        with {
          $0.hasLinks = false
          $0.renamesExclusively = false
        })
    },
    Row("directory", .good, "safely") { $0.abilities = .success(with { $0.hasLinks = false }) },
    Row("directory", .limited, "-x 1") { $0.abilities = .success(with { $0.hasHoles = false }) },
    Row("state", .bad, "mode 644") { $0.state.mode = 0o100644 },
    Row("state", .bad, "network file system") { $0.state.isRemote = true },
    Row("queue", .good, "none yet") { $0.state.store = .missing },
    Row("queue", .bad, "damaged") { $0.state.store = .refused("the job store is damaged") },
    Row("queue", .good, "2 processes run") { $0.state.store = .open(jobs: 4, runners: 2) },
    Row("sources", .limited, "reports: /x/reports was not found; install it") {
      $0.missingPrograms = [("reports", "/x/reports")]
    },
    Row("settings", .bad, "dray.toml:3") { $0.configuration = failure },
    Row("open files", .limited, "ulimit") { $0.descriptors = 64 },
    Row("completions", .limited, "--generate-completion-script fish") {
      $0.shell = "fish"
      $0.completions = nil
    },
    Row("completions", .good, "bash, zsh and fish") {
      $0.shell = "tcsh"
      $0.completions = nil
    },
    Row("service", .good, "/u/dray.service") { $0.service = .installed("/u/dray.service") },
    Row("service", .good, "no systemd") { $0.service = .impossible },
  ]

  private static func with(_ change: (inout DirectoryAbilities) -> Void) -> DirectoryAbilities {
    var changed = abilities
    change(&changed)
    return changed
  }

  @Test("each problem is reported with advice", arguments: rows)
  func wrong(_ row: Row) {
    let findings = DoctorRules.findings(Self.facts(row.change)).filter { $0.check == row.check }
    #expect(findings.contains { $0.level == row.level && $0.line.contains(row.says) }, "\(findings)")
    #expect(!findings.contains { $0.line.contains("pw") })
  }

  @Test("a clock that differs from the database's is not called plausible as well")
  func oneClock() {
    let findings = DoctorRules.findings(Self.facts { $0.database = Self.database { $0.clockLead = 7 } })
    #expect(findings.filter { $0.check == "clock" }.map(\.level) == [.limited])
  }

  @Test("a finding is a line of text and a line of JSON")
  func forms() {
    let finding = Finding("clock", .bad, "it \u{1B}[1m stands", advice: "set it")
    #expect(finding.line.hasPrefix("bad      clock         it ") && finding.line.hasSuffix("; set it"))
    #expect(!finding.line.unicodeScalars.contains("\u{1B}"))
  }
}
