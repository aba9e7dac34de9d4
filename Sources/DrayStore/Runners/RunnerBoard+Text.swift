// The text of a board: a few lines in the runner's lease file, overwritten at each change.
//
//     dray-board 1 LENGTH CHECKSUM            LENGTH bytes follow; CHECKSUM is their FNV-1a hash in hexadecimal
//     - RECEIVED SIZE RATE PHASE              the whole run; SIZE is `-` if unknown
//     ID RECEIVED SIZE RATE PHASE             one active job; RATE is in bytes per second
// If a job has several connections, a second text of the same kind follows. Earlier versions of dray stop reading
// before it.
//
//     dray-parts 1 LENGTH CHECKSUM            CHECKSUM is the hash of both texts, so that they belong together
//     ID CONNECTIONS PARTS                    PARTS is `-` if they are not reported, otherwise FileParts text
// The facts about the runner may follow in a third text, whose CHECKSUM is the hash of the first and the third text:
//
//     dray-runner 1 LENGTH CHECKSUM
//     VERSION SINCE NAME                      SINCE is in seconds since 1970; NAME may have blanks
// An empty line ends the texts. After this line, the rest of an older and longer board may remain. If a board is read
// while it is being written, the hash is wrong, and the reader tries again.

internal import DrayCore

extension ProgressEntry {
  var line: String {
    let size = size.map { "\($0)" } ?? "-"
    return
      "\(job == 0 ? "-" : "\(job)") \(received) \(size) \(Int64(max(0, min(rate, 1e15)))) \(phase.rawValue)\n"
  }

  init?(_ line: Substring) {
    let parts = line.split(separator: " ")
    guard parts.count == 5, let job = parts[0] == "-" ? 0 : JobID(parts[0]), let received = Int64(parts[1]),
      let rate = Double(parts[3]), let phase = Phase(rawValue: String(parts[4]))
    else { return nil }
    let size = Int64(parts[2])
    guard size != nil || parts[2] == "-" else { return nil }
    self.init(job: job, received: received, size: size, rate: rate, phase: phase)
  }
}

extension RunnerBoard {
  private static let mark = "dray-board 1"
  private static let partsMark = "dray-parts 1"
  private static let runnerMark = "dray-runner 1"

  var bytes: [UInt8] {
    let body = Array((([overall].compactMap(\.self)) + entries).map(\.line).joined().utf8)
    var board = RunnerBoard.block(RunnerBoard.mark, body)
    let several = entries.filter { $0.connections > 1 }
    if !several.isEmpty {
      let lines = several.map { "\($0.job) \($0.connections) \($0.parts?.text ?? "-")\n" }
      board += RunnerBoard.block(RunnerBoard.partsMark, Array(lines.joined().utf8), after: body)
    }
    if let runner { board += RunnerBoard.block(RunnerBoard.runnerMark, Array(runner.text.utf8), after: body) }
    // Readers stop at this empty line. Bytes of an earlier board may remain after it.
    return board + [UInt8(ascii: "\n")]
  }

  private static func block(_ mark: String, _ body: [UInt8], after former: [UInt8] = []) -> [UInt8] {
    let hash = String(RunnerBoard.hash(former + body), radix: 16)
    let padded = String(repeating: "0", count: 16 - hash.count) + hash
    return Array("\(mark) \(body.count) \(padded)\n".utf8) + body
  }

  /// Splits bytes into their first text and the rest; returns `nil` if the first text is of another kind, or if its
  /// hash is wrong.
  private static func content(
    _ mark: String, _ bytes: ArraySlice<UInt8>, after former: ArraySlice<UInt8> = []
  ) -> (ArraySlice<UInt8>, ArraySlice<UInt8>)? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let head = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    guard head.count == 4, head[0...1].joined(separator: " ") == mark, let length = Int(head[2]),
      let hash = UInt64(head[3], radix: 16), length >= 0, length <= bytes.endIndex - end - 1
    else { return nil }
    let body = bytes[(end + 1)...].prefix(length)
    return RunnerBoard.hash(former + body) == hash ? (body, bytes[body.endIndex...]) : nil
  }

  init?(_ bytes: [UInt8]) {
    guard let (body, rest) = RunnerBoard.content(RunnerBoard.mark, bytes[...]) else { return nil }
    var all: [ProgressEntry] = []
    for line in String(decoding: body, as: UTF8.self).split(separator: "\n") {
      guard let entry = ProgressEntry(line) else { return nil }
      all.append(entry)
    }
    self.init(overall: all.first { $0.job == 0 }, entries: all.filter { $0.job != 0 })
    var further = rest
    if let (parts, end) = RunnerBoard.content(RunnerBoard.partsMark, rest, after: body) {
      take(parts)
      further = end
    }
    runner = RunnerBoard.content(RunnerBoard.runnerMark, further, after: body).flatMap {
      RunnerFacts(String(decoding: $0.0, as: UTF8.self))
    }
  }

  /// Adds the parts that the connections of each job fetch.
  private mutating func take(_ parts: ArraySlice<UInt8>) {
    let places = Dictionary(entries.indices.map { (entries[$0].job, $0) }) { first, _ in first }
    for line in String(decoding: parts, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, let job = JobID(words[0]), let place = places[job], let count = Int(words[1]), count > 1
      else { continue }
      entries[place].connections = count
      entries[place].parts = words[2] == "-" ? nil : FileParts(String(words[2]))
    }
  }

  /// Returns the FNV-1a hash with 64 bits, which is enough to tell a half-written text from a complete one.
  private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
