// Tells addresses that reach this user's own services from others (P19).

import Posix
import Testing

@testable import DrayEngine

@Suite struct OwnServicesTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1", true), ("::1", "::1", true), ("127.0.0.1", "::1", false),
    ("127.0.0.2", "127.0.0.1", false),
    // IPv4 within IPv6.
    ("::ffff:127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "::ffff:127.0.0.1", true),
    // For a client, the unspecified address is the loopback.
    ("0.0.0.0", "127.0.0.1", true), ("::", "::1", true), ("0.0.0.0", "192.0.2.1", false),
    // A service at all addresses.
    ("127.9.9.9", "0.0.0.0", true), ("::1", "::", true), ("192.0.2.7", "0.0.0.0", true),
    ("192.0.2.8", "0.0.0.0", false),
    ("0.0.0.0", "0.0.0.0", true), ("192.0.2.7", "192.0.2.7", true), ("192.0.2.8", "192.0.2.7", false),
  ])
  func places(address: String, service: String, isBehind: Bool) throws {
    let service = try #require(InternetAddress(service, port: 6800))
    let local = InternetAddress("192.0.2.7")?.bytes
    for port in [6800, 6801] as [UInt16] {
      let address = try #require(InternetAddress(address, port: port))
      #expect(OwnServices.isBehind(address, service: service) { $0.bytes == local } == (isBehind && port == 6800))
    }
  }

  @Test func whatThisMachineHas() throws {
    #expect(System.isOwnAddress(try #require(InternetAddress("127.0.0.1", port: 1))))
    #expect(System.isOwnAddress(try #require(InternetAddress("127.9.9.9"))))
    #expect(!System.isOwnAddress(try #require(InternetAddress("192.0.2.1"))))
  }

  /// The scheme of each hop decides which proxy variable counts.
  @Test(
    arguments: [
      (nil, "http", ["http_proxy": "p"], true), (nil, "https", ["http_proxy": "p"], false),
      (nil, "https", ["HTTPS_PROXY": "p"], true), (nil, "http", ["HTTP_PROXY": "p"], false),
      (nil, "https", ["all_proxy": "p"], true), ("", "http", ["http_proxy": "p"], false), ("p", "https", [:], true),
    ] as [(String?, String, [String: String], Bool)])
  func proxies(proxy: String?, scheme: String, environment: [String: String], uses: Bool) {
    #expect(AddressRule.usesProxy(proxy, for: scheme, environment: environment) == uses)
  }

  @Test func sourcesAreAsked() throws {
    let service = try #require(InternetAddress("192.0.2.99", port: 4242))
    #expect(!OwnServices.lead(to: service))
    OwnServices.add("/a test") { [service] }
    #expect(OwnServices.lead(to: service))
    OwnServices.add("/a test") { [] }
    let own = try #require(InternetAddress("192.0.2.99", port: 4243))
    OwnServices.open([own])
    #expect(OwnServices.lead(to: own))
  }
}
