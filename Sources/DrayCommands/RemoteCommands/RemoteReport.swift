// Turns the JSON of a service's API into text, and orders into JSON. The code in this file has no effects outside its
// values.

internal import DrayDocuments
internal import DrayKit
internal import DrayServer
internal import DrayStore
internal import TerminalUI
internal import Threads

enum RemoteReport {
  // MARK: Answers

  /// Returns a value as one line of JSON which contains nothing that a terminal would interpret (P8).
  static func json(_ node: JSONNode) -> String {
    var json = JSONText()
    json.value(node)
    return json.text
  }

  /// Writes jobs as a table.
  /// - Parameter width: The number of columns in the window; `nil` means that rows are not shortened.
  static func table(_ jobs: [JSONNode], width: Int?, isTTY: Bool, to sink: (String) -> Void) {
    let now = WallClock.now()
    JobTable.write(
      jobs.map { JobTableRow($0, now: now) }, width: width, keepsNames: !isTTY,
      profile: TerminalProfile.detect(isTTY: isTTY, environment: ProcessVariables.all), to: sink)
  }

  /// - Parameter columns: The number of columns in the window; `nil` leaves lines whole.
  static func page(_ job: JSONNode, columns: Int? = nil) -> String {
    var page = Sections(columns: columns)
    page.section("Job \(job["id"]?.integer ?? 0)")
    for name in ["state", "target"] { page.add(name, job[name]?.string) }
    page.add("part file", job["partFile"]?.string)
    page.add("size", job["size"]?.integer.map { "\($0) bytes (\(ByteText.size($0)))" } ?? "unknown")
    page.add("received", job["received"]?.integer.map { "\($0) bytes (\(ByteText.size($0)))" })
    page.add("rate", job["rate"]?.integer.map { ByteText.rate(Double($0)) })
    page.add("runner", job["runner"]?.string.map(TextSafety.escaped))
    page.add("priority", job["priority"]?.integer.map { "\($0)" })
    page.add("queue", job["queue"]?.string)
    page.add("between", job["between"]?.string)
    page.add("added", job["addedAt"]?.number.map { TimeStamp.text($0) })
    page.add("ended", job["finishedAt"]?.number.map { TimeStamp.text($0) })
    page.add("note", job["note"]?.string)
    page.section("Request")
    page.add("URL", job["url"]?.string)
    page.add("final URL", job["finalURL"]?.string)
    for mirror in job["mirrors"]?.array ?? [] { page.add("mirror", mirror.string) }
    page.section("Digest")
    page.add(job["digestSource"]?.string ?? "known", job["digest"]?.string)
    page.section("Failure")
    page.add("kind", job["error"]?["code"]?.string)
    page.add("what", job["error"]?["message"]?.string)
    return page.finished()
  }

  // MARK: Orders

