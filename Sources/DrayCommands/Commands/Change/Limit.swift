// `dray limit`: changes the rate of running transfers, and the number of jobs at the same time.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore
internal import TerminalUI
internal import Threads

struct Limit: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "limit",
    abstract: "Limit the rate of all runners, or of one job, while they run.",
    discussion: """
      RATE is in bytes per second for each runner, such as 500k or 2M; off means no limit. It may be a timetable: \
      `08:00,512k 19:00,10M 23:00,off`, where a time may have a day (`Sat-10:00,off`). Every runner applies it \
      within a second, and so do later ones, regardless of --max-overall-rate, until `dray limit auto`. \
      Without an argument, the current limits are shown.

      --jobs sets how many jobs each runner transfers at once, in the same way, regardless of --max-concurrent-downloads: \
      a number, off for as many as help, or auto. A smaller number does not stop running jobs: they finish first. \
      --max-per-host still applies.

      --window limits the times at which runners transfer, in the same way, regardless of --between: \
      `01:00-07:00`, `Mon-Fri 22:00-06:00 Sat,Sun`, off for all times, or auto. Outside of them transfers are stopped within \
      a second, with their bytes kept, and go on by themselves.

      A server that answers 429 or 503 with Retry-After, or says that its rate limit is used up, puts its jobs on hold \
      until the time that it names. --no-hold ends \
      a hold: the jobs are asked for at once. `dray resume ID` asks for one job, once.

      EXAMPLES
        dray limit 500k
        dray limit '08:00,512k 19:00,off'
        dray limit --jobs 2
        dray limit --window 01:00-07:00
        dray limit --job 3 1M
        dray limit --no-hold example.org
        dray limit auto
      """)

  @Argument(
    help: ArgumentHelp("A rate, a timetable, off, or auto.", valueName: "rate"), completion: .list(["off", "auto"]))
  var rate: [String] = []

  @Option(
    help: ArgumentHelp("Limit only this job, to a rate or off.", valueName: "id"), completion: .custom(JobIDs.complete)
  )
  var job: String?

  @Option(
    help: ArgumentHelp("Transfer this many jobs at once: a number, off or auto.", valueName: "number"),
    completion: .list(["off", "auto"]))
  var jobs: String?

  @Option(
    help: ArgumentHelp("Transfer only at these times: 01:00-07:00, off or auto.", valueName: "times"),
    completion: .list(["off", "auto"]))
  var window: String?

  @Option(
    help: ArgumentHelp(
      "End the hold that a server asked for: its host, its URL, or all.", valueName: "host"),
    completion: .list(["all"]))
  var noHold: String?

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  func execute() async throws -> ExitStatus {
    let text = rate.joined(separator: " ")
    if let noHold {
      guard text.isEmpty, job == nil, jobs == nil, window == nil else {
        throw OptionValue.bad("--no-hold", "it sets no limit: give it alone")
      }
      return try await endHolds(noHold)
    }
    if let job, let id = try JobIDs.parse([job]).first {
      guard jobs == nil, window == nil else {
        throw OptionValue.bad(
          "--job", "--jobs and --window are for all jobs: `dray set \(id) between=TIMES` is for one")
      }
      return try await limit(id, text)
    }
    guard !text.isEmpty || jobs != nil || window != nil else {
      let manager = try Store.openIfPresent()
      await ResultOutput.standard.write(
        try showRate(manager) + "\n" + showJobs(manager) + "\n" + showWindow(manager) + "\n")
      let now = WallClock.now()
      for hold in try await manager?.holds() ?? [] {
        ResultOutput.standard.write(HoldText.status(hold, now: now) + "\n")
      }
      return .success
    }
    // All limits are checked before the first of them is set.
    if !text.isEmpty, text != "auto" { _ = try OptionValue.rateRule(text, "the limit") }
    let wanted = try jobs.flatMap { (text) throws(Failure) in try Limit.jobs(text) }
    let times = try Limit.window(window)
    if text == "auto" {
      try await Store.openIfPresent()?.clearLimit()
    } else if !text.isEmpty {
      try await Store.open().setLimit(text)
    }
    if let wanted {
      try await Store.open().setJobs(wanted)
    } else if jobs != nil {
      try await Store.openIfPresent()?.clearJobs()
    }
    if window == "auto" {
      try await Store.openIfPresent()?.clearWindow()
    } else if window != nil {
      try await Store.open().setWindow(times)
    }
    guard !quiet else { return .success }
    if !text.isEmpty { await Messages.print(try showRate(Store.openIfPresent())) }
    if jobs != nil { await Messages.print(try showJobs(Store.openIfPresent())) }
    if window != nil { await Messages.print(try showWindow(Store.openIfPresent())) }
    return .success
  }

  private func endHolds(_ text: String) async throws -> ExitStatus {
    let ended = try await Store.look()?.endHolds(meantBy: text == "all" ? nil : text) ?? []
    guard !quiet else { return .success }
    for hold in ended { Messages.print("\(hold.host) is no longer on hold") }
    if ended.isEmpty { Messages.print(text == "all" ? "nothing is on hold" : "\(text) is not on hold") }
    return .success
  }

  /// Returns the number of jobs in a text; `nil` stands for `auto`.
  private static func jobs(_ text: String) throws(Failure) -> JobsLimit? {
    guard text != "auto" else { return nil }
    guard let limit = JobsLimit(text) else {
      throw OptionValue.bad(
        "--jobs",
        "\(OptionValue.quote(text)) is not a number from \(JobsLimit.range.lowerBound) to \(JobsLimit.range.upperBound), off or auto"
      )
    }
    return limit
  }

  /// Returns the times in the text of a window; `nil` means all times, and also stands for `auto`.
  private static func window(_ text: String?) throws(Failure) -> TransferWindow? {
    guard let text, text != "auto" else { return nil }
    return try OptionValue.read(text, .window, "--window")
  }

  private func limit(_ id: JobID, _ text: String) async throws -> ExitStatus {
    let manager = try await Store.look()
    let job = try await JobIDs.job(id, manager)
    guard !text.isEmpty else {
      let rate = job.specification.options.rateLimit
      ResultOutput.standard.write("job \(id): \(RateText.text(rate))\n")
      return .success
    }
    let rate = text == "off" || text == "auto" ? nil : try OptionValue.read(text, .rate, "--job \(id)")
    guard try await manager?.jobs.setRateLimit(rate, of: id) == true else { throw JobIDs.unknown(id) }
    if !quiet { Messages.print("job \(id): \(RateText.text(rate))") }
    return .success
  }

  private func showRate(_ manager: DownloadManager?) async throws(Failure) -> String {
    guard let (text, rule) = try await manager?.limit() else {
      return "auto: each runner uses its own --max-overall-rate"
    }
    let now = WallClock.now()
    var line = RateText.text(rule.rate(at: now, zone: .current))
    if let next = rule.nextChange(after: now, zone: .current) {
      line += " until \(TimeStamp.moment(next.moment, now: now)), then \(RateText.text(next.rate))"
    }
    return "\(line) (dray limit \(TextSafety.escaped(text)))"
  }

  private func showJobs(_ manager: DownloadManager?) async throws(Failure) -> String {
    switch try await manager?.jobsLimit() {
    case nil: "jobs: auto: each runner uses its own --max-concurrent-downloads"
    case .asManyAsHelp?: "jobs: as many as help (dray limit --jobs off)"
    case .fixed(let number)?: "jobs: \(number) at once (dray limit --jobs \(number))"
    }
  }

  private func showWindow(_ manager: DownloadManager?) async throws(Failure) -> String {
    guard let (text, window) = try await manager?.window() else {
      return "window: auto: each runner uses its own --between"
    }
    guard let window else { return "window: all times (dray limit --window off)" }
    let now = WallClock.now()
    let isOpen = window.isOpen(at: now, zone: .current)
    let change = window.nextChange(after: now, zone: .current).map { " until \(TimeStamp.moment($0, now: now))" } ?? ""
    return "window: \(isOpen ? "open" : "closed")\(change) (dray limit --window '\(TextSafety.escaped(text))')"
  }
}
