// The text of UUIDs: as Foundation writes and reads it.

import DrayCore
import Foundation
import Testing

@Suite struct UUIDTextTests {
  @Test func textIsFoundations() {
    for _ in 0..<100 {
      let uuid = UUID()
      #expect(uuid.text == uuid.uuidString)
      #expect(UUID(text: uuid.uuidString) == uuid)
      #expect(UUID(text: uuid.uuidString.lowercased()) == uuid)
    }
    let known = UUID(high: 0x0F4C_1B6A_9C0E_4E5B, low: 0x8A1D_2B3C_4D5E_6F70)
    #expect(known.text == "0F4C1B6A-9C0E-4E5B-8A1D-2B3C4D5E6F70")
  }

  @Test(
    arguments: [
      "", "0F4C1B6A-9C0E-4E5B-8A1D-2B3C4D5E6F7", "0F4C1B6A-9C0E-4E5B-8A1D-2B3C4D5E6F700",
      "0F4C1B6A-9C0E-4E5B-8A1D-2B3C4D5E6F7é", "0F4C1B6A09C0E-4E5B-8A1D-2B3C4D5E6F70",
      "0F4C1B6A-9C0E-4E5B-8A1D-2B3C4D5E6F7G", " F4C1B6A-9C0E-4E5B-8A1D-2B3C4D5E6F70",
    ])
  func otherTexts(text: String) { #expect(UUID(text: text) == nil) }
}
