// All doors of `dray serve` together: who may come in, and who answers what.

public import DrayCore
public import DrayKit
internal import DrayPage
public import Logging

/// The server of a queue.
public final class WebService: Sendable {
  /// Something else that answers; nil where a path is not its own.
  public typealias Room = @Sendable (WebRequest) async -> WebResponse?

  /// What a service is made of.
  public struct Settings: Sendable {
    /// Who may ask.
    public var policy: AccessPolicy
    /// What they may ask for.
    public var rule: OutsideRule
    /// Where jobs go that name no directory; among those that are allowed.
    public var directory: String
    /// Puts what the configuration says into jobs of clients.
    public var prepare: JobPreparation = .none
    /// How much clients may have.
    public var limits = WebLimits()
    /// What dray's own API is made of; nil has none.
    public var native: NativeAPI.Settings?
    /// Is called when a client ends the service.
    public var end: @Sendable () async -> Void

    /// Makes settings.
    public init(
      policy: AccessPolicy, rule: OutsideRule, directory: String, end: @escaping @Sendable () async -> Void
    ) {
      (self.policy, self.rule, self.directory, self.end) = (policy, rule, directory, end)
    }
  }

  private let server: WebServer
  private let keeper: Doorkeeper

  /// Begins to serve. The listeners are the service's from now on.
  /// - Parameter log: is told what goes wrong with clients.
  public init(
    _ manager: DownloadManager, _ listeners: [Listener], _ settings: Settings, log: Logger
  ) throws(Failure) {
    keeper = Doorkeeper(
      settings.policy, report: { log.warning("\(Router.name($0)): a wrong secret") })
    let router = Router(rooms: WebService.rooms(manager, settings, keeper), keeper: keeper, log: log)
    var web = WebServer.Settings { await router.answer($0) }
    web.limits = settings.limits
    web.standing = SecurityFields.all
    web.evictsStrangers = settings.policy.secret != nil
    web.screen = { router.refusal(of: $0) }
    web.report = { log.debug("\(WebService.words($0))") }
    server = try WebServer(listeners, web)
  }

  /// The doors in the order in which they are asked.
  private static func rooms(_ manager: DownloadManager, _ settings: Settings, _ keeper: Doorkeeper) -> [Room] {
    let queue = ManagerQueue(
      manager, directory: settings.directory, rule: settings.rule, prepare: settings.prepare, end: settings.end)
    let desk = Aria2Desk(queue: queue, grants: settings.rule.grants.contains(.proxy) ? .proxy : [])
    let aria2 = Aria2Door(
      desk: desk, keeper: keeper, notices: Aria2Notices(manager), quick: settings.limits.quick)
    let native = settings.native.map { native in
      var native = native
      native.prepare = settings.prepare
      return NativeAPI(manager, keeper, native)
    }
    return [{ await aria2.answer($0) }, { PageFile.answer($0) }, { await native?.answer($0) }]
  }

  /// A ticket that logs in once, for the link to the page; nil without a secret.
  public func ticket() -> String? { keeper.ticket() }

  /// Ends: requests that have begun are answered; returns when nothing is open any more.
  public func stop() async { await server.stop() }

  private static func words(_ incident: WebIncident) -> String {
    switch incident {
    case .refused(let peer, let status, let message): "\(peer): refused with \(status): \(message)"
    case .dropped(let peer, let reason): "\(peer): dropped: \(reason)"
    case .crowded(let peer): "\(peer): no room for another client"
    case .outOfDescriptors: "no descriptor is left for another client"
    }
  }
}
