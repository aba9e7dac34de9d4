// Small files in memory: written when they are published, and nothing is left of those that cannot be (P1, P5).

import DrayCore
import Foundation
import Testing

@testable import DrayEngine

@Suite struct SmallPartTests {
  private let temporary: TemporaryDirectory
  private let destination: LocalDestination

  init() throws {
    temporary = try TemporaryDirectory()
    destination = LocalDestination(try temporary.open(), store: nil)
  }

  /// Returns a small file with these bytes.
  private func part(_ text: String, _ budget: SmallBudget = SmallBudget()) throws -> SmallPart {
    let body = try #require(SmallBody(length: text.utf8.count, budget))
    let isAdded = withBytes(text.utf8) { body.append($0) }
    #expect(isAdded && body.isFull)
    return SmallPart(".part", at: destination, body)
  }

  @Test func nothingIsWrittenBeforeThePublish() throws {
    let small = try part("0123456789")
    #expect(try small.bytes(4, at: 3) == Array("3456".utf8))
    #expect(try small.bytes(99, at: 8) == Array("89".utf8))
    #expect(try small.bytes(1, at: 10).isEmpty)
    #expect(small.allocated == 0)
    #expect(try temporary.names.isEmpty)
    let publication = Publication(part: small, size: 10)
    let identity = try publication.prepare()
    #expect(try temporary.names == [".part"])
    try small.sync()
    #expect(try destination.publish(small.publishable, as: "target", .nothing) == .done(notes: []))
    #expect(destination.identity(of: "target") == identity)
    #expect(temporary.bytes("target") == Array("0123456789".utf8))
    #expect(try temporary.names == ["target"])
  }

  @Test func anEmptyFile() throws {
    let publication = Publication(part: try part(""), size: 0)
    _ = try publication.prepare()
    #expect(try destination.publish(publication.part.publishable, as: "target", .nothing) == .done(notes: []))
    #expect(temporary.bytes("target") == [])
  }

  @Test func memoryIsLimitedAndGivenBack() throws {
    let budget = SmallBudget()
    #expect(SmallBody(length: SmallBudget.limit + 1, budget) == nil)
    do {
      let whole = SmallBody(length: SmallBudget.limit, budget)
      #expect(whole != nil)
      #expect(SmallBody(length: 1, budget) == nil)
      withExtendedLifetime(whole) {}
    }
    #expect(SmallBody(length: 1, budget) != nil)
  }

  @Test func moreBytesThanAnnouncedAreNotTaken() throws {
    let body = try #require(SmallBody(length: 3, SmallBudget()))
    let isTooMuch = withBytes("0123".utf8) { body.append($0) }
    #expect(!isTooMuch && body.count == 0)
  }
}
