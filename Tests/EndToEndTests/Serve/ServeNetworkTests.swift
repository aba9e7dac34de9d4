// A network that changes under the service, and destinations that it must not reach.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Service: the network", .needs(.network))
struct ServeNetworkTests {
  private static let address = "10.9.0.1"

  @Test(
    "the network fails during a transfer and returns: the job continues automatically",
    arguments: [
      ("address del \(address)/32 dev lo", "address add \(address)/32 dev lo"), ("link set lo down", "link set lo up"),
    ])
  func away(down: String, up: String) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let content = Content.generated(seed: 9, size: 1 << 20)
      let network = try await Network(in: sandbox, serving: content, addresses: [Self.address])
      let service = try await network.service()
      let url = "http://\(Self.address):8000"
      func add(_ line: String) async throws -> Int {
        let list = #"{"list":"\#(url)\#(line)\n  stall-timeout=1\n  retry-wait=1"}"#
        let answer = try await service.api("POST", "/jobs", list)
        return try #require((answer.body["jobs"] as? [[String: Any]])?.first?["id"] as? Int, "\(answer)")
      }
      func job(_ id: Int) async throws -> [String: Any] { try await service.api("GET", "/jobs/\(id)").body }
      let first = try await add("/half")
      try await service.program.wait(for: "half of it") { try await job(first)["received"] as? Int == 1 << 19 }
      try await network.ip(down)
      // A job added now has to wait, too.
      let second = try await add(#"/f\n  out=other"#)
      try await service.program.wait(for: "a failure") { service.program.errors.contains("[\(first)] retrying") }
      try network.open()
      #expect(try await job(first)["received"] as? Int == 1 << 19)
      #expect(try await job(second)["received"] as? Int == 0)
      try await network.ip(up)
      for id in [first, second] {
        try await service.program.wait(for: "the end", seconds: 60) {
          try await job(id)["state"] as? String == "complete"
        }
      }
      try await service.stop()
      sandbox.expectFiles(["half": content, "other": content])
      #expect(
        network.requests.contains { $0.hasSuffix(" /half bytes=\((1 << 19) - Joint.overlap)-") }, "\(network.requests)")
    }
  }

  /// A public address, in a private network of the test.
  private static let outside = "93.184.216.34"

  /// The URLs of clients' jobs, and the destinations that must be refused.
  private static let denied = [
    "\(outside):8000/to/\(address):8000/f", "\(outside):8000/to/127.0.0.1:8000/f",
    "\(outside):8000/to/inside.example:8000/f", "\(outside):8000/to/\(outside):8000/to/localhost:8000/f",
    "inside.example:8000/f", "outside.example:8000/to/inside.example:8000/f",
  ]

  @Test("--deny-private: no redirect and no name leads from an allowed server into a private network")
  func denyPrivate() async throws {
    try await Sandbox.use { sandbox in
      let content = Content.generated(seed: 9, size: 1000)
      let network = try await Network(
        in: sandbox, serving: content, addresses: [Self.address, Self.outside],
        names: ["\(Self.address) inside.example", "\(Self.outside) outside.example"])
      let service = try await network.service(["--deny-private"])
      for url in Self.denied {
        let gid = try await service.add("http://\(url)")
        try await service.program.wait(for: "the failure of \(url)") { try await service.status(of: gid) == "error" }
        let words = try await service.status(of: gid, "errorMessage") ?? ""
        #expect(words.contains("private networks"), "\(url): \(words)")
      }
      let good = try await service.add("http://\(Self.outside):8000/to/outside.example:8000/f", ["out": "good"])
      try await service.program.wait(for: "the end") { try await service.status(of: good) == "complete" }
      try await service.stop()
      let fetched = network.requests.filter { $0.contains(" /f ") }
      #expect(fetched == ["outside.example:8000 /f all"])
      sandbox.expectFiles(["good": content])
    }
  }
}
