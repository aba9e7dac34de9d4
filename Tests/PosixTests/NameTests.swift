// Names as the system's resolver knows them.

import Foundation
import Testing

@testable import Posix

@Suite struct NameTests {
  @Test(
    arguments: [
      (0, .exists), (EAI_NONAME, .unknown), (EAI_AGAIN, .undecided), (EAI_FAIL, .undecided),
    ] as [(Int32, NameAnswer)])
  func answers(_ code: Int32, _ answer: NameAnswer) {
    #expect(NameAnswer(code: code) == answer)
  }

  @Test func anAddressIsItsOwnName() { #expect(System.lookUp("127.0.0.1") == .exists) }
}
