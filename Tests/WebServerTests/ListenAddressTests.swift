// The places that a server listens at.

import Posix
import Testing
import WebTesting

@testable import WebServer

@Suite("places to listen at")
struct ListenAddressTests {
  @Test(
    "meaning and kind of each place",
    arguments: [
      ("127.0.0.1:6800", "127.0.0.1:6800", ListenerKind.loopback), ("[::1]:6800", "[::1]:6800", .loopback),
      ("localhost:0", "localhost:0", .loopback), ("6800", "localhost:6800", .loopback),
      ("127.8.9.10:1", "127.8.9.10:1", .loopback),
      ("*:6800", "*:6800", .outside), ("0.0.0.0:80", "0.0.0.0:80", .outside), ("[::]:80", "[::]:80", .outside),
      ("192.0.2.1:65535", "192.0.2.1:65535", .outside), ("[2001:db8::1]:80", "[2001:db8::1]:80", .outside),
      ("[::ffff:127.0.0.1]:1", "[::ffff:127.0.0.1]:1", .loopback),
      ("[::ffff:10.0.0.1]:1", "[::ffff:10.0.0.1]:1", .outside),
      ("/run/x.sock", "/run/x.sock", .socket), ("unix:x.sock", "x.sock", .socket), ("./x", "./x", .socket),
    ])
  func read(_ text: String, _ written: String, _ listenerKind: ListenerKind) throws {
    let address = try ListenAddress(text)
    #expect(address.description == written && address.listenerKind == listenerKind)
  }

  @Test(
    "an invalid place is a usage error",
    arguments: [
      "", "localhost", "localhost:", "localhost:x", "localhost:65536", "localhost:-1", "example.com:80", "::1:80",
      "[::1]",
      "[127.0.0.1]:80", "127.0.0.1", "127.1:80", "[::1%lo]:80", "+80",
    ])
  func invalid(_ text: String) {
    #expect { _ = try ListenAddress(text) } throws: { ($0 as? ListenError)?.kind == .address }
  }

  @Test("both families of localhost have one port")
  func families() throws {
    let listeners = try Listener.open(ListenAddress("localhost:0"))
    defer { for listener in listeners { listener.close() } }
    #expect(Set(listeners.map(\.port)).count == 1 && listeners.first?.port != 0)
    #expect(listeners.allSatisfy { $0.listenerKind == .loopback })
  }

  @Test("a port in use is named, with advice")
  func taken() throws {
    let first = try #require(try Listener.open(ListenAddress("127.0.0.1:0")).first)
    defer { first.close() }
    #expect {
      _ = try Listener.open(ListenAddress("127.0.0.1:\(first.port ?? 0)"))
    } throws: { error in
      guard let failure = error as? ListenError else { return false }
      return failure.kind == .network && failure.advice != nil && failure.subject == first.name
    }
  }

  @Test(
    "sockets that systemd hands over",
    arguments: [
      (["LISTEN_PID": "7", "LISTEN_FDS": "2"], [3, 4]), (["LISTEN_PID": "8", "LISTEN_FDS": "2"], nil),
      (["LISTEN_FDS": "2"], nil), (["LISTEN_PID": "7"], nil), (["LISTEN_PID": "7", "LISTEN_FDS": "0"], nil),
      (["LISTEN_PID": "7", "LISTEN_FDS": "-1"], nil), (["LISTEN_PID": "7", "LISTEN_FDS": "100000"], nil),
      (["LISTEN_PID": "x", "LISTEN_FDS": "1"], nil),
    ] as [([String: String], [Int32]?)])
  func activation(_ environment: [String: String], _ descriptors: [Int32]?) {
    #expect(SocketActivation(environment: environment, process: 7)?.descriptors == descriptors)
  }

  @Test("only listening sockets are taken over")
  func inherited() throws {
    let listener = try #require(try Listener.open(ListenAddress("127.0.0.1:0")).first)
    let (one, other) = try System.pair()
    defer {
      listener.close()
      System.close(one)
      System.close(other)
    }
    #expect(Listener.inherited(listener.descriptor)?.port == listener.port)
    #expect(Listener.inherited(one) == nil && Listener.inherited(-1) == nil)
  }
}
