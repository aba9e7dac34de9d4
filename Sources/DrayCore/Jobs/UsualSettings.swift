// What a user's configuration says of all jobs, for jobs that come over a server's doors: their senders know nothing of it.

/// Settings of a user that hold where a job says nothing else.
///
/// What proves who the user is stays out of it: credentials, certificates and cookies are for jobs that the user adds.
public struct UsualSettings: Sendable {
  private let usual: JobSpecification
  private let plain: JobSpecification
  /// Those that the user has: most have few.
  private let own: [Setting]

  /// Takes the settings of a job that was made of nothing but the configuration.
  public init(of job: JobSpecification) {
    let plain = JobSpecification(request: TransferRequest(url: job.request.url), directory: job.directory)
    (usual, self.plain) = (job, plain)
    own = UsualSettings.all.filter { setting in
      var changed = plain
      setting(&changed, job, plain)
      return changed != plain
    }
  }

  /// Gives a job the settings that it has not changed.
  public func complete(_ job: inout JobSpecification) {
    for setting in own { setting(&job, usual, plain) }
  }

  private typealias Setting =
    @Sendable (inout JobSpecification, _ usual: JobSpecification, _ plain: JobSpecification) -> Void

  private static func setting<Value: Equatable & SendableMetatype>(
    _ path: any WritableKeyPath<JobSpecification, Value> & Sendable
  ) -> Setting {
    { job, usual, plain in if job[keyPath: path] == plain[keyPath: path] { job[keyPath: path] = usual[keyPath: path] } }
  }

  private static let all: [Setting] = [
    setting(\.options.resume), setting(\.options.retries), setting(\.options.retryWait),
    setting(\.options.maxRetryWait), setting(\.options.rateLimit), setting(\.options.maxTime),
    setting(\.options.maxSize), setting(\.options.verify), setting(\.options.verifyKey),
    setting(\.options.allowedTypes), setting(\.options.maxConnections), setting(\.options.keepsArrivalTime),
    setting(\.options.hooks), setting(\.priority), setting(\.request.userAgent), setting(\.request.proxy),
    setting(\.request.caFile), setting(\.request.isInsecure), setting(\.request.addressFamily),
    setting(\.request.connectTimeout), setting(\.request.stallTimeout), setting(\.request.redirects),
    setting(\.request.httpVersion), setting(\.request.addresses), setting(\.request.interface),
  ]
}