  static func text(_ adding: RemoteCommand.Adding, _ surroundings: Surroundings) throws(Failure) -> String {
    if let file = adding.file {
      let bytes = try surroundings.contents(file, "-i")
      guard let text = OutsideText.text(bytes) else { throw OptionValue.bad("-i", "it is not valid UTF-8") }
      return text
    }
    var lines: [String] = []
    for text in adding.urls {
      do throws(URLParseError) {
        let parsed = try RequestURL.parse(text)
        lines.append(parsed.userInfo == nil ? parsed.url.string : text)
      } catch {
        throw OptionValue.bad(TextSafety.escaped(URLRedaction.redacted(text.start(200))), error.message)
      }
      lines += adding.settings.map { "  \($0)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  static func list(_ text: String, directory: String?) -> JSONText {
    var json = JSONText()
    json.beginObject()
    json.field("list", text)
    if let directory { json.field("directory", directory) }
    json.endObject()
    return json
  }

  static func action(_ action: String, _ jobs: RemoteCommand.Jobs) -> JSONText {
    var json = JSONText()
    json.beginObject()
    json.field("action", action)
    switch jobs {
    case .all: json.field("all", true)
    case .ids(let ids): write(ids, to: &json)
    }
    json.endObject()
    return json
  }

  static func move(_ ids: [JobID], _ place: QueuePlace) -> JSONText {
    var json = JSONText()
    json.beginObject()
    write(ids, to: &json)
    switch place {
    case .first: json.field("place", "first")
    case .last: json.field("place", "last")
    case .before(let id): json.field("before", id)
    case .after(let id): json.field("after", id)
    }
    json.endObject()
    return json
  }

  /// Returns the body of the call that changes settings.
  /// - Throws: Kind `usage` for a setting that a service cannot change.
  static func changes(_ settings: [GivenSetting]) throws(Failure) -> JSONText {
    var json = JSONText()
    json.beginObject()
    for given in settings {
      guard let setting = Setting.named(given.name), case .field(let field, _, true) = setting.client else {
        let known = Setting.all.filter { if case .field(_, _, true) = $0.client { true } else { false } }
        throw OptionValue.bad(
          "\(given.name)=", "a service does not change this: it changes \(known.map(\.name).joined(separator: ", "))",
          advice: "--host [USER@]HOST runs the command there, over ssh")
      }
      json.key(field)
      write(given, setting, to: &json)
    }
    json.endObject()
    return json
  }

  private static func write(_ given: GivenSetting, _ setting: Setting, to json: inout JSONText) {
    let last = given.values.last
    switch setting.shape {
    case .boolean: json.value(last.flatMap { try? Setting.isYes($0) } ?? false)
    // The service reports the error of a text that is no number.
    case .integer: if let number = Int64(last ?? "0") { json.value(number) } else { json.value(last ?? "") }
    case .strings, .integers:
      json.beginArray()
      for value in given.values {
        if setting.shape == .integers, let number = Int64(value) { json.value(number) } else { json.value(value) }
      }
      json.endArray()
    case .string, .object: json.value(last)
    }
  }

  private static func write(_ ids: [JobID], to json: inout JSONText) {
    json.key("ids")
    json.beginArray()
    for id in ids { json.value(id) }
    json.endArray()
  }
}

// MARK: Limits and named queues

extension RemoteReport {
  /// Returns the limits to set: those of the service, except where the user typed others.
  /// - Throws: Kind `usage` for an invalid number of jobs.
  static func limits(_ typed: RemoteCommand.Limits, from present: JSONNode) throws(Failure) -> JSONText {
    var json = JSONText()
    json.beginObject()
    var rate = present["overallRate"]?.string
    if let text = typed.rate { rate = text == "off" || text == "auto" ? nil : text }
    json.field("overallRate", rate)
    json.key("timetable")
    if typed.rate == nil, let timetable = present["timetable"] {
      json.value(timetable)
    } else {
      json.beginArray()
      json.endArray()
    }
    var jobs = present["jobs"]?.integer.map { Int($0) }
    if let text = typed.jobs {
      jobs = try text == "off" || text == "auto" ? nil : OptionValue.count(text, "--jobs", JobsLimit.range)
    }
    if let jobs { json.field("jobs", jobs) } else { json.field("jobs", "auto") }
    // If the field is missing, the service keeps its window.
    if let text = typed.window {
      let window: String? = text == "auto" ? nil : text
      json.field("between", window)
    }
    json.endObject()
    return json
  }

  static func lines(ofLimits limits: JSONNode) -> [String] {
    var rate = limits["overallRate"]?.string ?? "none"
    let times = limits["timetable"]?.array?.count ?? 0
    if times > 0 { rate += ", another one at \(times) \(times == 1 ? "time" : "times") of the week" }
    return [
      "rate: \(rate)", "jobs at once: \(limits["jobs"]?.integer.map { "\($0)" } ?? "auto")",
      "window: \(limits["between"]?.string ?? "each runner's own")",
    ].map(TextSafety.escaped)
  }

  /// Returns a named queue as one line, such as `films: paused, 3 queued, 1 active`.
  static func line(ofQueue queue: JSONNode) -> String {
    let counts = JobState.allCases.compactMap { state -> String? in
      guard let count = queue["counts"]?[state.rawValue]?.integer, count > 0 else { return nil }
      return "\(count) \(state.rawValue)"
    }
    let words = [queue["state"]?.string ?? ""] + counts
    return TextSafety.escaped("\(queue["name"]?.string ?? ""): \(words.joined(separator: ", "))")
  }

  /// Returns a name in the form that a path of the API needs.
  static func encoded(_ name: String) -> String { PercentText.encoded(name) }
}

extension JSONNode {
  var number: Double? { if case .number(let digits) = value { Double(digits) } else { nil } }
}

extension WaitReason {
  init?(_ job: JSONNode) {
    guard let waits = job["waits"] else { return nil }
    let until = waits["until"]?.number
    switch (waits["for"]?.string, until) {
    case ("prerequisite", _): self = .prerequisites((waits["jobs"]?.array ?? []).compactMap(\.integer))
    case ("start", let time?): self = .start(at: time)
    case ("window", let time?): self = .window(opening: time)
    case ("retry", let time?): self = job["state"]?.string == "interrupted" ? .longWait(until: time) : .retry(at: time)
    case ("lease", _): self = .lease(age: waits["age"]?.number ?? 0)
    case ("origin", _):
      guard let origin = waits["origin"]?.string, let limit = waits["limit"]?.integer else { return nil }
      self = .origin(origin, limit: Int(limit), hasRefused: false)
    case ("queue", _):
      guard let queue = waits["queue"]?.string else { return nil }
      switch (waits["gate"]?.string, until, waits["limit"]?.integer) {
      case ("paused", _, _): self = .queue(queue, .paused)
      case ("quota", let time?, _): self = .queue(queue, .spent(until: time))
      case ("window", let time?, _): self = .queue(queue, .closed(until: time))
      case (nil, _, let limit?): self = .queueRoom(queue, limit: Int(limit))
      default: return nil
      }
    default: return nil
    }
  }
}

extension JobSummary {
  /// Creates the record of a job from a service's JSON.
  /// - Parameter rank: The place in the queue; `nil` if unknown.
  init(_ job: JSONNode, rank: Double? = nil) {
    let target = job["target"]?.string.map { PathText.split($0) }
    let error = job["error"]
    // The message names the URL first, as the row does.
    let text = error?["message"]?.string
    let url = job["url"]?.string ?? ""
    let failure = text.map { text in
      Failure(
        error?["code"]?.string.flatMap { Failure.Kind(rawValue: $0) } ?? .other, url,
        text.hasPrefix("\(url): ") ? String(text.dropFirst(url.count + 2)) : text,
        httpStatus: error?["httpStatus"]?.integer.map { Int($0) }
      ).of(runner: job["runner"]?.string)
    }
    let id = job["id"]?.integer ?? 0
    self.init(
      id: id, state: job["state"]?.string.flatMap { JobState(rawValue: $0) } ?? .queued,
      url: url, directory: target?.directory ?? "", fileName: target?.name, failure: failure)
    self.rank = rank ?? Double(id)
    title = job["title"]?.string
    received = job["received"]?.integer ?? 0
    size = job["size"]?.integer
    priority = Int(job["priority"]?.integer ?? 0)
    attempts = Int(job["attempts"]?.integer ?? 0)
    finishedAt = job["finishedAt"]?.number
    notBefore = job["notBefore"]?.number
    queue = job["queue"]?.string
    startAt = job["startAt"]?.number
    waitsFor = (job["after"]?.array ?? []).compactMap(\.integer)
    // The fields have the names of the store's.
    if let hold = job["hold"], hold["origin"] != nil { holdText = RemoteReport.json(hold) }
  }
}

extension ProgressEntry {
  /// `nil` unless the job is active.
  init?(_ job: JSONNode) {
    guard job["state"]?.string == JobState.active.rawValue else { return nil }
    let rate = job["rate"]?.integer
    self.init(
      job: job["id"]?.integer ?? 0, received: job["received"]?.integer ?? 0, size: job["size"]?.integer,
      rate: Double(rate ?? 0), phase: rate == nil ? .connecting : .receiving)
    runner = job["runner"]?.string
  }
}

extension JobTableRow {
  init(_ job: JSONNode, now: Double) {
    self.init(JobSummary(job), live: ProgressEntry(job), now: now)
    rate = job["rate"]?.integer.map { Double($0) }
    // The service knows its queues, windows and other jobs.
    if let reason = WaitReason(job) { wait = JobWait.text(reason, now: now) }
  }
}
