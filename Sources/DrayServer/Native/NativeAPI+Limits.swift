// The calls about the limits that apply to all jobs together.

internal import DrayCore
internal import DrayDocuments
internal import DrayKit
internal import DrayStore
internal import Threads
internal import WebServer

extension NativeAPI {
  /// Returns the limits that a client set, if they still apply; otherwise the limits that follow from the present rule.
  private func current() async throws(APIFailure) -> LimitsOrder {
    try await trying { () async throws(Failure) in
      let jobs = try await manager.jobsLimit()?.number
      let text = try await manager.jobs.setting(.rateLimit)
      let given = try await manager.jobs.setting(.timetable)
      let between = QueueOrder.New(value: try await manager.window()?.text)
      var limits = LimitsRule.limits(of: text, jobs: jobs)
      if let given, let kept = NativeAPI.limits(in: given), let rule = try? LimitsRule(kept), rule.text == text {
        limits = kept
        limits.jobs = jobs
      }
      limits.between = between
      return limits
    }
  }

  private static func limits(in text: String) -> LimitsOrder? {
    guard let node = try? JSONNode.parse(text.utf8, kind: "limits"), (try? LimitsOrder.schema.check(node, "")) != nil
    else { return nil }
    return LimitsOrder(node)
  }

  func limits() async throws(APIFailure) -> WebResponse {
    let limits = try await current()
    let rule = try await trying { () async throws(Failure) in try await manager.limit()?.rule }
    let now = rule?.rate(at: WallClock.now(), zone: .current)
    return NativeAPI.json(200) { limits.write(to: &$0, now: .some(now)) }
  }

  func set(_ order: LimitsOrder) async throws(APIFailure) -> WebResponse {
    var kept = order
    if kept.slow == nil { kept.slow = try await current().slow }
    let limits = kept
    let (rule, window) = (try LimitsRule(limits), try limits.window())
    var json = JSONText()
    limits.write(to: &json)
    let text = json.text
    try await trying { () async throws(Failure) in
      // The timetable is set first, because it has no effect as long as the limit is not set.
      try await manager.jobs.set(.timetable, to: text)
      if let rate = rule.text { try await manager.setLimit(rate) } else { try await manager.clearLimit() }
      if let jobs = limits.jobs { try await manager.setJobs(.fixed(jobs)) } else { try await manager.clearJobs() }
      guard let between = limits.between else { return }
      if between.value == nil { try await manager.clearWindow() } else { try await manager.setWindow(window) }
    }
    return try await self.limits()
  }
}
