// One connection to the bucket on its own thread.

import Foundation

/// Serves the requests of one connection.
struct BucketConnection: ~Copyable {
  let socket: Socket
  let bucket: FaultBucket

  /// Larger than any part of the tests.
  private static let bodyLimit = 96 << 20

  /// Serves until the connection ends. `number` goes into the log.
  func serve(number: Int) {
    var reader = RequestReader(bodyLimit: Self.bodyLimit)
    while let request = reader.head(from: socket, connection: number) {
      let call = FaultBucket.Call(request, bucket: FaultBucket.name)
      if request["Expect"]?.lowercased() == "100-continue" {
        guard socket.write("HTTP/1.1 100 Continue\r\n\r\n".utf8) else { return }
      }
      guard let body = reader.body(of: request, from: socket) else { return }
      let lie = bucket.nextLie(call)
      if case .hold(let gate) = lie {
        guard BodyWriter.wait(for: gate, socket) else { return }
      }
      if case .mirage(_, let seconds) = lie, seconds > 0 { usleep(UInt32(seconds * 1e6)) }
      guard let answer = bucket.answer(call, lie, body: body) else { return socket.finish() }
      if case .mute(let gate) = lie {
        guard BodyWriter.wait(for: gate, socket) else { return }
      }
      guard socket.write(Self.head(answer)), request.method == "HEAD" || socket.write(answer.body) else { return }
    }
  }

  private static func head(_ answer: BucketAnswer) -> [UInt8] {
    var lines = ["HTTP/1.1 \(answer.status) \(reasonPhrase(answer.status))", "Date: \(httpDate())"]
    lines += answer.fields.map { "\($0.name): \($0.value)" }
    if answer.status != 204 { lines.append("Content-Length: \(answer.body.count)") }
    return Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
  }
}
