// From a document to a case. The reader is strict: a case with nothing to check, or with an error, is refused.

import FaultServer
import Foundation

/// Reads one case.
struct CaseReader {
  let root: CaseTable
  var places: CasePlaces

  /// Reads the text of a case file.
  ///
  /// - Parameter places: The values of its words.
  /// - Throws: `CaseError` with the line of the error.
  static func read(_ text: String, file: String, places: CasePlaces = .none) throws -> FaultCase {
    let root = try CaseNode.parse(text, file: file).table()
    var reader = CaseReader(root: root, places: places)
    return try reader.read()
  }

  /// The version that a case calls `name`.
  static func version(_ name: String, in text: String, file: String, _ node: CaseNode) throws -> Content {
    let root = try CaseNode.parse(text, file: file).table()
    var reader = CaseReader(root: root, places: .none)
    if let size = try root["size"]?.integer() { reader.places.size = size }
    try reader.readVersions()
    return try reader.places.content(name, node)
  }

  private mutating func read() throws -> FaultCase {
    let row = try root.needed("row").text()
    let why = try root.needed("why").text()
    if let size = try root["size"]?.integer() { places.size = size }
    try readVersions()
    let connections = try root["connections"].map { Int(try $0.integer()) } ?? 1
    let serves = try readServes()
    let steps = try root.needed("step").list().map { try readStep($0) }
    let isHeld = serves.contains { $0.resource.script.contains(where: \.isHeld) }
    if isHeld, !steps.contains(where: { $0.moment != nil }) {
      throw root.node.error("an answer is held, and no step does anything meanwhile")
    }
    let result = FaultCase(
      row: row, why: why, connections: connections == 0 ? nil : connections, disk: try root["disk"]?.text(),
      tls: try root["tls"].map(readTLS), needs: try root["needs"]?.texts() ?? [], secret: try root["secret"]?.text(),
      serves: serves, steps: steps, expect: try readExpectation(try root.needed("expect").table(), serves))
    try root.finish()
    return result
  }

  private mutating func readVersions() throws {
    for (name, node) in try root["version"]?.table().all() ?? [] {
      let table = try node.table()
      var version = try places.version(try table["like"]?.text() ?? name, node)
      if let content = table["content"] { version.content = try places.content(try content.text(), content) }
      if let etag = try table["etag"].map(places.text) { version.etag = etag == "none" ? nil : etag }
      version.lastModified = try table["last-modified"].map(places.text)
      try table.finish()
      places.define(name, version)
    }
  }

  private func readTLS(_ node: CaseNode) throws -> FaultCase.TLS {
    let table = try node.table()
    let name = try table["certificate"]?.text() ?? "good"
    guard let kind = Certificates.Kind(rawValue: name) else {
      throw node.error("certificates are: \(Certificates.Kind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let notice = try table["notice"]?.flag() ?? true
    try table.finish()
    return FaultCase.TLS(certificate: kind, notice: notice)
  }

  // MARK: Servers

  private func readServes() throws -> [FaultCase.Serve] {
    try root["serve"]?.table().all().map { name, node in
      let (site, path) = try Self.place(name, node)
      let table = try node.table()
      let version = try table["version"].map { try places.version(try $0.text(), $0) } ?? places.version("v1", node)
      var resource = Resource(version)
      switch try table["date"]?.text() {
      case nil: break
      case "none": resource.date = .absent
      case let text?: resource.date = .fixed(text)
      }
      if let type = try table["type"].map(places.text) { resource.contentType = type == "none" ? nil : type }
      resource.disposition = try table["disposition"].map(places.text)
      resource.credentials = try table["credentials"].map(places.text)
      for (name, value) in try table["required"]?.table().all() ?? [] {
        resource.required[name] = try places.text(value)
      }
      resource.script = try table["answers"].map(readAnswers) ?? []
      try table.finish()
      return FaultCase.Serve(site: site, path: path, resource: resource)
    } ?? []
  }

  /// `/f` is at the main server, `other/f` at the other.
  static func place(_ name: String, _ node: CaseNode) throws -> (FaultCase.Site, String) {
    if name.hasPrefix("/") { return (.main, name) }
    guard name.hasPrefix("other/") else { throw node.error("a path begins with \"/\", or with \"other/\"") }
    return (.other, String(name.dropFirst(5)))
  }

  private func readAnswers(_ node: CaseNode) throws -> [Answer] {
    try node.list().flatMap { node in
      let table = try node.table()
      let times = try table["times"].map { Int(try $0.integer()) } ?? 1
      let answer = try AnswerReader(table: table, places: places).read()
      try table.finish()
      return Array(repeating: answer, count: times)
    }
  }

  // MARK: Steps

  private func readStep(_ node: CaseNode) throws -> FaultCase.Step {
    let table = try node.table()
    let run = try places.text(try table.needed("run"))
    let moment = try readMoment(table)
    let meanwhile = try table["meanwhile"].map(places.text)
    let stop = try table["stop"].map(Self.signals) ?? []
    if (moment != nil) != (meanwhile != nil || !stop.isEmpty) {
      throw node.error("\"at\", \"durable\", \"waiting\" or \"at-request\" goes with \"meanwhile\" or \"stop\"")
    }
    var exits = try table["exit"].map(Self.exits) ?? []
    if exits.isEmpty {
      guard !run.contains("dray ") else { throw node.error("\"exit\" is missing") }
      exits = [.code(0)]
    }
    var environment: [String: String?] = [:]
    for (name, value) in try table["env"]?.table().all() ?? [] {
      let text = try places.text(value)
      environment.updateValue(text == "unset" ? nil : text, forKey: name)
    }
    let step = FaultCase.Step(
      line: node.line, run: run, exits: exits,
      says: try table["says"].map(texts) ?? [], saysNot: try table["says-not"].map(texts) ?? [],
      environment: environment, input: try table["input"].map(places.text), moment: moment, meanwhile: meanwhile,
      stop: stop, memory: try table["memory"].map { try $0.integer() << 20 })
    try table.finish()
    return step
  }

  private func texts(_ node: CaseNode) throws -> [String] { try node.texts().map { try places.filled(node, $0) } }

  private func readMoment(_ table: CaseTable) throws -> FaultCase.Moment? {
    if let bytes = try table["at"]?.integer() { return .received(bytes) }
    if let bytes = try table["durable"]?.integer() { return .durable(bytes) }
    if try table["waiting"]?.flag() == true { return .waiting }
    guard let path = table["at-request"] else { return nil }
    let place = try Self.place(try path.text(), path)
    return .requested(place.0, place.1)
  }

  private static let numbers = ["INT": SIGINT, "TERM": SIGTERM, "HUP": SIGHUP, "KILL": SIGKILL]

  private static func signals(_ node: CaseNode) throws -> [Int32] {
    try node.texts().map { name in
      guard let number = numbers[name] else { throw node.error("signals are: \(numbers.keys.sorted())") }
      return number
    }
  }

  private static func exits(_ node: CaseNode) throws -> [Exit] {
    let all: [CaseNode] = if case .list = node.value { try node.list() } else { [node] }
    return try all.map { node in
      if case .integer(let code) = node.value { return .code(Int32(code)) }
      return .signal(try signals(node).first ?? 0)
    }
  }
}

extension Answer {
  /// Whether it waits for a gate.
  var isHeld: Bool { isHeldInBody || wire?.contains { if case .gate = $0 { true } else { false } } ?? false }

  private var isHeldInBody: Bool { holds.contains(where: \.isForGate) }
}
