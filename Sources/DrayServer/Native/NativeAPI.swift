// The API of `dray serve` below /api/v1: reads a request, carries out its call, and answers.

public import DrayCore
public import DrayKit
internal import DrayStore
internal import DrayWire
internal import Threads
public import WebServer

/// A job in a list (`-i`).
public struct ListedJob: Sendable {
  public var specification: JobSpecification
  public var isPaused: Bool

  public init(_ specification: JobSpecification, isPaused: Bool = false) {
    (self.specification, self.isPaused) = (specification, isPaused)
  }
}

public final class NativeAPI: Sendable {
  /// A closure that reads a list like `dray add -i`. `directory` is the default for its jobs.
  public typealias ListReader =
    @Sendable (_ list: [UInt8], _ directory: String) async throws(Failure) -> [ListedJob]

  public struct Settings: Sendable {
    /// The rule for clients' jobs.
    public var rule: OutsideRule
    /// The default directory, which must be an allowed one.
    public var directory: String
    /// The names in the advice of errors.
    public var names: Advice.Names
    /// The commit that the program was built from.
    public var commit: String?
    /// The start of the service, in seconds since 1970.
    public var started: Double
    /// Reads lists; `nil` if lists are not accepted.
    public var readList: ListReader?
    /// Adds the configuration's settings to a permitted job.
    public var prepare: JobPreparation = .none
    /// The limit on the jobs of one origin in the service's run; `nil` if there is none, or it is found by trying.
    public var maxPerOrigin: Int?

    public init(
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
  /// The thread of calls that change something. They examine files and use the store.
  let context = BlockingExecutor("dray.api")
  /// The thread of calls that only read, because a change may wait for the store.
  private let lookout = BlockingExecutor("dray.look")
  /// The thread that asks disks for their free space.
  let disk = BlockingExecutor("dray.disk")

  public init(_ manager: DownloadManager, _ keeper: AccessControl, _ settings: Settings) {
    (self.manager, self.keeper, self.settings) = (manager, keeper, settings)
    clients = ClientJobs(rule: settings.rule, preparation: settings.prepare)
    feed = JobFeed(manager)
    deletions = Deletions(manager)
    subscriptions = Subscriptions(manager)
  }

  /// Starts the API's own work: reads feeds, and deletes files whose deletion was left unfinished.
  public func begin() async {
    await deletions.finish()
    await subscriptions.begin { [weak self] in await self?.poll($0) }
  }

  public func end() async {
    await subscriptions.end()
    await deletions.finish()
  }

  /// Answers a request that was let in (``AccessControl/refusal(of:)``); `nil` if the path is not the API's.
  public func answer(_ request: WebRequest) async -> WebResponse? {
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
      // The answer is valid only now and only for this client.
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

  /// Returns an answer with a single object.
  static func object(_ status: Int = 200, _ body: (inout JSONText) -> Void) -> WebResponse {
    json(status) { $0.object(body) }
  }

  static func results(_ results: [ActionResult]) -> WebResponse {
    object { json in json.array("results", results) { json, result in result.write(to: &json) } }
  }
}
