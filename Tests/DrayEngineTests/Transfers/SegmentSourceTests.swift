// How long a source is left alone after failures.

import DrayCore
import Testing

@testable import DrayEngine

@Suite struct SegmentSourceTests {
  private let refusal = Failure(.status, "u", "busy", httpStatus: 503)

  private func source() throws -> SegmentSource { SegmentSource(TransferRequest(url: try url("http://h/f"))) }

  @Test("the refusals of one burst count once, and later ones each")
  func burst() throws {
    var source = try source()
    for number in 0..<12 { source.strike(refusal, now: 10 + Double(number) / 100) }
    #expect(source.strikes == 1 && source.notBefore <= 11.2)
    source.strike(refusal, now: 12)
    #expect(source.strikes == 2 && source.notBefore == 14)
  }

  @Test("a wait that the server asks for is kept, also in a burst")
  func asked() throws {
    var source = try source()
    var failure = refusal
    source.strike(failure, now: 10)
    failure.retryAfter = 60
    source.strike(failure, now: 10.1)
    #expect(source.strikes == 1 && source.notBefore == 70.1)
  }

  @Test("a mirror whose samples were lost with their line is tried again: at once over another one, or with the line")
  func lostTrial() throws {
    var source = try source()
    source.standing = .sampled
    source.isNotTried(until: nil)
    #expect(source.standing == .untried && source.notBefore == 0)
    source.standing = .sampled
    source.isNotTried(until: 15)
    #expect(source.standing == .untried && source.notBefore == 15)
    for standing in [SegmentSource.Standing.proved, .dropped] {
      source.standing = standing
      source.isNotTried(until: 20)
      #expect(source.standing == standing && source.notBefore == 15)
    }
  }
}
