// Size and kind of a descriptor, on a real pseudo-terminal.

import Glibc
import Testing

@testable import TerminalUI

@Suite struct TerminalDeviceTests {
  @Test func aPseudoTerminalTellsItsSize() throws {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    try #require(terminal >= 0)
    defer { close(terminal) }
    // The rows and columns of `struct winsize`.
    var window: [UInt16] = [33, 111, 0, 0]
    try #require(ioctl(terminal, UInt(TIOCSWINSZ), &window) == 0)
    #expect(TerminalDevice.isTTY(terminal))
    #expect(TerminalDevice.size(terminal) == (111, 33))
  }

  @Test func whatIsNoTerminalHasADefault() {
    let pipe = PipeReader()
    for descriptor in [-1, pipe.writeEnd] {
      #expect(!TerminalDevice.isTTY(descriptor))
      #expect(TerminalDevice.size(descriptor) == (80, 24))
      #expect(!TerminalDevice.isForeground(descriptor))
    }
  }
}
