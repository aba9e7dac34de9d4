// Sends a body at the pace and with the faults of its answer.

/// How far the sending of an answer came.
enum Delivery {
  /// All of it was sent.
  case whole
  /// It was cut on purpose.
  case cut
  /// The peer left or the server stops.
  case gone
}

/// Sends the body of one response.
struct BodyWriter {
  let response: Response

  /// Receives the number of sent body bytes, without framing.
  let progress: (Int) -> Void

  private var answer: FaultServer.Answer { response.answer }

  init(_ response: Response, progress: @escaping (Int) -> Void) {
    self.response = response
    self.progress = progress
  }

  /// Sends the body to its end or its cut.
  func send(over socket: borrowing Socket) -> Delivery {
    let length = response.body.length
    var position: Int64 = 0
    var chunk = 0
    while true {
      for hold in answer.holds where hold.offset == position {
        guard wait(hold.release, socket) else { return .gone }
      }
      if response.cut == position { return .cut }
      if position == length { break }
      let end = blockEnd(after: position)
      let bytes = response.body.bytes(in: position..<end)
      // Count before sending: the receiver may read the count at once.
      progress(bytes.count)
      guard socket.write(framed(bytes, chunk: chunk)) else {
        progress(-bytes.count)
        return .gone
      }
      position = end
      chunk += 1
      if let rate = answer.rate, position < length {
        guard socket.wait(seconds: Double(bytes.count) / Double(rate)) else { return .gone }
      }
    }
    if response.cut != nil { return .cut }
    guard case .chunked(let chunks) = answer.framing else { return .whole }
    let tail = ["0"] + chunks.trailers + ["", ""]
    return socket.write(tail.joined(separator: "\r\n").utf8) ? .whole : .gone
  }

  /// A block ends at the next wait, cut or chunk end, and is small where the pace is slow.
  private func blockEnd(after position: Int64) -> Int64 {
    var count: Int64 = 1 << 16
    if case .chunked(let chunks) = answer.framing { count = Int64(chunks.size) }
    if let rate = answer.rate { count = min(count, Int64(max(1, rate / 20))) }
    let ends = answer.holds.map(\.offset) + [response.cut ?? .max, response.body.length]
    return ends.filter { $0 > position }.reduce(position + count, min)
  }

  private func framed(_ bytes: [UInt8], chunk: Int) -> [UInt8] {
    guard case .chunked(let chunks) = answer.framing else { return bytes }
    var line = String(bytes.count, radix: 16)
    if let bad = chunks.badSize, bad.index == chunk { line = bad.text }
    if chunks.extensionBytes > 0 { line += ";" + String(repeating: "e", count: chunks.extensionBytes) }
    return Array("\(line)\r\n".utf8) + bytes + [13, 10]
  }

  private func wait(_ release: FaultServer.Hold.Release, _ socket: borrowing Socket) -> Bool {
    switch release {
    case .seconds(let seconds):
      return socket.wait(seconds: seconds)
    case .gate(let gate):
      return Self.wait(for: gate, socket)
    }
  }

  /// Waits until `gate` opens; false when the peer is gone or the server stops.
  static func wait(for gate: FaultServer.Gate, _ socket: borrowing Socket) -> Bool {
    gate.arrive()
    while !gate.isOpen {
      guard socket.wait(seconds: 0.002) else { return false }
    }
    return true
  }
}
