// Interfaces that this machine does not have.

import DrayCore
import Testing

@Suite("Interfaces") struct InterfaceTests {
  @Test(
    arguments: [
      ("wlan9", ["lo", "eth0", "wlan0"], "no interface or address wlan9 on this machine, only eth0, wlan0"),
      ("10.1.2.3", ["lo", "eth0"], "no interface or address 10.1.2.3 on this machine, only eth0"),
      ("if!tun0", ["lo", "eth0"], "no interface or address tun0 on this machine, only eth0"),
      ("wlan9,tun0", ["lo", "eth0"], "none of the interfaces wlan9, tun0 on this machine, only eth0"),
      ("wlan9", ["lo"], "no interface or address wlan9 on this machine, only lo"),
      ("wlan9", [], "no interface or address wlan9 on this machine"),
      (
        "x", (0..<9).map { "v\($0)" },
        "no interface or address x on this machine, only v0, v1, v2, v3, v4, v5, v6, v7, …"
      ),
      ("eth0", ["lo", "eth0"], nil), ("wlan9,eth0", ["eth0"], nil), ("if!eth0", ["eth0"], nil), ("lo", ["lo"], nil),
      ("127.0.0.1", ["eth0"], nil), ("host!127.0.0.1", ["eth0"], nil), ("", ["eth0"], nil),
    ] as [(String, [String], String?)])
  func missing(_ list: String, existing: [String], problem: String?) throws {
    var request = TransferRequest(url: try RequestURL.parse("http://h/f").url)
    request.interface = list.isEmpty ? nil : list
    let found = TransferRequest.problem(
      withInterfaces: request.interfaces, existing: existing, isOwn: { $0 == "127.0.0.1" })
    #expect(found == problem)
  }
}
