// The changes that a client makes to a named queue, in the form of the API.

internal import DrayCore
internal import DrayDocuments

/// The changes of a named queue. A field that is missing keeps its value.
struct QueueOrder: Sendable, Equatable {
  /// A new value for a setting; with `nil`, the queue no longer has the setting.
  struct New<Value: Sendable & Equatable>: Sendable, Equatable {
    var value: Value?
  }

  var isPaused: Bool?
  var jobs: New<Int>?
  /// A rate or a timetable, as people write it.
  var rate: New<String>?
  /// The window of times, in its shortest form.
  var between: New<String>?
  /// An absolute path, or a path below the default directory.
  var directory: New<String>?
  var quota: New<QueueQuota>?

  static let schema = APISchema.object([
    APIField("paused", .flag, "Whether its jobs wait until it is resumed."),
    APIField(
      "jobs", .nullable(.integer(Int64(JobsLimit.range.lowerBound)...Int64(JobsLimit.range.upperBound))),
      "Jobs at once, over all runners; null for no limit."),
    APIField(
      "rate", .nullable(.text(most: 4096, isNeeded: true)),
      "Bytes a second of its jobs together, such as 500k, or a timetable; null for no limit."),
    APIField(
      "between", .nullable(.text(most: 4096, isNeeded: true)),
      "The times at which its jobs are transferred, such as 01:00-07:00; null for all."),
    APIField(
      "directory", .nullable(.text(most: 4096, isNeeded: true)),
      "Where files go whose jobs name no directory: a root, or a folder below one; relative to the default."),
    APIField(
      "quota", .nullable(.text(most: 40, isNeeded: true)), "Bytes in a period, such as 10G/day; null for no limit."),
  ])

  /// Reads a JSON value that matches ``schema``.
  /// - Throws: ``APIFailure`` for an invalid rate, window or quota.
  init(_ node: JSONNode) throws(APIFailure) {
    if let paused = node["paused"] { isPaused = paused.isTrue }
    if let value = node["jobs"] { jobs = New(value: value.integer.map { Int($0) }) }
    if let value = node["directory"] { directory = New(value: value.string) }
    do throws(QuantityParseError) {
      if let value = node["rate"] {
        if let text = value.string { _ = try RateRule.parse(text) }
        rate = New(value: value.string == "off" ? nil : value.string)
      }
    } catch {
      throw .bad("rate: \(error.message)")
    }
    do throws(QuantityParseError) {
      if let value = node["between"] {
        let text = value.string == "off" ? nil : value.string
        let window = try text.map { (text) throws(QuantityParseError) in try TransferWindow.parse(text) }
        between = New(value: window.map { "\($0)" })
      }
    } catch {
      throw .bad("between: \(error.message)")
    }
    do throws(QuantityParseError) {
      if let value = node["quota"] {
        if let text = value.string { quota = New(value: try QueueQuota.parse(text)) } else { quota = New(value: nil) }
      }
    } catch {
      throw .bad("quota: \(error.message)")
    }
  }

  func apply(to settings: inout QueueSettings) {
    if let isPaused { settings.isPaused = isPaused }
    if let jobs { settings.jobs = jobs.value }
    if let rate { settings.rate = rate.value }
    if let between { settings.between = between.value }
    if let directory { settings.directory = directory.value }
    if let quota { settings.quota = quota.value }
  }
}

extension APIInput {
  /// - Throws: ``APIFailure`` with 404 if the path contains no valid name of a queue.
  func queueName() throws(APIFailure) -> String {
    let text = parts["name"] ?? ""
    let name = String(validating: PercentText.decoded(Array(text.utf8)), as: UTF8.self) ?? ""
    if let objection = QueueName.objection(to: name) { throw APIFailure(404, .notFound, objection) }
    return name
  }
}
