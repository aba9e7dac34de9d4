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

  @Test func theSystemKnowsWhatWasNotRead() {
    var pair: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    defer { for socket in pair { close(socket) } }
    var bytes = [UInt8](repeating: 1, count: 1000)
    #expect(write(pair[0], bytes, 1000) == 1000 && read(pair[1], &bytes, 300) == 300)
    #if DRAY_PORTABLE
    #expect(System.unreadBytes(pair[1]) == nil)
    #else
    #expect(System.unreadBytes(pair[1]) == 700 && System.unreadBytes(pair[0]) == 0)
    #endif
    #expect(System.unreadBytes(-1) == nil)
  }
}
