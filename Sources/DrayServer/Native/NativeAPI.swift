// The API of `dray serve` below /api/v1. This file reads a request, has its call carried out, and answers.

package import DrayCore
package import DrayKit
internal import DrayStore
internal import DrayWire
internal import Threads
package import WebServer

/// A job that a list (`-i`) describes.
package struct ListedJob: Sendable {
  package var specification: JobSpecification
  package var isPaused: Bool

  package init(_ specification: JobSpecification, isPaused: Bool = false) {
    (self.specification, self.isPaused) = (specification, isPaused)
  }
}

package final class NativeAPI: Sendable {
  /// A closure that reads a list in the form that `dray add -i` reads. The parameter `directory` is the default
  /// directory for the jobs of the list.
  package typealias ListReader =
    @Sendable (_ list: [UInt8], _ directory: String) async throws(Failure) -> [ListedJob]

  package struct Settings: Sendable {
    /// The rule that clients' jobs must meet.
    package var rule: OutsideRule
    /// The default directory for clients' jobs, which must be one of the allowed directories.
    package var directory: String
    /// How the advice in errors names the settings.
    package var names: Advice.Names
    /// The commit that the program was built from.
    package var commit: String?
    /// The time at which the service started, in seconds since 1970.
    package var started: Double
    /// Reads a list; `nil` if clients may not send lists.
    package var readList: ListReader?
    /// The sources whose names clients may use in place of URLs (``SourceRule``).
    package var sources = NamedSources()
    /// Adds the settings of the configuration to a job that is permitted.
    package var prepare: JobPreparation = .none
    /// The limit on the number of jobs of one origin in the service's run; `nil` if there is no limit, or if the run
    /// finds it by trying.
    package var maxPerOrigin: Int?

    package init(
      rule: OutsideRule, directory: String, names: Advice.Names, commit: String? = nil, started: Double,
      readList: ListReader? = nil
    ) {
      (self.rule, self.directory, self.names) = (rule, directory, names)
      (self.commit, self.started, self.readList) = (commit, started, readList)
    }
  }

  let manager: DownloadManager
  let settings: Settings
  let keeper: AccessControl
  let clients: ClientJobs
  let feed: JobFeed
  let removals = RemovedJobs()
  let deletions: Deletions
  let subscriptions: Subscriptions
  let repeats = RepeatedCalls()
  /// The thread for calls that change something. Such calls examine files and use the store, so they block.
  let context = BlockingExecutor("dray.api")
  /// The thread for calls that only read, because a call that changes something may have to wait for the store.
  private let lookout = BlockingExecutor("dray.look")
  /// The thread that asks the disks for their free space.
  let disk = BlockingExecutor("dray.disk")

  package init(_ manager: DownloadManager, _ keeper: AccessControl, _ settings: Settings) {
    (self.manager, self.keeper, self.settings) = (manager, keeper, settings)
    clients = ClientJobs(rule: settings.rule, preparation: settings.prepare)
    feed = JobFeed(manager)
    deletions = Deletions(manager)
    subscriptions = Subscriptions(manager)
  }

  /// Starts what the API does without a request: it reads feeds, and deletes files whose deletion an earlier run did
  /// not finish.
  package func begin() async {
    await deletions.finish()
    await subscriptions.begin { [weak self] in await self?.poll($0) }
  }

  package func end() async {
    await subscriptions.end()
    await deletions.finish()
  }

  /// Answers a request that was let in (``AccessControl/refusal(of:)``). Returns `nil` if the path does not belong to
  /// the API.
  package func answer(_ request: WebRequest) async -> WebResponse? {
    guard APIReading.isOwn(request.path) else { return nil }
    let result: Result<WebResponse, APIFailure>?
    do throws(APIFailure) {
      let call = try APIReading.call(of: request)
      result = try? await (call.onlyLooks ? lookout : context).run { () async throws(Failure) in
        do throws(APIFailure) {
          return .success(try await self.carryOut(call, request))
        } catch {
          return .failure(error)
        }
      }
    } catch {
      result = .failure(error)
    }
    switch result {
    case .success(var response)?:
      // The answer is valid only now, and only for this client.
      response.fields["Cache-Control"] = "no-store"
      return response
    case .failure(let failure)?: return failure.response
    case nil: return nil
    }
  }

  // MARK: Answers

  func refused(_ failure: Failure) -> APIFailure { APIFailure(failure, settings.names) }

  /// Runs a call of dray, and converts its failure.
  @_semantics("optimize.sil.specialize.generic.never")
  func trying<Value>(_ body: () async throws(Failure) -> Value) async throws(APIFailure) -> Value {
    do throws(Failure) { return try await body() } catch { throw refused(error) }
  }

  static func json(_ status: Int = 200, _ body: (inout JSONText) -> Void) -> WebResponse {
    var json = JSONText()
    body(&json)
    return WebResponse(status, ["Content-Type": "application/json"], json.bytes)
  }

  /// Returns an answer that consists of one JSON object.
  static func object(_ status: Int = 200, _ body: (inout JSONText) -> Void) -> WebResponse {
    json(status) { $0.object(body) }
  }

  static func results(_ results: [ActionResult]) -> WebResponse {
    object { json in json.array("results", results) { json, result in result.write(to: &json) } }
  }
}
