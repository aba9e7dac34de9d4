// The whole of `dray serve`: access, and the routes that answer.

public import DrayCore
public import DrayKit
internal import DrayPage
public import Logging
public import WebServer

public final class WebService: Sendable {
  /// A closure that answers requests; it returns `nil` if a path is not its own.
  public typealias Route = @Sendable (WebRequest) async -> WebResponse?

  public struct Settings: Sendable {
    public var policy: AccessPolicy
    /// The rule for clients' jobs.
    public var rule: OutsideRule
    /// The default directory, which must be an allowed one.
    public var directory: String
    /// Adds the configuration's settings to clients' jobs.
    public var prepare: JobPreparation = .none
    /// The sessions of earlier runs, and links that other processes make.
    public var memory = AccessControl.Memory()
    public var limits = WebLimits()
    /// The settings of dray's own API; `nil` for none.
    public var native: NativeAPI.Settings?
    /// The number of concurrent jobs that the service was started with; `nil` for as many as help.
    public var jobs: Int?
    /// Returns the figures of the present run, for `/metrics`; `nil` if none runs.
    public var run: @Sendable () async -> RunMetrics? = { nil }
    /// Called when a client stops the service.
    public var end: @Sendable () async -> Void

    public init(
      policy: AccessPolicy, rule: OutsideRule, directory: String, end: @escaping @Sendable () async -> Void
    ) {
      (self.policy, self.rule, self.directory, self.end) = (policy, rule, directory, end)
    }
  }

  private let server: WebServer
  private let native: NativeAPI?
  private let keeper: AccessControl

  /// Starts serving. The service takes over the listeners.
  /// - Parameter log: The log for problems with clients.
  public init(
    _ manager: DownloadManager, _ listeners: [Listener], _ settings: Settings, log: Logger
  ) {
    let counted = CountedLog(log)
    let keeper = AccessControl(
      settings.policy, settings.memory,
      report: { counted.write("wrong secrets", .warning, "\(Router.name($0)): a wrong secret") })
    self.keeper = keeper
    let port = listeners.lazy.compactMap(\.port).first
    let native = settings.native.map { native in
      var native = native
      native.prepare = settings.prepare
      return NativeAPI(manager, keeper, native)
    }
    self.native = native
    let routes = WebService.routes(manager, settings, keeper, native, port: port)
    let router = Router(routes: routes, keeper: keeper, log: log)
    var web = WebServer.Settings { await router.answer($0) }
    web.limits = settings.limits
    web.standing = SecurityFields.all
    web.date = { HTTPDate.format($0) }
    web.evictsStrangers = settings.policy.secret != nil
    web.screen = { router.refusal(of: $0) }
    web.vouches = { keeper.vouches(for: $0) }
    web.report = { counted.write(WebService.kind($0), .debug, WebService.words($0)) }
    server = WebServer(listeners, web)
    Task { await native?.begin() }
  }

  /// Returns the routes in the order in which they are asked.
  private static func routes(
    _ manager: DownloadManager, _ settings: Settings, _ keeper: AccessControl, _ native: NativeAPI?, port: UInt16?
  ) -> [Route] {
    let queue = ManagerQueue(
      manager, directory: settings.directory, rule: settings.rule, prepare: settings.prepare, end: settings.end)
    let grants: Aria2Grants = settings.rule.grants.contains(.proxy) ? .proxy : []
    let context = Aria2Context(queue: queue, grants: grants, port: port, jobs: settings.jobs)
    let notices = Aria2Notices(manager) { await queue.isRemoved($0) }
    let aria2 = Aria2Endpoint(context: context, keeper: keeper, notices: notices, quick: settings.limits.quick)
    let metrics = MetricsRoute(manager, run: settings.run)
    return [
      { await aria2.answer($0) }, { PageFile.answer($0) }, { await metrics.answer($0) }, { await native?.answer($0) },
    ]
  }

  /// Creates a ticket that logs in once, for the link to the page; `nil` without a secret.
  public func ticket() -> String? { keeper.ticket() }

  /// Stops: answers started requests, and returns once nothing is open.
  public func stop() async {
    await server.stop()
    await native?.end()
  }

  private static func kind(_ incident: WebIncident) -> String {
    switch incident {
    case .refused(_, let status, _): "refused with \(status)"
    case .dropped: "dropped clients"
    case .crowded: "clients without room"
    case .outOfDescriptors: "clients without a descriptor"
    }
  }

  private static func words(_ incident: WebIncident) -> String {
    switch incident {
    case .refused(let peer, let status, let message): "\(peer): refused with \(status): \(message)"
    case .dropped(let peer, let reason): "\(peer): dropped: \(reason)"
    case .crowded(let peer): "\(peer): no room for another client"
    case .outOfDescriptors: "no descriptor is left for another client"
    }
  }
}
