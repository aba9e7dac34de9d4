// The host at the other end of a browser's native messaging: carries out the messages of dray's extension, and answers
// each of them. The extension is judged as a client of the service (P22).

package import DrayCore
package import DrayDocuments
package import DrayKit
internal import DrayWire

package actor NativeMessagingHost {
  package struct Settings: Sendable {
    /// The rule that the jobs of browsers must meet. It must allow ``directory``.
    package var rule: OutsideRule
    /// The absolute path of the directory for downloads.
    package var directory: String
    /// The names of actions and settings in advice.
    package var names: Advice.Names
    /// The version of dray.
    package var version: String
    /// Adds the settings of the configuration to jobs.
    package var prepare: JobPreparation
    /// Opens the job store, which is created if it does not exist.
    package var open: @Sendable () throws(Failure) -> DownloadManager
    /// Opens the job store; `nil` if it does not exist.
    package var look: @Sendable () async throws(Failure) -> DownloadManager?
    /// Whether a service transfers the queue.
    package var hasService: @Sendable () -> Bool
    /// Makes sure that the queue is transferred. Returns the reason if it is not.
    package var start: @Sendable (DownloadManager) -> String?

    package init(
      rule: OutsideRule, directory: String, names: Advice.Names, version: String, prepare: JobPreparation = .none,
      open: @escaping @Sendable () throws(Failure) -> DownloadManager
    ) {
      (self.rule, self.directory, self.names, self.version) = (rule, directory, names, version)
      (self.prepare, self.open) = (prepare, open)
      look = { () throws(Failure) in try open() }
      hasService = { false }
      start = { _ in nil }
    }
  }

  /// The maximum number of downloads that are queued in one step.
  private static let mostTogether = 100

  let settings: Settings
  let clients: ClientJobs
  private var known: DownloadManager?

  package init(_ settings: Settings) {
    self.settings = settings
    clients = ClientJobs(rule: settings.rule, preparation: settings.prepare)
  }

  /// Carries out messages in their order. Downloads that follow each other are queued together.
  /// - Parameter send: Receives each answer. For a download, its job is durable then (P3).
  package func answer(_ messages: [BrowserMessage], send: @Sendable (BrowserAnswer) -> Void) async {
    var rest = messages[...]
    while let message = rest.popFirst() {
      guard case .success(let order) = message.order else {
        if case .failure(let problem) = message.order { send(BrowserAnswer(to: message.id, refusing: problem)) }
        continue
      }
      guard case .add(let first) = order else {
        send(await answer(message.id, order))
        continue
      }
      var group = [(id: message.id, download: first)]
      while group.count < NativeMessagingHost.mostTogether, let next = rest.first,
        case .success(.add(let download)) = next.order
      {
        group.append((next.id, download))
        rest.removeFirst()
      }
      for answer in await add(group) { send(answer) }
    }
  }

  private func answer(_ id: BrowserMessageID?, _ order: BrowserOrder) async -> BrowserAnswer {
    do throws(BrowserProblem) {
      switch order {
      case .hello(let version): return try hello(id, version)
      case .list: return try await list(id)
      case .matches(let url, let name, let size): return try await matches(id, url, name, size)
      case .relink(let job, let download): return try await relink(id, job, download)
      case .act(let act, let job): return try await perform(id, act, job)
      case .add(let download): return await add([(id, download)]).first ?? BrowserAnswer(to: id)
      }
    } catch {
      return BrowserAnswer(to: id, refusing: error)
    }
  }

  private func hello(_ id: BrowserMessageID?, _ version: Int64) throws(BrowserProblem) -> BrowserAnswer {
    guard version >= BrowserMessage.version else {
      throw BrowserProblem(
        .unavailable, "the extension speaks version \(version) of the protocol, and dray \(BrowserMessage.version)",
        advice: "update the extension")
    }
    return BrowserAnswer(to: id) { json in
      json.field("version", BrowserMessage.version)
      json.field("program", settings.version)
      json.field("directory", settings.directory)
      json.field("service", settings.hasService())
    }
  }

  // MARK: The store

  func opened() throws(BrowserProblem) -> DownloadManager {
    if let known { return known }
    do throws(Failure) {
      let manager = try settings.open()
      known = manager
      return manager
    } catch {
      throw problem(error)
    }
  }

  func looked() async throws(BrowserProblem) -> DownloadManager? {
    if let known { return known }
    let manager = try await trying(settings.look)
    known = known ?? manager
    return known
  }

  func trying<Value: Sendable>(
    _ body: () async throws(Failure) -> Value
  ) async throws(BrowserProblem) -> Value {
    do throws(Failure) { return try await body() } catch { throw problem(error) }
  }

  func problem(_ failure: Failure) -> BrowserProblem {
    let code: BrowserProblem.Code =
      switch failure.kind {
      case .usage, .other: .refused
      case .file, .store, .network, .tls, .authentication, .protocolViolation, .status, .integrity: .unavailable
      }
    return BrowserProblem(code, failure.description, advice: failure.advice?.text(settings.names))
  }
}
