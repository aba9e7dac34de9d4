// Where the control file beside a file is looked for.

import DrayCore
import Testing

@testable import DrayKit

@Suite struct SeedPlaceTests {
  @Test(
    "the control file is at the file's own host",
    arguments: [
      ("http://a.example/f.iso", "http://a.example/f.iso.zsync"),
      ("http://a.example/d/f.iso?key=1", "http://a.example/d/f.iso.zsync"),
      ("http://a.example//b.example/f.iso", "http://a.example//b.example/f.iso.zsync"),
      ("http://a.example/d/f:1.iso", "http://a.example/d/f:1.iso.zsync"),
    ])
  func beside(_ url: String, _ control: String) throws {
    #expect(Seeding.place(beside: try RequestURL.parse(url).url) == control)
  }
}
