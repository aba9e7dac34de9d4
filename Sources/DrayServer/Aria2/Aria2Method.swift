// The table of aria2's methods (manual, "Methods"), in the order of `system.listMethods`.

struct Aria2Method: Sendable {
  typealias Body = @Sendable (RPCParameters, Aria2Context) async throws -> RPCValue
  typealias Known = @Sendable (RPCParameters, Aria2Context) throws -> RPCValue?

  let name: String
  /// Whether the method only reads. Any other method may only be called by the service's own page or by a program.
  let looks: Bool
  /// Whether a call of the method must contain the token if the service has a secret.
  let needsToken: Bool
  let run: Body
  /// Returns the result that `run` would have if that is in memory; never waits. `nil` if the method always waits.
  let known: Known?

  private init(_ name: String, looks: Bool, needsToken: Bool = true, known: Known? = nil, _ run: @escaping Body) {
    (self.name, self.looks, self.needsToken, self.run, self.known) = (name, looks, needsToken, run, known)
  }

  private static func look(_ name: String, _ run: @escaping Body) -> Aria2Method { Aria2Method(name, looks: true, run) }
  private static func show(_ name: String, _ view: Aria2JobView) -> Aria2Method {
    Aria2Method(name, looks: true, known: { try view.known($0, $1) }) { try await view.answer($0, $1) }
  }
  private static func act(_ name: String, _ run: @escaping Body) -> Aria2Method { Aria2Method(name, looks: false, run) }

  /// The method that carries out several calls. ``RPCAnswers`` carries it out.
  static let multicall = "system.multicall"

  /// All methods except ``multicall``. The methods for BitTorrent are missing, as in an aria2 that was built without
  /// BitTorrent.
  static let all: [Aria2Method] = [
    act(Aria2Adding.addURIName, Aria2Adding.addURI), act("aria2.addMetalink", Aria2Adding.addMetalink),
    act("aria2.remove", Aria2Controlling.remove), act("aria2.pause", Aria2Controlling.pause),
    act("aria2.forcePause", Aria2Controlling.pause), act("aria2.pauseAll", Aria2Controlling.pauseAll),
    act("aria2.forcePauseAll", Aria2Controlling.pauseAll), act("aria2.unpause", Aria2Controlling.unpause),
    act("aria2.unpauseAll", Aria2Controlling.unpauseAll), act("aria2.forceRemove", Aria2Controlling.remove),
    act("aria2.changePosition", Aria2Controlling.changePosition), show("aria2.tellStatus", Aria2Looking.tellStatus),
    show("aria2.getUris", Aria2Looking.getURIs), show("aria2.getFiles", Aria2Looking.getFiles),
    show("aria2.getServers", Aria2Looking.getServers), look("aria2.tellActive", Aria2Looking.tellActive),
    look("aria2.tellWaiting", Aria2Looking.tellWaiting), look("aria2.tellStopped", Aria2Looking.tellStopped),
    look("aria2.getOption", Aria2OptionMethods.ofJob), act("aria2.changeUri", Aria2Controlling.changeURI),
    act("aria2.changeOption", Aria2OptionMethods.changeOfJob), look("aria2.getGlobalOption", Aria2OptionMethods.global),
    act("aria2.changeGlobalOption", Aria2OptionMethods.changeGlobal),
    act("aria2.purgeDownloadResult", Aria2Controlling.purge),
    act("aria2.removeDownloadResult", Aria2Controlling.removeResult), look("aria2.getVersion", Aria2Session.version),
    look("aria2.getSessionInfo", Aria2Session.session), act("aria2.shutdown", Aria2Session.stop),
    act("aria2.forceShutdown", Aria2Session.stop), look("aria2.getGlobalStat", Aria2Looking.globalStat),
    act("aria2.saveSession", Aria2Session.save),
    Aria2Method("system.listMethods", looks: true, needsToken: false, Aria2Session.methods),
    Aria2Method("system.listNotifications", looks: true, needsToken: false, Aria2Session.notifications),
  ]

  private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

  static func named(_ name: String) -> Aria2Method? { byName[name] }

  /// The names of all methods, including ``multicall``.
  static let names: [String] = {
    var names = all.map(\.name)
    names.insert(multicall, at: names.firstIndex(of: "system.listMethods") ?? names.endIndex)
    return names
  }()
}
