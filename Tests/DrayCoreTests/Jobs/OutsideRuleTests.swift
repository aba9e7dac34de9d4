// Requests from outside: a row for each kind of caller and setting.

import DrayCore
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
    Row("no certificate check", .insecure) { $0.request.isInsecure = true },
    Row("a CA", .insecure) { $0.request.caFile = "/f" },
    Row("CAs", .insecure) { authentication(\.caPath, &$0) },
    Row("a proxy", .proxy) { $0.request.proxy = "http://p:1" },
    Row("an interface", .proxy) { $0.request.interface = "eth0" },
    Row("a hook", .hooks) { $0.options.hooks = Hooks() },
  ]

  @Test(arguments: rows)
  func whatHasToBeAllowed(row: Row) throws {
    var job = try Self.job()
    #expect(try Self.rule.permitted(job) == job)
    let plain = job
    try row.change(&job)
    let failure = #expect(throws: Failure.self) { try Self.rule.permitted(job) }
    #expect(failure?.kind == .usage)
    var rule = Self.rule
    rule.grants = [row.grant]
    #expect(try rule.permitted(job) == job)
    rule.grants = Set(OutsideGrant.allCases).subtracting([row.grant])
    #expect(throws: Failure.self) { try rule.permitted(job) }
    // A job keeps its user's settings; another job may not get them.
    var renamed = job
    renamed.options.retries = 1
    #expect(try Self.rule.permitted(renamed, changing: job) == renamed)
    #expect(throws: Failure.self) { try Self.rule.permitted(job, changing: plain) }
  }

  @Test func noProxyIsNone() throws {
    var job = try Self.job()
    job.request.proxy = ""
    #expect(try Self.rule.permitted(job) == job)
  }

  @Test func aJobElsewhereStaysThereButGoesNowhereElse() throws {
    let job = try Self.job(in: "/elsewhere")
    var changed = job
    changed.options.retries = 1
    #expect(try Self.rule.permitted(changed, changing: job) == changed)
    changed.directory = "/other"
    #expect(throws: Failure.self) { try Self.rule.permitted(changed, changing: job) }
    changed.directory = "/srv/files/a"
    #expect(try Self.rule.permitted(changed, changing: job).foreignDepth == 1)
  }

  @Test func privateNetworksAreDeniedToNewJobs() throws {
    var rule = Self.rule
    rule.deniesPrivate = true
    let job = try Self.job()
    #expect(try rule.permitted(job).request.deniesPrivate == true)
    #expect(try rule.permitted(job, changing: job) == job)
  }
}
