// Settings of the configuration for all jobs, applied to jobs from outside.

import DrayCore
import Testing

@Suite struct UsualSettingsTests {
  private func job(_ url: String, _ change: (inout JobSpecification) -> Void = { _ in }) throws -> JobSpecification {
    var job = JobSpecification(request: TransferRequest(url: try RequestURL.parse(url).url), directory: "/d")
    change(&job)
    return job
  }

  @Test("a job keeps its own settings and takes missing ones from the configuration")
  func completes() throws {
    let usual = UsualSettings(
      of: try job("http://usual.invalid/") { job in
        (job.options.retries, job.options.retryWait, job.options.maxConnections) = (9, 7, 4)
        (job.request.userAgent, job.request.stallTimeout, job.request.proxy) = ("mine", 5, "http://proxy:1")
      })
    var completed = try job("http://a/") { job in
      (job.options.retries, job.request.userAgent) = (2, "theirs")
    }
    usual.complete(&completed)
    let expected = try job("http://a/") { job in
      (job.options.retries, job.options.retryWait, job.options.maxConnections) = (2, 7, 4)
      (job.request.userAgent, job.request.stallTimeout, job.request.proxy) = ("theirs", 5, "http://proxy:1")
    }
    #expect(completed == expected)
  }

  @Test("a client's job gets no credentials and no file name")
  func secrets() throws {
    let usual = UsualSettings(
      of: try job("http://usual.invalid/") { job in
        job.request.credentials = Credentials(user: "ann", password: "secret")
        (job.request.netrcFile, job.request.cookie) = ("/home/ann/.netrc", "a=b")
        job.request.cookies = CookieOptions()
        job.request.headers = [HeaderField("Authorization", "Bearer x")]
        job.output = "name"
      })
    let plain = try job("http://a/")
    var completed = plain
    usual.complete(&completed)
    #expect(completed == plain)
  }

  @Test("without a configuration nothing changes")
  func nothing() throws {
    let given = try job("http://a/") { $0.options.onConflict = .rename }
    var completed = given
    UsualSettings(of: try job("http://usual.invalid/")).complete(&completed)
    #expect(completed == given)
  }
}
