// The API of `dray serve` below /api/v1: one entry, which reads a request, carries its call out, and answers.

public import DrayCore
public import DrayKit
internal import DrayStore
internal import DrayWire
internal import Threads

/// What a list (`-i`) has of one job.
public struct ListedJob: Sendable {
  /// The job.
  public var specification: JobSpecification
  /// Whether it waits for its user.
  public var isPaused: Bool

  /// Makes one.
  public init(_ specification: JobSpecification, isPaused: Bool = false) {
    (self.specification, self.isPaused) = (specification, isPaused)
  }
}

/// The API on a manager's jobs.
public final class NativeAPI: Sendable {
  /// Reads a list as `dray add -i` does, whose jobs go to `directory` where they say nothing else.
  public typealias ListReader =
    @Sendable (_ list: [UInt8], _ directory: String) async throws(Failure) -> [ListedJob]

  /// What the API is made of.
  public struct Settings: Sendable {
    /// What callers may have.
    public var rule: OutsideRule
    /// Where jobs go that name no directory; one of those that are allowed.
    public var directory: String
    /// What advice is called in errors of jobs.
    public var names: Advice.Names
    /// The commit that the program is built from.
    public var commit: String?
    /// When the service began, in seconds since 1970.
    public var started: Double
    /// Reads lists; nil takes none.
    public var readList: ListReader?
    /// Puts what the configuration says into a job that may be queued.
    public var prepare: JobPreparation = .none

    /// Makes settings.
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
  let keeper: Doorkeeper
  let feed: JobFeed
  let removals = RemovedJobs()
  let repeats = RepeatedCalls()
  /// The thread of calls that change something: they look at files, and ask the store.
  let desk = BlockingQueue("dray.api")
  /// The thread of those that only look: a change may wait for the store.
  private let lookout = BlockingQueue("dray.look")

  /// Makes the API of a manager.
  public init(_ manager: DownloadManager, _ keeper: Doorkeeper, _ settings: Settings) {
    (self.manager, self.keeper, self.settings) = (manager, keeper, settings)
    feed = JobFeed(manager)
  }

  /// Answers a request that was let in (``Doorkeeper/refusal(of:)``); nil for a path that is not the API's.
  public func answer(_ request: WebRequest) async -> WebResponse? {
    guard APIReading.isOwn(request.path) else { return nil }
    let result: Result<WebResponse, APIFailure>?
    do throws(APIFailure) {
      let call = try APIReading.call(of: request)
      result = try? await (call.onlyLooks ? lookout : desk).run { () async throws(Failure) in
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
      // What it says is true now, and not for others.
      response.fields["Cache-Control"] = "no-store"
      return response
    case .failure(let failure)?: return failure.response
    case nil: return nil
    }
  }

  // MARK: Answers

  /// What a failure of dray's own comes to.
  func refused(_ failure: Failure) -> APIFailure { APIFailure(failure, settings.names) }

  /// Does something of dray's.
  func trying<Value>(_ body: () async throws(Failure) -> Value) async throws(APIFailure) -> Value {
    do throws(Failure) { return try await body() } catch { throw refused(error) }
  }

  static func json(_ status: Int = 200, _ body: (inout JSONText) -> Void) -> WebResponse {
    var json = JSONText()
    body(&json)
    return WebResponse(status, ["Content-Type": "application/json"], json.bytes)
  }

  /// An answer that is one object.
  static func object(_ status: Int = 200, _ body: (inout JSONText) -> Void) -> WebResponse {
    json(status) { $0.object(body) }
  }

  static func results(_ results: [ActionResult]) -> WebResponse {
    object { json in json.array("results", results) { json, result in result.write(to: &json) } }
  }
}
