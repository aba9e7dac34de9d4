// The whole web server of `dray serve`: the access check, and the routes that answer requests.

package import DrayCore
package import DrayKit
internal import DrayPage
package import Logging
package import WebServer

package final class WebService: Sendable {
  /// A closure that answers requests; it returns `nil` for a path that is not its own.
  package typealias Route = @Sendable (WebRequest) async -> WebResponse?

  package struct Settings: Sendable {
    package var policy: AccessPolicy
    /// The rule that clients' jobs must meet.
    package var rule: OutsideRule
    /// The default directory for clients' jobs, which must be one of the allowed directories.
    package var directory: String
    /// Adds the settings of the configuration to clients' jobs.
    package var prepare: JobPreparation = .none
    /// The sessions that earlier runs opened, and the login tickets that other processes make.
    package var memory = AccessControl.Memory()
    package var limits = WebLimits()
    /// The settings of dray's own API; `nil` if the service does not offer that API.
    package var native: NativeAPI.Settings?
    /// The number of concurrent jobs with which the service was started; `nil` for as many as help.
    package var jobs: Int?
    /// Returns the figures of the present run, for `/metrics`; `nil` if no run is active.
    package var run: @Sendable () async -> RunMetrics? = { nil }
    /// Called when a client stops the service.
    package var end: @Sendable () async -> Void

    package init(
      policy: AccessPolicy, rule: OutsideRule, directory: String, end: @escaping @Sendable () async -> Void
    ) {
      (self.policy, self.rule, self.directory, self.end) = (policy, rule, directory, end)
    }
  }

  private let server: WebServer
  private let native: NativeAPI?
  private let keeper: AccessControl

  /// Creates a service that answers requests at once. The service takes over the listeners and closes them when it
  /// stops.
  /// - Parameter log: Receives lines about problems with clients.
  package init(
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
    let router = WebService.router(manager, settings, keeper, native, port: port, log)
    var web = WebServer.Settings { await router.answer($0) }
    web.reply = { router.reply($0) }
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

  /// Returns the router, with its routes in the order to try them.
  private static func router(
    _ manager: DownloadManager, _ settings: Settings, _ keeper: AccessControl, _ native: NativeAPI?, port: UInt16?,
    _ log: Logger
  ) -> Router {
    let queue = ManagerQueue(
      manager, directory: settings.directory, rule: settings.rule, prepare: settings.prepare, end: settings.end)
    let grants: Aria2Grants = settings.rule.grants.contains(.proxy) ? .proxy : []
    let context = Aria2Context(queue: queue, grants: grants, port: port, jobs: settings.jobs)
    let notices = Aria2Notices(manager) { await queue.isRemoved($0) }
    let aria2 = Aria2Endpoint(context: context, keeper: keeper, notices: notices, quick: settings.limits.quick)
    let metrics = MetricsRoute(manager, run: settings.run)
    let routes: [Route] = [
      { await aria2.answer($0) }, { PageFile.answer($0) }, { await metrics.answer($0) }, { await native?.answer($0) },
    ]
    return Router(known: { aria2.reply($0) }, routes: routes, keeper: keeper, log: log)
  }

  /// Creates a ticket with which the link to the page logs in once. Returns `nil` if the service has no secret.
  package func ticket() -> String? { keeper.ticket() }

  /// Answers the requests that have begun, and returns once no connection is open.
  package func stop() async {
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
