// Requests from outside: a row for each kind of caller and setting.

import DrayCore
import Foundation
import Testing

@Suite struct OutsideRuleTests {
  private static let rule = OutsideRule(directories: AllowedDirectories(["/srv/files", "/home/u/Downloads/"]))

  private static func job(_ url: String = "https://h/f", in directory: String = "/srv/files") throws -> JobSpecification
  {
    JobSpecification(request: TransferRequest(url: try RequestURL.parse(url).url), directory: directory)
  }

  @Test(
    arguments: [
      ("/srv/files", "/srv/files", 0), ("/srv/files/", "/srv/files", 0), ("//srv//files/a/b", "/srv/files/a/b", 2),
      ("/srv/files/./a", "/srv/files/a", 1), ("/home/u/Downloads/x", "/home/u/Downloads/x", 1),
    ] as [(String, String, Int)])
  func directoriesBelowARoot(given: String, path: String, depth: Int) throws {
    let place = Self.rule.directories.place(given)
    #expect(place == DirectoryPlace(path, foreignDepth: depth))
    let permitted = try Self.rule.permitted(try Self.job(in: given))
    #expect((permitted.directory, permitted.foreignDepth) == (path, depth))
  }

  @Test(arguments: [
    "/", "/srv", "/srv/filesystem", "/srv/files/..", "/srv/files/../../etc", "srv/files", "", "/home/u", "/srv/files\0",
  ])
  func otherDirectories(given: String) throws {
    #expect(Self.rule.directories.place(given) == nil)
    let job = try Self.job(in: given)
    #expect(throws: Failure.self) { try Self.rule.permitted(job) }
  }

  @Test(arguments: ["a/b", "..", ".", "", "/etc/passwd"])
  func namesThatAreNone(output: String) throws {
    var job = try Self.job()
    job.output = output
    #expect(throws: Failure.self) { try Self.rule.permitted(job) }
  }

  @Test func ofNestedRootsTheDeepestCounts() {
    let directories = AllowedDirectories(["/a", "/a/b"])
    #expect(directories.place("/a/b/c") == DirectoryPlace("/a/b/c", foreignDepth: 1))
    #expect(directories.place("/a/b/c", foreignDepth: 3) == DirectoryPlace("/a/b/c", foreignDepth: 3))
    #expect(AllowedDirectories([]).place("/a") == nil)
    #expect(AllowedDirectories(["a", "/b/../c"]).roots == [])
  }

  /// Settings of a job, and the permission that each needs.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var grant: OutsideGrant
    var change: @Sendable (inout JobSpecification) throws -> Void

