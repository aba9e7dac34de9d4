// The same promises with real servers: the answers of real servers, not those of the tests' own server.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Objects on real servers")
struct ObjectConformance {
  @Test("SeaweedFS", .needs(.server(.seaweedfs)))
  func seaweedfs() async throws { try await conform(.seaweedfs) }

  @Test("MiniStack", .needs(.server(.ministack)))
  func ministack() async throws { try await conform(.ministack) }

  @Test("moto", .needs(.server(.moto)))
  func moto() async throws { try await conform(.moto) }

  @Test("Swift with s3api", .needs(.server(.swift)))
  func swift() async throws { try await conform(.swift) }

  /// All of it with one server: each start takes seconds.
  private func conform(_ kind: ObjectServerKind) async throws {
    try await Sandbox.use { sandbox in
      let server = try await ObjectServer(kind, in: sandbox)
      try await transfers(sandbox, server)
      try await resumes(sandbox, server)
      try await conflicts(sandbox, server)
      try await verifies(sandbox, server)
      try await races(sandbox, server)
      // In the end, the uploads of others are there, and none of dray's.
      try await server.startUpload("others")
      expect(try await sandbox.dray(["remove", "--all"], in: server.place), exits: 0)
      expect(try await sandbox.dray(["clean", "s3://bucket/"], in: server.place), exits: 0)
      #expect(try await server.uploads().map { $0.first } == ["others"], "\(kind)")
      sandbox.expectNoFiles("\(kind)")
    }
  }

  private func expectSame(_ server: ObjectServer, _ key: String, _ content: Content) async throws {
    let difference = try await server.difference(key, content)
    #expect(difference == nil, "\(server.kind): \(key)")
  }

  /// Parts, one request, an unknown length, a prefix, odd names.
  private func transfers(_ sandbox: Sandbox, _ server: ObjectServer) async throws {
    let files: [(name: String, version: Version)] = [
      ("large", ObjectCase.v1), ("small", ObjectCase.small), ("empty", .named("e", size: 0)),
      ("a%20b+c%C3%BC", .named("odd", size: 9_000_000)),
    ]
    for file in files { sandbox.server["/" + file.name] = .init(file.version) }
    sandbox.server["/unknown"] = .init(ObjectCase.v2, script: [Answer { $0.framing = .chunked(.init()) }])
    let urls = (files.map(\.name) + ["unknown"]).map { sandbox.server.url("/" + $0) }
    let got = try await sandbox.dray(["get", "-x", "2", "-d", "s3://bucket/dir/"] + urls, in: server.place)
    expect(got, exits: 0)
    for file in files {
      try await expectSame(server, "dir/" + (file.name.removingPercentEncoding ?? file.name), file.version.content)
    }
    try await expectSame(server, "dir/unknown", ObjectCase.v2.content)
    #expect(try await server.uploads() == [], "\(server.kind)")
    let head = try await server.head("dir/large")
    #expect(head.fields["x-amz-meta-dray-source"]?.hasSuffix("/large") == true, "\(server.kind): \(head.fields)")
    #expect(head.fields["content-type"] == "application/octet-stream", "\(server.kind)")
  }

