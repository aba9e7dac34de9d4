// Sends dray every request that a real aria2c got (Tests/Aria2/record.py). Each difference has its reason in
// Tests/Aria2/differences.txt.

import DrayCore
import Foundation
import Testing

@testable import DrayServer

@Suite struct TranscriptTests {
  private static let document = """
    <?xml version="1.0"?><metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="m1.bin"><size>5</size>\
    <url>http://host/m1.bin</url><url>http://host/x/m1.bin</url></file>\
    <file name="m2.bin"><url>http://host/m2.bin</url></file></metalink>
    """

  /// Sends the requests of these sections. Returns the unintended differences, and the intended ones that did not
  /// occur.
  private static func differences(
    _ sections: String..., secret: String? = nil, directory: String = "/DIR"
  ) async throws -> [String] {
    let meant = try MeantDifference.all(sections)
    let queue = FakeQueue(directory: directory)
    let answers = RPCAnswers(context: Aria2Context(queue: queue)) { secret == nil || $0 == secret }
    var found: [String] = []
    var used: Set<Int> = []
    var asked = 0
    for exchange in try Transcript.read().exchanges where sections.contains(exchange.section) {
      guard let name = exchange.name, let expected = exchange.answer, exchange.status != 404 else { continue }
      // Notifications have a separate table.
      guard exchange.via != "WS" || exchange.request != "" else { continue }
      asked += 1
      let answer = await ask(answers, exchange)
      await queue.run()
      var all: [String] = []
      if let status = exchange.status, status != answer.status { all.append("status: \(status), not \(answer.status)") }
      all += try compare(expected, answer.body, isXML: exchange.via == "XML")
      for difference in all {
        let place = meant.firstIndex { $0.means(difference, of: "\(exchange.section)/\(name)") }
        if let place { used.insert(place) } else { found.append("\(exchange.section)/\(name): \(difference)") }
      }
    }
    if asked == 0 { found.append("nothing is asked in \(sections)") }
    let unused = meant.indices.filter { !used.contains($0) }.map {
      "does not differ: \(meant[$0].exchange) \(meant[$0].part)"
    }
    return found + unused
  }

  private static func ask(_ answers: RPCAnswers, _ exchange: Transcript.Exchange) async -> RPCAnswers.Answer {
    let text = String(decoding: exchange.body, as: UTF8.self)
    switch exchange.via {
    case "GET": return await answers.answer(RPCQuery(text))
    case "XML": return await answers.answer(xml: exchange.body)
    case _ where text.contains("METALINK"):
      let metalink = Data(document.utf8).base64EncodedString()
      return await answers.answer(RPCMessage(text.replacing("METALINK", with: metalink).utf8))
    default: return await answers.answer(RPCMessage(exchange.body))
    }
  }

  /// Compares texts; a callback around both must be the same.
  private static func compare(_ expected: String, _ body: [UInt8], isXML: Bool) throws -> [String] {
    let actual = String(decoding: body, as: UTF8.self)
    guard !isXML else { return expected == actual ? [] : ["\(expected), not \(actual)"] }
    guard let mark = expected.firstIndex(of: "("), expected.hasSuffix(")") else {
      return try Difference.all(expected, body)
    }
    guard actual.hasPrefix(expected[...mark]), actual.hasSuffix(")") else { return ["callback: \(actual)"] }
    return try Difference.all(
      String(expected[expected.index(after: mark)...].dropLast()),
      Array(actual.dropFirst(expected[...mark].count).dropLast().utf8))
  }

  private static func check(_ differences: [String]) {
    for difference in differences { Issue.record(Comment(rawValue: difference)) }
  }

  @Test func calls() async throws {
    Self.check(try await Self.differences("protocol"))
  }

  @Test func queries() async throws {
    Self.check(try await Self.differences("get"))
  }

  @Test func system() async throws {
    Self.check(try await Self.differences("system"))
  }

  @Test func secret() async throws {
    Self.check(try await Self.differences("secret", secret: "s3cret"))
  }

  @Test func queue() async throws {
    Self.check(try await Self.differences("queue"))
  }

  @Test func xml() async throws {
    Self.check(try await Self.differences("xml", secret: "s3cret", directory: "/HOME/e"))
  }

  @Test func webSocket() async throws {
    Self.check(try await Self.differences("websocket"))
  }
}
