// Reads the expectations of a case file.

import FaultServer

extension CaseReader {
  /// Reads the table `expect`. Files and states are mandatory: unlisted values are not checked.
  func readExpectation(_ table: CaseTable, _ serves: [FaultCase.Serve]) throws -> Expectation {
    let files = try table.needed("files")
    let states = try table.needed("state")
    var entries: [String: Expectation.Entry] = [:]
    for (name, node) in try files.table().all() {
      entries[try places.filled(node, name)] = try readEntry(node)
    }
    let job = try table["job"]?.table().all() ?? []
    if table["job"] != nil, job.isEmpty { throw table.node.error("\"job\" says nothing") }
    let asked = try table["requests"].map { try readAsked($0, serves) } ?? []
    let result = Expectation(
      files: entries, filesLine: files.line, parts: try table["parts"].map { Int(try $0.integer()) } ?? 0,
      states: try readStates(states), statesLine: states.line,
      job: try job.map { ($0.key, try json($0.node), $0.node.line) }, asked: asked,
      onlyMissing: try table["only-missing"]?.flag() ?? false)
    try table.finish()
    return result
  }

  private func readStates(_ node: CaseNode) throws -> [String]? {
    if case .list(let list) = node.value { return try list.map { try state($0) } }
    return try node.text() == "refused" ? nil : [try state(node)]
  }

  private func state(_ node: CaseNode) throws -> String {
    let known = ["queued", "active", "complete", "failed", "interrupted", "paused"]
    let text = try node.text()
    guard known.contains(text) else { throw node.error("a job is \(known.joined(separator: ", ")), not \(text)") }
    return text
  }

  private func readEntry(_ node: CaseNode) throws -> Expectation.Entry {
    let text = try places.text(node)
    switch text {
    case "directory": return .directory
    case "pipe": return .pipe
    case "absent": return .absent
    case _ where text.hasPrefix("link:"): return .link(String(text.dropFirst(5)))
    default: return .content(try places.content(text, node))
    }
  }

  /// A value in the form of `list --json`.
  private func json(_ node: CaseNode) throws -> String {
    switch node.value {
    case .text: return try places.text(node)
    case .integer(let integer): return "\(integer)"
    case .flag(let flag): return "\(flag)"
    default: throw node.error("must be a text, an integer, or true or false")
    }
  }

  // MARK: Requests

  private func readAsked(_ node: CaseNode, _ serves: [FaultCase.Serve]) throws -> [Expectation.Asked] {
    let all = try node.table().all()
    guard !all.isEmpty else { throw node.error("says nothing") }
    return try all.map { name, node in
      let (site, path) = try Self.place(name, node)
      guard serves.contains(where: { $0.site == site && $0.path == path }) else {
        throw node.error("nothing is served there")
      }
      return Expectation.Asked(site: site, path: path, line: node.line, requests: try readRequests(node))
    }
  }

  private func readRequests(_ node: CaseNode) throws -> Expectation.Requests {
    switch node.value {
    case .integer(let count) where count >= 0: return .count(Int(count)...Int(count))
    case .table:
      let table = try node.table()
      let least = Int(try table["least"]?.integer() ?? 0)
      let most = Int(try table["most"]?.integer() ?? Int64(Int.max))
      guard least > 0 || most < Int.max, least <= most else { throw node.error("says nothing") }
      try table.finish()
      return .count(least...most)
    default: return .each(try node.list().map(readPattern))
    }
  }

  private static let conditions = ["range", "if-range", "if-match", "if-none-match", "if-modified-since"]

  private func readPattern(_ node: CaseNode) throws -> RequestPattern {
    let table = try node.table()
    var pattern = RequestPattern(line: node.line, fields: [:])
    for name in Self.conditions { pattern.fields.updateValue(try table[name].map(places.text), forKey: name) }
    for (name, node) in try table["fields"]?.table().all() ?? [] {
      let text = try places.text(node)
      pattern.fields.updateValue(text == "absent" ? nil : text, forKey: name.lowercased())
    }
    pattern.method = try table["method"]?.text() ?? "GET"
    pattern.target = try table["target"].map(places.text)
    pattern.status = try table["status"].map { Int(try $0.integer()) }
    pattern.sent = try table["sent"]?.integer()
    pattern.after = try table["after"]?.number()
    pattern.since = try table["since"]?.text()
    pattern.carriesSecret = try table["secret"]?.flag()
    pattern.isOptional = try table["optional"]?.flag() ?? false
    try table.finish()
    return pattern
  }
}
