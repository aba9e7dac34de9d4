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
      ("ifhost!eth0!127.0.0.1", ["eth0"], nil), ("ifhost!eth0!h.example", ["eth0"], nil),
      ("ifhost!tun0!127.0.0.1", ["eth0"], "no interface or address tun0 on this machine, only eth0"),
      ("ifhost!eth0!10.1.2.3", ["eth0"], "no interface or address 10.1.2.3 on this machine, only eth0"),
      // A host name may be resolved the next time; a name with a number at its end is a VLAN's.
      ("h.example", ["eth0"], nil), ("host!h", ["eth0"], nil), ("wlan9,h.example", ["eth0"], nil),
      ("fe80::1%eth0", ["eth0"], nil),
      ("eth0.100", ["eth0"], "no interface or address eth0.100 on this machine, only eth0"),
      ("if!h.example", ["eth0"], "no interface or address h.example on this machine, only eth0"),
    ] as [(String, [String], String?)])
  func missing(_ list: String, existing: [String], problem: String?) throws {
    var request = TransferRequest(url: try RequestURL.parse("http://h/f").url)
    request.interface = list.isEmpty ? nil : list
    let found = TransferRequest.problem(
      withInterfaces: request.interfaces, existing: existing, hasInterface: existing.contains,
      isOwn: { ["127.0.0.1", "10.1.2.3"].contains($0) ? $0 == "127.0.0.1" : nil })
    #expect(found == problem)
  }

  @Test(
    arguments: [
      ("eth0", .either("eth0")), ("if!eth0", .interface("eth0")), ("host!h", .address("h")), ("if!", .either("if!")),
      ("ifhost!eth0!10.0.0.9", .both(interface: "eth0", address: "10.0.0.9")), ("ifhost!eth0", .either("ifhost!eth0")),
    ] as [(String, LocalPlace)])
  func forms(text: String, place: LocalPlace) {
    #expect(LocalPlace(text) == place)
  }
}
