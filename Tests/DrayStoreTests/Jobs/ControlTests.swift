// Commands for jobs: the table of legal and illegal moves, and the effect of each.

import DrayCore
import Foundation
import StoreTesting
import Testing

@testable import DrayStore

@Suite struct ControlTests {
  /// `done STATE`, `removed`, `asked COMMAND` or `refused` for every action in every state.
  static let table: [(ControlAction, [JobState: String])] = [
    (
      .pause,
      [
        .queued: "done paused", .active: "asked pause", .interrupted: "done paused", .paused: "done paused",
        .complete: "refused", .failed: "refused",
      ]
    ),
    (
      .resume,
      [
        .queued: "done queued", .active: "done active", .interrupted: "done queued", .paused: "done queued",
        .complete: "refused", .failed: "refused",
      ]
    ),
    (
      .retry,
      [
        .queued: "refused", .active: "asked retry", .interrupted: "done queued", .paused: "refused",
        .complete: "done queued", .failed: "done queued",
      ]
    ),
    (
      .remove,
      [
        .queued: "removed", .active: "asked remove", .interrupted: "removed", .paused: "removed",
        .complete: "removed", .failed: "removed",
      ]
    ),
    (
      .setURL,
      [
        .queued: "done queued", .active: "asked restart", .interrupted: "done queued", .paused: "done paused",
        .complete: "refused", .failed: "done queued",
      ]
    ),
  ]

  private func perform(_ action: ControlAction, _ id: JobID, _ store: SQLiteStore) async throws -> ControlResult {
    switch action {
    case .pause: try await store.pause([id])[0].result
    case .resume: try await store.resume([id])[0].result
    case .retry: try await store.retry([id])[0].result
    case .remove: try await store.remove([id])[0].result
    case .setURL: try await store.setURL(id, try url("http://h/new"))
    }
  }

