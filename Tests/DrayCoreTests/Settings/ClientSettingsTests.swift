// Applying the configuration's settings to the jobs of clients.

import DrayCore
import Testing

@Suite struct ClientSettingsTests {
  private func job(_ url: String, _ change: (inout JobSpecification) -> Void = { _ in }) throws -> JobSpecification {
    var job = JobSpecification(request: TransferRequest(url: try RequestURL.parse(url).url), directory: "/d")
    change(&job)
    return job
  }

  private func complete(_ job: inout JobSpecification, with usual: JobSpecification) {
    for setting in Setting.forClients(in: usual) { setting.complete(&job, with: usual) }
  }

  @Test("a job keeps its own settings, and gets the missing ones")
  func completes() throws {
    let usual = try job("http://usual.invalid/") { job in
      (job.options.retries, job.options.retryWait, job.options.maxConnections) = (9, 7, 4)
      (job.request.userAgent, job.request.stallTimeout, job.request.proxy) = ("mine", 5, "http://proxy:1")
    }
    var completed = try job("http://a/") { job in
      (job.options.retries, job.request.userAgent) = (2, "theirs")
    }
    complete(&completed, with: usual)
    let expected = try job("http://a/") { job in
      (job.options.retries, job.options.retryWait, job.options.maxConnections) = (2, 7, 4)
      (job.request.userAgent, job.request.stallTimeout, job.request.proxy) = ("theirs", 5, "http://proxy:1")
    }
    #expect(completed == expected)
  }

  @Test("no credentials, cookies or file names are given to a client's job")
  func secrets() throws {
    let usual = try job("http://usual.invalid/") { job in
      job.request.credentials = Credentials(user: "ann", password: "secret")
      (job.request.netrcFile, job.request.cookie) = ("/home/ann/.netrc", "a=b")
      job.request.cookies = CookieOptions()
      job.request.headers = [HeaderField("Authorization", "Bearer x")]
      job.output = "name"
    }
    let plain = try job("http://a/")
    var completed = plain
    complete(&completed, with: usual)
    #expect(completed == plain)
  }

  @Test("a job gets no setting that its own settings exclude")
  func choices() throws {
    let usual = try job("http://usual.invalid/") {
      ($0.request.addressFamily, $0.request.httpVersion) = (.ipv4, .http11)
    }
    var completed = try job("http://a/") { $0.request.addressFamily = .ipv6 }
    complete(&completed, with: usual)
    #expect(completed.request.addressFamily == .ipv6 && completed.request.httpVersion == .http11)
  }

  @Test("without a configuration nothing changes")
  func nothing() throws {
    let given = try job("http://a/") { $0.options.onConflict = .rename }
    var completed = given
    complete(&completed, with: try job("http://usual.invalid/"))
    #expect(completed == given)
  }
}
