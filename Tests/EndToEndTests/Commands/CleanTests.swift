// `dray clean` leaves foreign files: another store's downloads, running or not, and files of uncertain owner (P17).

import FaultServer
import Foundation
import Testing

@Suite("Clean")
struct CleanTests {
  /// Runs `clean` with another job store on the same directory.
  private func clean(_ sandbox: Sandbox, _ path: String, home: String? = nil) async throws -> Finished {
    try await sandbox.start(["clean", path]) {
      $0.environment["DRAY_HOME"] = home ?? sandbox.home + "-other"
    }.finish()
  }

  @Test("P17 a running download of another store is left, and so is an interrupted one")
  func others() async throws {
    try await Sandbox.use { sandbox in
      defer { try? FileManager.default.removeItem(atPath: sandbox.home + "-other") }
      let gate = Gate()
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let get = ["get", "-x", "1", sandbox.server.url("/f")]
      let program = try sandbox.start(get)
      try await program.wait(for: "a checkpoint") { try await sandbox.recorded() >= ResumeCase.half }
      let part = try #require(try await sandbox.onlyJob().partFile)
      #expect(try Set(Sandbox.attributes(of: part)).isSuperset(of: ["user.dray.store", "user.dray.job"]))
      // Old enough to count as unowned.
      try sandbox.age((part as NSString).lastPathComponent)
      expect(try await clean(sandbox, sandbox.downloads), exits: 0, saying: "another process is using it")
      expect(try await clean(sandbox, part), exits: 3, saying: "another process is using it")
      program.send(SIGINT)
      expect(try await program.finish(), exits: 130)
      gate.open()
      try sandbox.age((part as NSString).lastPathComponent)
      expect(try await clean(sandbox, sandbox.downloads), exits: 0, saying: "it belongs to the job store in")
      // Its own store knows the job, also if the path is named.
      expect(try await clean(sandbox, part, home: sandbox.home), exits: 3, saying: "a job of this store uses it")
      let finished = try await sandbox.dray(get)
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": ResumeCase.v1.content], finished)
      // The target does not keep the label.
      #expect(try Sandbox.attributes(of: sandbox.path("f")) == [])
    }
  }

  @Test("what clean has forgotten is up to date where its file is the server's, by its bytes or its time")
  func forgotten() async throws {
    try await Sandbox.use { sandbox in
      let url = sandbox.server.url("/f")
      sandbox.server["/f"] = .init(ResumeCase.v1)
      expect(try await sandbox.dray("get", url), exits: 0)
      expect(try await sandbox.dray("clean"), exits: 0, saying: "1 job forgotten")
      expect(try await sandbox.dray("get", url), exits: 0, saying: "up to date")
      sandbox.expectFiles(["f": ResumeCase.v1.content])
      expect(try await sandbox.dray("get", url), exits: 0, saying: "already complete")

      // If the server states no time, only the bytes can show that the file is the same.
      let own = ["get", "-o", "own", url]
      expect(try await sandbox.dray(own), exits: 0)
      expect(try await sandbox.dray("clean"), exits: 0)
      expect(try await sandbox.dray(own), exits: 0, saying: "up to date: \(sandbox.path("own"))")
      expect(try await sandbox.dray("clean"), exits: 0)
      expect(try await sandbox.shell("printf x | dd of=own bs=1 seek=9 conv=notrunc"), exits: 0)
      expect(try await sandbox.dray(own), exits: 3, saying: "already exists")

      var dated = ResumeCase.v1
      dated.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
      sandbox.server["/g"] = .init(dated)
      let named = ["get", "-o", "named", sandbox.server.url("/g")]
      expect(try await sandbox.dray(named), exits: 0)
      expect(try await sandbox.dray("clean"), exits: 0)
      expect(try await sandbox.dray(named), exits: 0, saying: "up to date: \(sandbox.path("named"))")
      // A file of the same length with other bytes is another file.
      expect(try await sandbox.shell("printf x | dd of=named bs=1 seek=9 conv=notrunc"), exits: 0)
      expect(try await sandbox.dray(named), exits: 3, saying: "already exists")
    }
  }

  @Test("young unowned files are left, unless they are named")
  func young() async throws {
    try await Sandbox.use { sandbox in
      let stray = ".\(UUID().uuidString).part"
      try sandbox.write("stray", to: stray)
      expect(try await sandbox.dray("clean", sandbox.downloads), exits: 0, saying: "less than a day ago")
      #expect(sandbox.names() == [stray])
      expect(try await sandbox.dray("clean", sandbox.path(stray)), exits: 0, saying: "1 part file removed")
      sandbox.expectNoFiles()
      expect(try await sandbox.dray("clean", sandbox.path("none")), exits: 2)
    }
  }
}

extension Sandbox {
  /// Makes a file of the download directory look old.
  func age(_ name: String) throws {
    let past = Date(timeIntervalSinceNow: -40 * 86_400)
    try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path(name))
  }

  /// The names of the extended attributes of a file. Swift's Glibc does not declare the call.
  static func attributes(of path: String) throws -> [String] {
    typealias List = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<CChar>, Int) -> Int
    let list = unsafeBitCast(try #require(dlsym(nil, "listxattr")), to: List.self)
    var names = [CChar](repeating: 0, count: 4096)
    let count = list(path, &names, names.count)
    guard count > 0 else { return [] }
    return names[..<count].split(separator: 0).map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
  }
}
