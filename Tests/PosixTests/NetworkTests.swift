// Addresses, listeners and sockets that do not block.

import Foundation
import Posix
import Testing

@Suite struct NetworkTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1:80"), ("::1", "[::1]:80"), ("2001:DB8:0:0::1", "[2001:db8::1]:80"),
    ("::ffff:10.0.0.1", "[::ffff:10.0.0.1]:80"),
    ("127.1", nil), ("1.2.3.4.5", nil), ("[::1]", nil), ("::1%lo", nil), ("localhost", nil), ("", nil),
    ("0x7f.0.0.1", nil),
  ])
  func addresses(_ literal: String, _ written: String?) {
    #expect(InternetAddress(literal, port: 80)?.description == written)
  }

  @Test(arguments: ["127.0.0.1", "::1"])
  func aListenerHasTheAddressOfItsClients(_ literal: String) throws {
    let listener = try System.listener(at: #require(InternetAddress(literal)), backlog: 5)
    defer { System.close(listener) }
    let address = try #require(System.boundAddress(listener))
    #expect(address.literal == literal && address.port > 0 && System.isListening(listener))
    let (one, other) = try System.pair()
    defer {
      System.close(one)
      System.close(other)
    }
    #expect(!System.isListening(one))
    // The address is in use.
    #expect(throws: SystemError("bind", SystemError.addressInUse)) { _ = try System.listener(at: address, backlog: 5) }
  }

  @Test func socketsTellWhatTheyHave() throws {
    let (one, other) = try System.pair()
    defer { System.close(other) }
    func readiness() -> Readiness {
      var watch = System.Watch()
      watch.add(other, .readable)
      watch.wait(10)
      return watch[0]
    }
    var watch = System.Watch()
    watch.add(other, .readable)
    watch.wait(0)
    #expect(watch[0] == [])
    #expect(write(one, "abc", 3) == 3 && readiness() == .readable)
    System.close(one)
    #expect(!readiness().isDisjoint(with: .gone))
  }

  @Test func aSocketTakesOnlySoMuch() throws {
    let (one, other) = try System.pair()
    defer {
      System.close(one)
      System.close(other)
    }
    let bytes = [UInt8](repeating: 1, count: 1 << 20)
    while write(one, bytes, bytes.count) > 0 {}
    var watch = System.Watch()
    watch.add(one, .writable)
    watch.wait(0)
    #expect(watch[0] == [])
  }
}
