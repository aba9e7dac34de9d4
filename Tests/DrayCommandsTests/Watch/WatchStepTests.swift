// What takes a step of the full-screen display back.

import DrayCore
import DrayStore
import Testing

@testable import DrayCommands

@Suite("Watch: undo")
struct WatchStepTests {
  @Test(
    "a move beside a neighbour is taken back by the move to its other side",
    arguments: [(.before(3), .after(3)), (.after(3), .before(3)), (.first, nil), (.last, nil)]
      as [(QueuePlace, QueuePlace?)])
  func back(place: QueuePlace, back: QueuePlace?) {
    #expect(WatchStep.back(of: place) == back)
  }
}