    init(_ what: String, _ grant: OutsideGrant, _ change: @escaping @Sendable (inout JobSpecification) throws -> Void) {
      (testDescription, self.grant, self.change) = (what, grant, change)
    }
  }

  private static func url(_ text: String) throws -> RequestURL { try RequestURL.parse(text).url }
  private static func authentication(
    _ path: WritableKeyPath<AuthenticationOptions, String?>, _ job: inout JobSpecification
  ) {
    var options = AuthenticationOptions()
    options[keyPath: path] = "/f"
    job.request.authentication = options
  }

  static let rows = [
    Row("file:", .keys) { $0.request.url = try url("file:///etc/passwd") },
    Row("sftp:", .keys) { $0.request.url = try url("sftp://h/f") },
    Row("s3:", .keys) { $0.request.url = try url("s3://bucket/f") },
    Row("a mirror of file:", .keys) { $0.options.mirrors = [try url("file:///etc/passwd")] },
    Row("a signature", .keys) { $0.request.signature = AWSSignature() },
    Row(".netrc", .files) { $0.request.netrcFile = "/f" },
    Row("cookies of a file", .files) {
      $0.request.cookies = CookieOptions()
      $0.request.cookies?.files = ["/f"]
    },
    Row("a cookie jar", .files) {
      $0.request.cookies = CookieOptions()
      $0.request.cookies?.jar = "/f"
    },
    Row("a certificate", .files) { authentication(\.clientCertificate, &$0) },
    Row("a key", .files) { authentication(\.clientKey, &$0) },
    Row("a key of ssh", .files) {
      $0.request.schemes = SchemeOptions()
      $0.request.schemes?.privateKeyFile = "/f"
    },
    Row("known hosts", .files) {
      $0.request.schemes = SchemeOptions()
      $0.request.schemes?.knownHostsFile = "/f"
    },
    Row("a key file of minisign", .files) { $0.options.verifyKey = "/f" },
    Row("a seed", .files) { $0.options.seeding = Seeding(files: ["/f"]) },
    Row("a control file of zsync", .files) { $0.options.seeding = Seeding(files: [], control: "/f") },
    Row("no certificate check", .insecure) { $0.request.isInsecure = true },
    Row("a CA", .insecure) { $0.request.caFile = "/f" },
    Row("CAs", .insecure) { authentication(\.caPath, &$0) },
    Row("a proxy", .proxy) { $0.request.proxy = "http://p:1" },
    Row("an interface", .proxy) { $0.request.interface = "eth0" },
    Row("another method", .files) { $0.request.method = "DELETE" },
    Row("unfinished files elsewhere", .files) { $0.options.partDirectory = "/elsewhere" },
    Row("a hook", .hooks) { $0.options.hooks = Hooks() },
  ]

  /// A job as it is after a client's act.
  private static func ofClient(_ job: JobSpecification) -> JobSpecification {
    var own = job
    own.request.isOfClient = true
    return own
  }

  @Test(arguments: rows)
  func whatHasToBeAllowed(row: Row) throws {
    var job = try Self.job()
    #expect(try Self.rule.permitted(job) == Self.ofClient(job))
    try row.change(&job)
    let failure = #expect(throws: Failure.self) { try Self.rule.permitted(job) }
    #expect(failure?.kind == .usage)
    var rule = Self.rule
    rule.grants = [row.grant]
    #expect(try rule.permitted(job) == Self.ofClient(job))
    rule.grants = Set(OutsideGrant.allCases).subtracting([row.grant])
    #expect(throws: Failure.self) { try rule.permitted(job) }
  }

  // MARK: Jobs that exist

  /// An act on an existing job, and whether it only steers the job.
  struct Act: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var act = OutsideRule.Act.change
    var steers = false
    var change: @Sendable (inout JobSpecification) throws -> Void

    func carriedOut(_ rule: OutsideRule, _ present: JobSpecification, usual: JobSpecification? = nil) throws
      -> JobSpecification
    {
      var wanted = present
      try change(&wanted)
      return try rule.permitted(wanted, act, of: present, usual: usual)
    }
  }

  static let acts = [
    Act(testDescription: "another URL") { $0.request = $0.request.moved(to: try url("https://h/other")) },
    Act(testDescription: "a mirror") { $0.options.mirrors = [try url("https://m/f")] },
    Act(testDescription: "a header field") { $0.request.headers = [HeaderField("A", "b")] },
    Act(testDescription: "a user") { $0.request.takeUser("me", "pw") },
    Act(testDescription: "another name") { $0.output = "other" },
    Act(testDescription: "another directory") { $0.directory = "/srv/files/a" },
    Act(testDescription: "overwriting") { $0.options.onConflict = .overwrite },
    Act(testDescription: "again", act: .begin) { $0.options.onConflict = .rename },
    Act(testDescription: "retry", act: .begin) { _ in },
    Act(testDescription: "a rate", steers: true) { $0.options.rateLimit = 5 },
    Act(testDescription: "a priority", steers: true) { $0.priority = 5 },
    Act(testDescription: "connections", steers: true) { $0.options.maxConnections = 2 },
    Act(testDescription: "retries", steers: true) { $0.options.retries = 1 },
  ]

  /// Each act with each feature that only the user can give to a job.
  @Test(arguments: acts, rows)
  func whatTheUserWasAllowedIsNotTheClients(act: Act, row: Row) throws {
    var job = try Self.job()
    try row.change(&job)
    guard !act.steers else {
      var wanted = job
      try act.change(&wanted)
      #expect(try act.carriedOut(Self.rule, job) == wanted)
      return
    }
    // Some acts remove the feature: another URL replaces a `file:` URL, and a mirror replaces the job's mirrors.
    var wanted = job
    try act.change(&wanted)
    let stays = OutsideRule.wants(wanted).contains { $0.grant == row.grant }
    if stays { #expect(throws: Failure.self) { try act.carriedOut(Self.rule, job) } }
    // A client may keep what clients may have, and what the configuration gives to each job.
    var rule = Self.rule
    rule.grants = Set(OutsideGrant.allCases)
    #expect(try act.carriedOut(rule, job).request.isOfClient == true)
  }

  @Test(arguments: acts.filter { !$0.steers })
  func otherPlaces(act: Act) throws {
    let elsewhere = try Self.job(in: "/elsewhere")
    var wanted = elsewhere
    try act.change(&wanted)
    if wanted.directory == "/elsewhere" { #expect(throws: Failure.self) { try act.carriedOut(Self.rule, elsewhere) } }
    // Links below a root are not followed for a client, though the user may have named them.
    #expect(try act.carriedOut(Self.rule, try Self.job(in: "/srv/files/link")).foreignDepth == 1)
    var rule = Self.rule
    rule.deniesPrivate = true
    let changed = try act.carriedOut(rule, try Self.job())
    #expect(changed.request.deniesPrivate == true && changed.request.isOfClient == true)
  }

  @Test(arguments: acts.filter { !$0.steers })
  func whatTheConfigurationGivesToEachJob(act: Act) throws {
    var usual = try Self.job()
    usual.request.proxy = "http://p:1"
    usual.options.hooks = Hooks()
    usual.options.hooks?.onComplete = ["notify"]
    #expect(try act.carriedOut(Self.rule, usual, usual: usual).options.hooks == usual.options.hooks)
    var other = usual
    other.options.hooks?.onComplete = ["rm"]
    #expect(throws: Failure.self) { try act.carriedOut(Self.rule, other, usual: usual) }
  }

  @Test func aURLOfTheSameServerDoesNotGetTheUsersPassword() throws {
    var job = try Self.job()
    job.request.takeUser("owner", "pw")
    job.request.headers = [HeaderField("Authorization", "x")]
    job.request.cookie = "a=b"
    var wanted = job
    wanted.request = job.request.moved(to: try Self.url("https://h/other"))
    let changed = try Self.rule.permitted(wanted, .change, of: job)
    #expect(changed.request.credentials == nil && changed.request.headers.isEmpty && changed.request.cookie == nil)
    wanted.request.takeUser("client", "own")
    #expect(try Self.rule.permitted(wanted, .change, of: job).request.credentials?.user == "client")
    // A client's job keeps what clients gave it.
    let own = Self.ofClient(job)
    wanted.request = own.request.moved(to: try Self.url("https://h/other"))
    #expect(try Self.rule.permitted(wanted, .change, of: own).request.credentials?.user == "owner")
  }

  @Test(
    arguments: [
      (JobState.queued, true, JobState.queued), (.queued, false, .paused), (.active, false, .paused),
      (.interrupted, false, .paused), (.paused, true, .paused), (.complete, false, .complete),
      (.failed, false, .failed),
    ])
  func undo(state: JobState, isPermitted: Bool, back: JobState) throws {
    let specification = try Self.job(in: isPermitted ? "/srv/files" : "/elsewhere")
    var job = Job(id: 1, uuid: UUID(), specification: specification, addedAt: 0)
    job.state = state
    let restored = Self.rule.restored(job)
    #expect(restored.state == back && restored.specification == job.specification)
  }

  @Test func noProxyIsNone() throws {
    var job = try Self.job()
    job.request.proxy = ""
    #expect(try Self.rule.permitted(job) == Self.ofClient(job))
  }
}
