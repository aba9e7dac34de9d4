// Checks the outcome of a case: against its declaration, and against the invariants of all cases.

import FaultServer
import Foundation

/// The complaints about one case, each with its line.
struct CaseCheck {
  let file: String
  let faultCase: FaultCase
  let outcome: CaseOutcome
  private(set) var complaints: [String] = []

  init(file: String, faultCase: FaultCase, outcome: CaseOutcome) {
    (self.file, self.faultCase, self.outcome) = (file, faultCase, outcome)
    for ran in outcome.ran { check(ran) }
    checkFiles()
    checkJobs()
    for asked in faultCase.expect.asked { check(asked) }
    if faultCase.expect.onlyMissing { checkOnlyMissing() }
    checkSecret()
    if !outcome.strangers.isEmpty { complain(1, "written outside the target directory: \(outcome.strangers)") }
    if !outcome.open.isEmpty { complain(1, "others may read: \(outcome.open)") }
  }

  /// Bytes before a joint that are fetched again and compared (P18).
  private static let overlap: Int64 = 64 << 10

  private mutating func complain(_ line: Int, _ what: String) { complaints.append("\(file):\(line): \(what)") }

  // MARK: Steps

  private mutating func check(_ ran: CaseOutcome.Ran) {
    let (step, finished) = (ran.step, ran.finished)
    if !step.exits.contains(finished.exit) {
      let wanted = step.exits.map(\.description).joined(separator: " or ")
      complain(step.line, "\(finished.exit), not \(wanted)\n\(finished)")
    }
    for text in step.says where !finished.text.localizedCaseInsensitiveContains(text) {
      complain(step.line, "does not say \"\(text)\"\n\(finished)")
    }
    for text in step.saysNot where finished.text.localizedCaseInsensitiveContains(text) {
      complain(step.line, "says \"\(text)\"\n\(finished)")
    }
    // P8: no character of any origin that a terminal acts on.
    if let bad = finished.text.unicodeScalars.first(where: Self.acts) {
      complain(step.line, "U+\(String(bad.value, radix: 16)) reaches the terminal: \(finished.text.debugDescription)")
    }
    // P11: every failure prints a message.
    if case .code(let code) = finished.exit, code != 0, step.run.contains("dray "), !step.run.contains(">"),
      finished.text.isEmpty
    {
      complain(step.line, "\(finished.exit) without a word")
    }
    if let limit = step.memory, ran.memory > limit {
      complain(step.line, "\(ran.memory >> 20) MiB of memory, more than \(limit >> 20)")
    }
  }