  @Test(arguments: table.map(\.0), JobState.allCases)
  func moves(_ action: ControlAction, from state: JobState) async throws {
    let store = try TemporaryState().open()
    let runner = UUID()
    let id = try await store.makeJob("a", in: state, runner: runner)
    let before = try #require(try await store.job(id))
    let result = try await perform(action, id, store)
    let after = try await store.job(id)
    let told =
      switch result {
      case .done(let job): after.map { "done \($0.state)" + (job == $0 ? "" : " (stale)") } ?? "removed"
      case .asked: "asked " + (try await store.commands(runner: runner).map(\.command.rawValue).joined())
      case .refused: "refused"
      case .unknown: "unknown"
      }
    #expect(told == Self.table.first { $0.0 == action }?.1[state])
    if told == "refused" { #expect(after == before) }
    if let after, after.state != state {
      #expect(state.canMove(to: after.state))
    }
    #expect(try await perform(action, 99, store) == .unknown)
  }

  @Test func refusalsSayWhatToDo() async throws {
    let store = try TemporaryState().open()
    let id = try await store.makeJob("a", in: .failed)
    #expect(try await store.resume([id])[0].result == .refused("it has failed", advice: "\(.retry, 1) starts it over"))
  }

  @Test func resumeKeepsAndRetryForgets() async throws {
    let store = try TemporaryState().open()
    let kept = try await store.makeJob("a", in: .interrupted)
    let over = try await store.makeJob("b", in: .interrupted, output: "x")
    _ = try await store.resume([kept])
    let resumed = try #require(try await store.job(kept))
    #expect(resumed.checkpoint.segments == SegmentSet(0..<10))
    #expect(resumed.retry == RetryRecord(used: 0, furthest: 10))
    _ = try await store.retry([over])
    let retried = try #require(try await store.job(over))
    #expect(retried.checkpoint == Checkpoint())
    #expect(retried.retry == RetryRecord())
    #expect(retried.failure == nil && retried.fileName == "x")
  }

  @Test func retryMayNameAgain() async throws {
    let store = try TemporaryState().open()
    let runner = UUID()
    let id = try await store.makeJob("a", in: .active, runner: runner)
    _ = try await store.fixName(
      id, runner: runner, directory: "/d", name: "n", policy: .fail, taken: [])
    _ = try await store.finish([.sample(id)], runner: runner, now: 3)
    _ = try await store.retry([id])
    #expect(try await store.job(id)?.fileName == nil)
    #expect(try await store.job(id)?.published == nil)
  }

  @Test func retryDoesNotTakeATargetBack() async throws {
    let store = try TemporaryState().open()
    let old = try await store.makeJob("a", in: .failed, output: "x")
    _ = try await store.add([try specification("http://h/b", output: "x")], now: 5)
    guard case .refused(let reason, _) = try await store.retry([old])[0].result else {
      Issue.record("two jobs with one target")
      return
    }
    #expect(reason.contains("it is the target of job 2, which is queued"))
    #expect(try await store.job(old)?.state == .failed)
  }

  @Test func newURLKeepsBytesButNoSecretsOfAnotherOrigin() async throws {
    let store = try TemporaryState().open()
    var wanted = try specification("http://h/a?old")
    wanted.request.cookie = "c"
    wanted.request.headers = [HeaderField("Authorization", "x")]
    wanted.request.credentials = Credentials(user: "u", password: "p")
    wanted.request.userAgent = "agent"
    _ = try await store.add([wanted], now: 1)
    _ = try await store.setURL(1, try url("http://h/a?new"))
    wanted.request.url = try url("http://h/a?new")
    #expect(try await store.job(1)?.specification == wanted)
    _ = try await store.setURL(1, try url("http://cdn/a"))
    let request = try #require(try await store.job(1)?.specification.request)
    #expect(request.url.string == "http://cdn/a")
    #expect(request.cookie == nil && request.headers.isEmpty && request.credentials == nil)
    #expect(request.userAgent == "agent")
    // Holds apply to the new origin.
    try await store.hold(OriginHold(try url("http://cdn/").origin, until: 50, since: 10))
    #expect(try await store.claim(runner: UUID(), limit: 1, scope: .all, now: 11).isEmpty)
  }

  @Test func commandsOfAHolder() async throws {
    let store = try TemporaryState().open()
    let runner = UUID()
    let ids = try await ["a", "b", "c"].asyncMap { try await store.makeJob($0, in: .active, runner: runner) }
    _ = try await store.pause([ids[0], ids[1]])
    _ = try await store.resume([ids[1]])
    _ = try await store.remove([ids[2]])
    #expect(try await store.commands(runner: runner).map(\.id) == [ids[0], ids[2]])
    #expect(try await store.commands(runner: UUID()).isEmpty)
    #expect(try await store.removeOwned(ids[2], runner: runner))
    #expect(try await store.job(ids[2]) == nil)
    // Only the requested command is carried out.
    #expect(try await !store.retryOwned(ids[1], runner: runner))
    _ = try await store.retry([ids[1]])
    #expect(try await store.retryOwned(ids[1], runner: runner))
    #expect(try await store.job(ids[1])?.state == .queued)
  }

  @Test func forgetting() async throws {
    let store = try TemporaryState().open()
    let ids = try await JobState.allCases.asyncMap { try await store.makeJob($0.rawValue, in: $0) }
    #expect(try await store.unfinishedCount() == 4)
    #expect(try await store.counts(ids: Set(ids.prefix(2) + [99])) == [.queued: 1, .active: 1])
    #expect(try await store.forgetFinished() == 2)
    #expect(try await store.ids(states: Set(JobState.allCases)).count == 4)
    // A number is never used twice.
    #expect(try await store.add(paths: "new") == [JobID(ids.count + 1)])
  }

  @Test("a repeated request keeps the name of its part file: the file may exist", arguments: [nil, "f"])
  func partFilesKeepTheirNames(stem: String?) async throws {
    let store = try TemporaryState().open()
    var asked = try specification("http://h/f")
    asked.options.partStem = stem
    asked.options.partDirectory = stem.map { "/t/\($0)" }
    let id = try #require(try await store.add([asked], now: 1).first?.id)
    asked.options.partStem = stem == nil ? "f" : nil
    asked.options.partDirectory = stem == nil ? "/t/f" : nil
    asked.options.retryWait = 1.5
    #expect(try await store.renew(id, with: asked))
    let job = try #require(try await store.job(id))
    #expect((job.specification.options.partStem, job.specification.options.retryWait) == (stem, 1.5))
    let summary = try #require(try await store.summaries(after: 0, states: nil, limit: 1).first)
    let place = stem.map { "/t/\($0)" } ?? "/d"
    #expect(summary.partFile == job.partFile && job.partFile == "\(place)/\(stem ?? "").\(job.uuid.uuidString).part")
    #expect(summary.partFileAtTarget == job.partFileAtTarget && summary.place == job.specification.place)
  }
}
