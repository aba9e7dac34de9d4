// `dray limit`: change the rate of what runs.

internal import ArgumentParser
internal import DrayKit
internal import TerminalUI

struct Limit: DrayCommand {
  static let configuration = CommandConfiguration(
    abstract: "Limit the rate of all runners, or of one job, while they run.",
    discussion: """
      RATE is in bytes per second for each runner, such as 500k or 2M; off means no limit. It may be a timetable: \
      `08:00,512k 19:00,10M 23:00,off`, where a time may have a day (`Sat-10:00,off`). Every runner applies it \
      within a second, and so does every later one, regardless of --max-overall-rate, until `dray limit auto`. \
      Without an argument, the current limit is shown.

      EXAMPLES
        dray limit 500k
        dray limit '08:00,512k 19:00,off'
        dray limit --job 3 1M
        dray limit auto
      """)

  @Argument(
    help: ArgumentHelp("A rate, a timetable, off, or auto.", valueName: "rate"), completion: .list(["off", "auto"]))
  var rate: [String] = []

  @Option(
    help: ArgumentHelp("Limit only this job, to a rate or off.", valueName: "id"), completion: .custom(JobIDs.complete)
  )
  var job: String?

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  func execute() async throws -> ExitStatus {
    let text = rate.joined(separator: " ")
    if let job, let id = try JobIDs.parse([job]).first { return try await limit(id, text) }
    guard !text.isEmpty else {
      await ResultOutput.standard.write(try show(Store.openIfPresent()) + "\n")
      return .success
    }
    if text == "auto" {
      try await Store.openIfPresent()?.clearLimit()
    } else {
      _ = try OptionValue.rateRule(text, "the limit")
      try await Store.open().setLimit(text)
    }
    if !quiet { await Messages.print(try show(Store.openIfPresent())) }
    return .success
  }

  private func limit(_ id: JobID, _ text: String) async throws -> ExitStatus {
    let manager = try await Store.look()
    let job = try JobIDs.job(id, manager)
    guard !text.isEmpty else {
      let rate = job.specification.options.rateLimit
      ResultOutput.standard.write("job \(id): \(RateText.text(rate))\n")
      return .success
    }
    let rate = text == "off" || text == "auto" ? nil : try OptionValue.rate(text, "--job \(id)")
    guard try manager?.store.setRateLimit(rate, of: id) == true else { throw JobIDs.unknown(id) }
    if !quiet { Messages.print("job \(id): \(RateText.text(rate))") }
    return .success
  }

  private func show(_ manager: DownloadManager?) async throws(Failure) -> String {
    guard let (text, rule) = try await manager?.limit() else {
      return "auto: each runner uses its own --max-overall-rate"
    }
    let now = WallTime.now
    var line = RateText.text(rule.rate(at: now, zone: .current))
    if let next = rule.nextChange(after: now, zone: .current) {
      line += " until \(TimeStamp.moment(next.moment, now: now)), then \(RateText.text(next.rate))"
    }
    return "\(line) (dray limit \(TextSafety.escaped(text)))"
  }
}
