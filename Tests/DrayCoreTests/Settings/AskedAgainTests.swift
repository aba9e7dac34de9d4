// A repeated request for a download keeps the accepted settings, and adds the newly given ones (P3).

import Foundation
import Testing

@testable import DrayCore

@Suite struct AskedAgainTests {
  private func accepted(_ state: JobState = .queued) throws -> Job {
    var specification = JobSpecification(
      request: TransferRequest(url: try RequestURL.parse("http://h/f").url), directory: "/d", output: "f")
    specification.request.headers = [HeaderField("X-A", "1"), HeaderField("X-B", "2")]
    specification.request.proxy = "http://p:1"
    specification.request.credentials = Credentials(user: "ann", password: "secret")
    specification.options.digest = DigestValue(.md5, bytes: Array(repeating: 1, count: 16))
    (specification.options.rateLimit, specification.options.retries) = (1000, 9)
    specification.options.hooks = Hooks()
    specification.options.hooks?.onComplete = ["true"]
    (specification.priority, specification.queue) = (3, "films")
    var job = Job(id: 7, uuid: UUID(), specification: specification, addedAt: 1)
    job.state = state
    return job
  }

  private func asked(_ given: Set<String>? = []) throws -> JobSpecification {
    var asked = JobSpecification(
      request: TransferRequest(url: try RequestURL.parse("http://h/f").url), directory: "/d", output: "f")
    asked.given = given
    return asked
  }

  @Test("without options nothing changes, whatever the configuration says now", arguments: JobState.allCases)
  func nothing(_ state: JobState) throws {
    let job = try accepted(state)
    var now = try asked()
    (now.request.proxy, now.options.rateLimit) = ("http://other:2", 7)
    let (merged, change) = AskedAgainRule.merged(now, into: job)
    #expect(merged == job.specification)
    #expect(change.replaced.isEmpty && change.isApplied)
    // A job that begins again says what it keeps.
    #expect(change.kept.contains("checksum") == state.isFinished)
    // An unfinished job says which limits it keeps, unless it is active and none can be lifted.
    #expect(change.limits == (state.isFinished || state == .active ? [] : ["limit-rate"]))
  }

  @Test("what is given replaces only that, also a default")
  func given() throws {
    let job = try accepted()
    var now = try asked(["limit-rate", "retries", "header", "user"])
    now.request.headers = [HeaderField("x-a", "new"), HeaderField("X-C", "3")]
    now.request.credentials = Credentials(user: "bob", password: "other")
    now.options.rateLimit = 2000
    let (merged, change) = AskedAgainRule.merged(now, into: job)
    #expect(Set(change.replaced) == ["limit-rate", "retries", "header", "user"])
    #expect(merged.request.headers.map { "\($0.name)=\($0.value)" } == ["X-B=2", "x-a=new", "X-C=3"])
    #expect((merged.options.rateLimit, merged.options.retries) == (2000, 5))
    #expect(merged.request.credentials?.user == "bob")
    #expect(merged.options.digest == job.specification.options.digest && merged.request.proxy == "http://p:1")
    #expect((merged.priority, merged.queue) == (3, "films"))
  }

  @Test("what a document states replaces silently; a job of a client becomes the user's nevertheless")
  func stated() throws {
    var job = try accepted()
    job.specification.request.isOfClient = true
    var now = try asked(["checksum", "retries"])
    now.stated = ["checksum"]
    now.options.digest = DigestValue(.md5, bytes: Array(repeating: 2, count: 16))
    let (merged, change) = AskedAgainRule.merged(now, into: job)
    #expect(merged.options.digest == now.options.digest && change.replaced == ["retries"])
    now.options.retries = 9
    let (again, silent) = AskedAgainRule.merged(now, into: job)
    #expect(again.options.digest == now.options.digest && silent.replaced.isEmpty)
    #expect(again.request.isOfClient == nil && again.given == nil && again.stated.isEmpty)
  }

  @Test("limits that are not given again are named; equal ones, and other settings, are not")
  func limits() throws {
    var job = try accepted(.interrupted)
    (job.specification.options.maxTime, job.specification.options.maxSize) = (2, 100)
    job.specification.request.stallTimeout = 7
    let (merged, change) = AskedAgainRule.merged(try asked(["max-time"]), into: job)
    #expect(change.replaced == ["max-time"] && merged.options.maxTime == nil)
    #expect(Set(change.limits) == ["limit-rate", "max-filesize", "stall-timeout"] && change.kept.isEmpty)
    var configured = try asked()
    (configured.options.rateLimit, configured.options.maxSize, configured.options.maxTime) = (1000, 100, 2)
    configured.request.stallTimeout = 7
    #expect(AskedAgainRule.merged(configured, into: job).1.isSilent)
  }

  @Test("without names, every value that is no default counts as given")
  func unnamed() throws {
    let job = try accepted()
    var now = try asked(nil)
    now.options.digest = DigestValue(.md5, bytes: Array(repeating: 2, count: 16))
    let (merged, change) = AskedAgainRule.merged(now, into: job)
    #expect(change.replaced == ["checksum"])
    #expect(merged.options.digest == now.options.digest && merged.options.rateLimit == 1000)
    #expect(AskedAgainRule.merged(job.specification, into: job).1.isSilent)
  }

  @Test("a setting takes the place of one that it excludes")
  func choices() throws {
    var job = try accepted()
    job.specification.request.addressFamily = .ipv4
    var now = try asked(["ipv6", "oauth2-bearer"])
    now.request.addressFamily = .ipv6
    now.authenticationOptions.bearer = "token"
    let (merged, _) = AskedAgainRule.merged(now, into: job)
    #expect(merged.request.addressFamily == .ipv6 && merged.request.credentials == nil)
  }

  @Test("a fetch of changes is for this request, and an unfinished one stays")
  func changes() throws {
    for state in JobState.allCases {
      var job = try accepted(state)
      job.specification.request.cache = CachePolicy(ifChanged: TargetBaseline(name: "f"), noCache: true)
      let plain = AskedAgainRule.merged(try asked(), into: job).0.request.cache
      #expect(plain?.noCache == true && (plain?.ifChanged == nil) == state.isFinished)
      var now = try asked()
      now.request.cache = CachePolicy(ifChanged: TargetBaseline(name: "f", hasOtherLength: true))
      #expect(AskedAgainRule.merged(now, into: job).0.request.cache?.ifChanged == now.request.cache?.ifChanged)
    }
  }

  @Test("keys of the same signed access may be renewed; another access is another request")
  func keys() throws {
    var job = try accepted()
    job.specification.request.signature = AWSSignature(region: "eu")
    job.specification.request.signature?.sessionToken = "old"
    var now = try asked()
    now.request.signature = AWSSignature(region: "eu")
    now.request.signature?.sessionToken = "new"
    now.request.credentials = Credentials(user: "key", password: "new")
    let same = AskedAgainRule.merged(now, into: job).0.request
    #expect(same.credentials == now.request.credentials && same.signature?.sessionToken == "new")
    now.request.signature?.region = "us"
    #expect(AskedAgainRule.merged(now, into: job).0.request == job.specification.request)
  }
}