  /// Whether a scalar is a control or a format character, such as one that turns the direction of text.
  private static func acts(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar != "\n", scalar != "\t" else { return false }
    return [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
  }

  // MARK: Files and jobs

  private mutating func checkFiles() {
    let expect = faultCase.expect
    let last = outcome.ran.last.map { "\n\($0.finished)" } ?? ""
    for (name, entry) in expect.files.sorted(by: { $0.key < $1.key }) {
      let found = outcome.files[name] ?? .absent
      if case .content = entry, case .content = found {
        if let difference = outcome.differences[name] { complain(expect.filesLine, "\(difference)\(last)") }
      } else if found != entry {
        complain(expect.filesLine, "\(name) is \(Self.word(found)), not \(Self.word(entry))\(last)")
      }
    }
    let others = outcome.files.keys.filter { expect.files[$0] == nil }.sorted()
    if !others.isEmpty { complain(expect.filesLine, "there are \(others) besides\(last)") }
    if outcome.parts.count != expect.parts {
      complain(expect.filesLine, "\(outcome.parts.count) part files, not \(expect.parts)\(last)")
    }
    for (name, mode) in outcome.parts {
      if mode != 0o600 { complain(expect.filesLine, "\(name) has mode \(String(mode, radix: 8)) (P5)") }
      let isOwned = outcome.jobs?.contains { $0["partFile"]?.hasSuffix("/\(name)") ?? false } ?? true
      if !isOwned { complain(expect.filesLine, "no job owns \(name) (P5)\(last)") }
    }
  }

  private static func word(_ entry: Expectation.Entry) -> String {
    switch entry {
    case .content(let content): "a file (\(content.size) bytes)"
    case .directory: "a directory"
    case .link(let target): "a link to \(target)"
    case .pipe: "a pipe"
    case .absent: "absent"
    }
  }

  private mutating func checkJobs() {
    let expect = faultCase.expect
    guard let states = expect.states else {
      if outcome.jobs != nil { complain(expect.statesLine, "the store is not refused: \(outcome.listing)") }
      return
    }
    guard let jobs = outcome.jobs else { return complain(expect.statesLine, "no list of jobs: \(outcome.listing)") }
    let found = jobs.map { $0["state"] ?? "?" }
    if found != states {
      complain(expect.statesLine, "jobs are \(found), not \(states)\n\(outcome.ran.last?.finished.description ?? "")")
    }
    for (name, value, line) in expect.job where jobs.last?[name] ?? "absent" != value {
      complain(line, "\(name) is \(jobs.last?[name] ?? "absent"), not \(value)")
    }
  }

  // MARK: Requests

  private mutating func check(_ asked: Expectation.Asked) {
    let requests = outcome.requests[CaseOutcome.key(asked.site, asked.path)] ?? []
    let last = outcome.ran.last.map { "\n\($0.finished)" } ?? ""
    switch asked.requests {
    case .count(let range):
      if !range.contains(requests.count) {
        complain(asked.line, "\(requests.count) requests for \(asked.path), not \(range)\(last)")
      }
    case .each(let patterns):
      let least = patterns.count { !$0.isOptional }
      if requests.count < least || requests.count > patterns.count {
        let found = requests.map(Self.summary).joined(separator: "\n  ")
        return complain(
          asked.line, "\(requests.count) requests for \(asked.path), not \(patterns.count):\n  \(found)\(last)")
      }
      for (index, (request, pattern)) in zip(requests, patterns).enumerated() {
        let since = pattern.since.flatMap { outcome.requests[CaseOutcome.key(asked.site, $0)]?.first }
        let wrong = pattern.differences(
          request, previous: since ?? (index > 0 ? requests[index - 1] : nil), secret: faultCase.secret)
        for what in wrong { complain(pattern.line, "request \(index + 1) for \(asked.path): \(what)\(last)") }
      }
    }
  }

  private static func summary(_ request: SeenRequest) -> String {
    let fields = ["Range", "If-Range", "If-Match"].compactMap { name in request[name].map { "\(name): \($0)" } }
    return "\(request.method) \(request.target) \(fields.joined(separator: ", ")) → \(request.status)"
  }

  private mutating func checkOnlyMissing() {
    let line = faultCase.expect.filesLine
    guard let received = outcome.receivedBefore, received > 0 else {
      return complain(line, "nothing had been received before the last step")
    }
    for serve in faultCase.serves {
      let key = CaseOutcome.key(serve.site, serve.path)
      let requests = outcome.requests[key]?.dropFirst(outcome.before[key] ?? 0) ?? []
      let sent = requests.filter { $0.status == 206 }.reduce(0) { $0 + $1.bodySent }
      let missing = serve.resource.version.content.size - received
      // A continuing request begins before the joint (P18), except after an answer that reached its end.
      let repeated = Int64(requests.count { $0.status == 206 }) * CaseCheck.overlap
      if !requests.isEmpty, !(missing...missing + repeated).contains(sent) {
        complain(line, "\(sent) bytes travelled, \(missing) were missing")
      }
    }
  }

  // MARK: Secrets

  private mutating func checkSecret() {
    guard let secret = faultCase.secret else { return }
    let forms = [secret, Data("ann:\(secret)".utf8).base64EncodedString()]
    for ran in outcome.ran where forms.contains(where: ran.finished.text.contains) {
      complain(ran.step.line, "shows the secret (P7)\n\(ran.finished)")
    }
    for text in outcome.shown where forms.contains(where: text.contains) {
      complain(1, "the secret is shown (P7):\n\(text)")
    }
  }
}

extension RequestPattern {
  /// The mismatches of a request.
  func differences(_ request: SeenRequest, previous: SeenRequest?, secret: String?) -> [String] {
    var wrong: [String] = []
    if request.method != method { wrong.append("it is \(request.method), not \(method)") }
    if let target, request.target != target { wrong.append("it asks for \(request.target), not \(target)") }
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      let found = request[name]
      if value == "*" ? found == nil : found != value {
        wrong.append("\(name) is \(found ?? "absent"), not \(value ?? "absent")")
      }
    }
    if let status, request.status != status { wrong.append("it was answered \(request.status), not \(status)") }
    if let sent, request.bodySent != sent { wrong.append("\(request.bodySent) bytes were sent, not \(sent)") }
    if let after {
      guard let previous else { return wrong + ["there is no request that it could come \(after) s after"] }
      let pause = previous.time.duration(to: request.time)
      if pause < .seconds(after) { wrong.append("it came \(pause) after the one before, not \(after) s") }
    }
    if let carriesSecret, let secret {
      let forms = [secret, Data("ann:\(secret)".utf8).base64EncodedString()]
      let texts = [request.target] + request.fields.map(\.value)
      let carries = texts.contains { text in forms.contains { text.contains($0) } }
      if carries != carriesSecret { wrong.append(carries ? "it carries the secret" : "it does not carry the secret") }
    }
    return wrong
  }
}
