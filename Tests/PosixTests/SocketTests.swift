// The system's facts about sockets.

import Foundation
import Posix
import Testing

@Suite struct SocketTests {
  @Test func onlyTCPKnowsPacketsOutOfOrder() throws {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(connection) }
    #if DRAY_PORTABLE
    #expect(System.packetsOutOfOrder(connection) == nil)
    #else
    #expect(System.packetsOutOfOrder(connection) == 0)
    #endif
    let datagrams = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(datagrams) }
    #expect(System.packetsOutOfOrder(datagrams) == nil && System.packetsOutOfOrder(-1) == nil)
  }
}