  /// Killed in the middle, and a new version of the source.
  private func resumes(_ sandbox: Sandbox, _ server: ObjectServer) async throws {
    for (name, later) in [("same", ObjectCase.v1), ("other", ObjectCase.v2)] {
      let gate = Gate()
      sandbox.server["/f"] = .init(ObjectCase.v1, script: [.held(by: gate, after: ObjectCase.half), .normal])
      let get = ["get", "-x", "1", "-o", "s3://bucket/\(name)", sandbox.server.url("/f")] + ObjectCase.quick
      let program = try sandbox.start(get, in: server.place)
      try await program.wait(for: "a checkpoint", seconds: 120, every: 0.1) {
        let job = try await sandbox.jobs().last { $0.state == "active" }
        guard let job else { return false }
        return try await sandbox.shown(job.id).map { $0.recorded >= ObjectCase.part } ?? false
      }
      try await program.kill9()
      gate.open()
      #expect(try await server.uploads().count == 1, "\(server.kind)")
      sandbox.server["/f"] = .init(later)
      let again = try await sandbox.dray(get, in: server.place)
      expect(again, exits: 0)
      try await expectSame(server, name, later.content)
      if name == "same" { #expect(sandbox.server.bytesSent("/f") <= 2 * ObjectCase.size - ObjectCase.part) }
      #expect(try await server.uploads() == [], "\(server.kind)")
    }
  }

  private func conflicts(_ sandbox: Sandbox, _ server: ObjectServer) async throws {
    let old = Content.generated(seed: 99, size: 777)
    for version in [ObjectCase.small, ObjectCase.v1] {
      for path in ["/f", "/g"] { sandbox.server[path] = .init(version) }
      let key = "taken-\(version.content.size)"
      try await server.put(key, old)
      func get(_ policy: String, _ path: String = "/f") async throws -> Finished {
        try await sandbox.dray(
          ["get", "--on-conflict", policy, "-o", "s3://bucket/\(key)", sandbox.server.url(path)], in: server.place)
      }
      expect(try await get("fail"), exits: 3)
      expect(try await get("skip"), exits: 0)
      try await expectSame(server, key, old)
      expect(try await get("rename"), exits: 0)
      try await expectSame(server, key + ".1", version.content)
      // For the same URL the file would be complete already, under its other name.
      expect(try await get("overwrite", "/g"), exits: 0)
      try await expectSame(server, key, version.content)
    }
  }

  private func verifies(_ sandbox: Sandbox, _ server: ObjectServer) async throws {
    sandbox.server["/f"] = .init(ObjectCase.v1)
    let digest = ["--checksum", "sha-256=" + Sandbox.sha256(ObjectCase.v1.content)]
    let get = ["get", "-x", "2", "-o", "s3://bucket/checked", sandbox.server.url("/f")] + digest
    expect(try await sandbox.dray(get, in: server.place), exits: 0)
    let id = try #require(try await sandbox.jobs().first { $0.target == "s3://bucket/checked" }).id
    expect(try await sandbox.dray(["verify", "\(id)"], in: server.place), exits: 0)
    try await server.put("checked", .generated(seed: 5, size: ObjectCase.size))
    expect(try await sandbox.dray(["verify", "\(id)"], in: server.place), exits: 9)
  }

  /// Two programs race for one key, again and again. Not every server ends uploads atomically, so both may win: the
  /// object is a whole version all the same, and a program that loses reports it.
  private func races(_ sandbox: Sandbox, _ server: ObjectServer) async throws {
    let versions = (0..<2).map { Version.named("racer \($0)", size: ObjectCase.part + 1_000_000) }
    for (number, version) in versions.enumerated() { sandbox.server["/\(number)"] = .init(version) }
    for round in 0..<4 {
      let programs = try versions.indices.map { number in
        try sandbox.start(["get", "-o", "s3://bucket/race-\(round)", sandbox.server.url("/\(number)")]) {
          $0.environment.merge(server.place.variables) { $1 }
          $0.environment["DRAY_HOME"] = sandbox.root + "/user/home-\(number)"
        }
      }
      var exits: [Int32?] = []
      for program in programs { exits.append(try await program.finish().status) }
      #expect(exits.allSatisfy { [0, 3, 9].contains($0) } && exits.contains(0), "\(server.kind): \(exits)")
      var matches: [Int] = []
      for number in versions.indices {
        if try await server.difference("race-\(round)", versions[number].content) == nil { matches.append(number) }
      }
      #expect(matches.count == 1, "\(server.kind): the object is no version, \(exits)")
      if exits.count(where: { $0 == 0 }) == 1 { #expect(matches.first.map { exits[$0] == 0 } == true, "\(exits)") }
    }
    // The loser's upload goes when its job does.
    for number in versions.indices {
      let removed = try await sandbox.start(["remove", "--all"]) {
        $0.environment.merge(server.place.variables) { $1 }
        $0.environment["DRAY_HOME"] = sandbox.root + "/user/home-\(number)"
      }.finish()
      expect(removed, exits: 0)
    }
    #expect(try await server.uploads() == [], "\(server.kind)")
  }
}
