// Reads one answer of a server from a case file.

import FaultServer

/// Reads the table of an answer. Each key is a knob of `FaultServer.Answer`.
struct AnswerReader {
  let table: CaseTable
  let places: CasePlaces

  /// The answer; the normal one if the table is empty.
  func read() throws -> Answer {
    var answer = Answer()
    try readHead(&answer)
    try readRange(&answer)
    try readBody(&answer)
    try readPace(&answer)
    if let wire = try table["wire"]?.list() {
      answer.wire = try wire.map(readWire)
      answer.wireEnd = answer.ending == .reset ? .reset : .close
      if try table["stays"]?.flag() == true { answer.wireEnd = .stay }
    }
    return answer
  }

  private func readHead(_ answer: inout Answer) throws {
    answer.status = try table["status"].map { Int(try $0.integer()) }
    answer.reason = try table["reason"].map(places.text)
    if let location = try table["redirect"].map(places.text) {
      answer.status = answer.status ?? 302
      answer.headers = ["Location: \(location)"]
    }
    if let headers = table["headers"] { answer.headers += try lines(headers) }
    answer.without = Set(try table["without"]?.texts() ?? [])
    answer.headCut = try table["head-cut"].map { Int(try $0.integer()) }
    if let interim = try table["interim"]?.table() {
      answer.interim = .init(
        Int(try interim.needed("status").integer()), headers: try interim["headers"].map(lines) ?? [],
        count: try interim["times"].map { Int(try $0.integer()) } ?? 1)
      try interim.finish()
    }
  }

  private func readRange(_ answer: inout Answer) throws {
    for name in try table["ignores"]?.texts() ?? [] {
      switch name {
      case "Range": answer.ignoresRange = true
      case "If-Range": answer.ignoresIfRange = true
      default: throw table.node.error("a server can ignore Range and If-Range, not \(name)")
      }
    }
    answer.refusesIfRange = try table["refuses-if-range"]?.flag() ?? false
    if let start = try table["start"]?.integer() { answer.start = .at(start) }
    if let shift = try table["shift"]?.integer() { answer.start = .shifted(shift) }
    answer.rangeLimit = try table["range-limit"]?.integer()
    if let version = table["version"] { answer.version = try places.version(try version.text(), version) }
  }

  private func readBody(_ answer: inout Answer) throws {
    if let body = table["body"] { answer.body = try places.content(try body.text(), body).allBytes }
    answer.multipart = try table["multipart"]?.flag() ?? false
    switch try table["framing"]?.text() {
    case nil, "length": break
    case "close": answer.framing = .close
    case "chunked": answer.framing = .chunked(.init())
    case let other?: throw table.node.error("framing is length, chunked or close, not \(other)")
    }
    if let chunks = try table["chunks"]?.table() {
      answer.framing = .chunked(try readChunks(chunks))
      try chunks.finish()
    }
    answer.excess = try table["excess"].map { Int(try $0.integer()) } ?? 0
    answer.bodyCut = try table["cut"]?.integer()
    answer.padding = try table["padding"].map { Int(try $0.integer()) } ?? 0
    answer.closes = try table["closes"]?.flag() ?? false
    switch try table["end"]?.text() {
    case nil, "close": break
    case "reset": answer.ending = .reset
    case let other?: throw table.node.error("a cut ends in close or reset, not \(other)")
    }
  }

  private func readChunks(_ table: CaseTable) throws -> FaultServer.Chunks {
    var chunks = FaultServer.Chunks()
    if let size = try table["size"]?.integer() { chunks.size = Int(size) }
    if let bytes = try table["extension"]?.integer() { chunks.extensionBytes = Int(bytes) }
    if let trailers = table["trailers"] { chunks.trailers = try lines(trailers) }
    if let bad = table["bad-size"] {
      guard case .text(let text) = bad.value else { throw bad.error("must be a text") }
      chunks.badSize = (try table["bad-at"].map { Int(try $0.integer()) } ?? 0, text)
    }
    return chunks
  }

  private func readPace(_ answer: inout Answer) throws {
    answer.latency = try table["latency"]?.number() ?? 0
    answer.headRate = try table["head-rate"].map { Int(try $0.integer()) }
    answer.rate = try table["rate"].map { Int(try $0.integer()) }
    if let offset = try table["hold"]?.integer() { answer.holds.append(.gate(places.gate, after: offset)) }
    if let stall = try table["stall"]?.table() {
      answer.holds.append(
        .stall(after: try stall.needed("at").integer(), seconds: try stall.needed("seconds").number()))
      try stall.finish()
    }
  }

  /// Header lines; `{ repeat = "X-{n}: y", times = 3 }` makes several.
  private func lines(_ node: CaseNode) throws -> [String] {
    try node.list().flatMap { node -> [String] in
      guard case .table = node.value else { return [try places.filled(node, try node.string())] }
      let table = try node.table()
      let text = try places.text(try table.needed("repeat"))
      let times = Int(try table.needed("times").integer())
      try table.finish()
      return (0..<times).map { text.replacing("{n}", with: "\($0)") }
    }
  }

  private func readWire(_ node: CaseNode) throws -> FaultServer.Wire {
    if case .text = node.value { return .bytes(Array(try places.text(node).utf8)) }
    let table = try node.table()
    let piece = try readPiece(table)
    try table.finish()
    return piece
  }

  private func readPiece(_ table: CaseTable) throws -> FaultServer.Wire {
    if let hex = table["hex"] { return .bytes(try CasePlaces.bytes(hex: try hex.text(), hex)) }
    if let seconds = try table["pause"]?.number() { return .pause(seconds: seconds) }
    if try table["hold"]?.flag() == true { return .gate(places.gate) }
    if let text = table["repeat"] {
      return .repeated(Array(try places.text(text).utf8), times: Int(try table.needed("times").integer()))
    }
    let name = try table.needed("content")
    let content = try places.content(try name.text(), name)
    return .content(
      content, (try table["from"]?.integer() ?? 0)..<(try table["to"]?.integer() ?? content.size))
  }
}
