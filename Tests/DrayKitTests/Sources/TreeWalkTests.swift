// Walks of directories: the limits of their cost, and their ends.

import DrayCore
import FaultServer
import Foundation
import Synchronization
import Testing

@testable import DrayKit

@Suite struct TreeWalkTests {
  /// The results and messages of a walk.
  private struct Outcome {
    var report: TreeReport
    var paths: [String]
    var failures: [Failure]
  }

  private final class Found: Sendable {
    let paths = Mutex<[String]>([])
    let failures = Mutex<[Failure]>([])
  }

  private func walk(_ fixture: KitFixture, _ path: String = "/d/", _ change: (inout TreeRequest) -> Void) async throws
    -> Outcome
  {
    var request = TransferRequest(url: try RequestURL.parse(directory: fixture.server.url(path)).url)
    request.proxy = ""
    var tree = TreeRequest(request)
    change(&tree)
    let found = Found()
    let report = try await fixture.manager.walk(tree) { files in
      found.paths.withLock { $0 += files.map(\.path.path) }
    } failed: { failure in
      found.failures.withLock { $0.append(failure) }
    }
    return Outcome(
      report: report, paths: found.paths.withLock(\.self).sorted(), failures: found.failures.withLock(\.self))
  }

  private func page(_ links: [String]) -> FaultServer.Resource {
    let list = links.map { "<a href=\"\($0)\">x</a>\n" }.joined()
    var resource = FaultServer.Resource(.init(.fixed("<title>Index of /</title>\(list)".utf8)))
    resource.contentType = "text/html"
    return resource
  }

  /// Nested directories, each with a file named after it.
  private func plant(_ server: FaultServer, levels: Int) {
    var path = "/d/"
    for level in 0..<levels {
      server[path] = page(["f\(level)", "x\(level)/"])
      path += "x\(level)/"
    }
    server[path] = page(["last"])
  }

  @Test func levelsAreBounded() async throws {
    try await KitFixture.use { fixture in
      plant(fixture.server, levels: 5)
      let outcome = try await walk(fixture) { $0.limits.depth = 2 }
      #expect(outcome.paths == ["f0", "x0/f1"])
      #expect(outcome.failures.map(\.reason) == ["it is more than 2 levels below the start: it is not followed"])
      #expect(outcome.report == TreeReport(files: 2, directories: 2, failures: 1))
      // A requested stop is not a failure.
      let asked = try await walk(fixture) { $0.depth = 2 }
      #expect(asked.paths == ["f0", "x0/f1"] && asked.failures.isEmpty)
    }
  }

  @Test("names that one directory entry would have are told, and the first is fetched (N7)")
  func folds() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/d/"] = page(["README", "readme", "caf%C3%A9", "cafe%CC%81", "X/", "x/", "y"])
      fixture.server["/d/X/"] = page(["Data", "DATA"])
      fixture.server["/d/x/"] = page(["data", "other"])
      let plain = try await walk(fixture) { _ in }
      #expect(plain.paths.count == 9 && plain.failures.isEmpty)
      let folded = try await walk(fixture) { $0.folding = NameFolding(foldsCase: true, normalizes: true) }
      #expect(folded.report.files == 5 && folded.report.failures == 4)
      #expect(Set(folded.paths.map { $0.lowercased() }).count == 5)
      #expect(folded.failures.allSatisfy { $0.kind == .file && $0.reason.contains("does not tell letter case and") })
    }
  }

  @Test func listingsAreBounded() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/d/"] = page((0..<20).map { "x\($0)/" })
      for number in 0..<20 { fixture.server["/d/x\(number)/"] = page(["f"]) }
      let outcome = try await walk(fixture) { $0.limits.listings = 5 }
      #expect(outcome.report.files == 5 && outcome.failures.count == 1)
      #expect(outcome.failures.first?.reason.contains("more than 5 listings") == true)
      #expect(fixture.server.requests.count == 6)
    }
  }

  @Test func filesAndEntriesAreBounded() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/d/"] = page((0..<50).map { "f\($0)" } + ["x/"])
      fixture.server["/d/x/"] = page(["f"])
      let files = try await walk(fixture) { $0.limits.files = 10 }
      #expect(files.report.files == 10 && files.failures.first?.reason.contains("more than 10 files") == true)
      let entries = try await walk(fixture) { $0.limits.entries = 40 }
      #expect(entries.report.files == 50 && entries.failures.first?.reason.contains("more than 40 entries") == true)
      #expect(fixture.server.requests("/d/x/").isEmpty)
    }
  }

  @Test func timeIsBounded() async throws {
    try await KitFixture.use { fixture in
      plant(fixture.server, levels: 3)
      let outcome = try await walk(fixture) { $0.limits.seconds = 0 }
      #expect(outcome.paths == ["f0"])
      #expect(outcome.failures.first?.reason.contains("took longer than 0 s") == true)
      // An endless page.
      let gate = FaultServer.Gate()
      fixture.server["/d/x0/"]?.script = [.held(by: gate, after: 10)]
      let slow = try await walk(fixture) { $0.limits.listingSeconds = 0.5 }
      #expect(slow.paths == ["f0"] && slow.failures.first?.reason.contains("the limit for a listing") == true)
      gate.open()
    }
  }

  @Test func aPageThatIsTooLongIsNotRead() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/d/"] = page(["x/", "f"])
      fixture.server["/d/x/"] = .init(.named("x", size: 17 << 20))
      let outcome = try await walk(fixture) { _ in }
      #expect(outcome.paths == ["f"])
      #expect(outcome.failures.first?.reason.contains("longer than 16") == true, "\(outcome.failures)")
    }
  }

  @Test("a walk asks about links without a slash, as long as no listing marks a directory with a slash")
  func openLinks() async throws {
    try await KitFixture.use { fixture in
      let server = fixture.server
      server["/d/"] = page(["/d/sub", "/d/README", "/d/a.iso", "/d/v1.2"])
      server["/d/README"] = .init(.named("x", size: 10))
      server["/d/sub"] = .init(.named("x", size: 1), script: [.redirect(to: "/d/sub/")])
      server["/d/sub/"] = page(["/d/sub/deep"])
      server["/d/v1.2"] = page(["/d", "/d/v1.2/b.iso"])
      server["/d/sub/deep"] = page([".."])
      server["/d/sub/deep"]?.version = .init(.fixed("<title>listing directory /d/sub/deep</title>".utf8))
      let outcome = try await walk(fixture) { _ in }
      #expect(outcome.paths == ["README", "a.iso", "v1.2/b.iso"] && outcome.failures.isEmpty)
      #expect(outcome.report == TreeReport(files: 3, directories: 4))
      #expect(server.requests("/d/README").map(\.method) == ["HEAD"] && server.requests("/d/a.iso").isEmpty)
      #expect(server.requests("/d/sub").map(\.method) == ["HEAD"])
      // Excluded links are not requested, and beyond the depth limit a directory is not taken for a file.
      let level = try await walk(fixture) { $0.depth = 1 }
      #expect(level.paths == ["README", "a.iso"] && level.failures.isEmpty)
      let before = server.requests("/d/v1.2").count
      let pattern = try PathPattern("v*")
      let some = try await walk(fixture) { $0.filter.excludes = [pattern] }
      #expect(some.paths == ["README", "a.iso"] && server.requests("/d/v1.2").count == before)
    }
  }

  @Test("a server that marks directories with a slash gets no extra requests")
  func markedDirectories() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/d/"] = page(["x/", "README"])
      fixture.server["/d/x/"] = page(["LICENSE"])
      let outcome = try await walk(fixture) { _ in }
      #expect(outcome.paths == ["README", "x/LICENSE"] && fixture.server.requests.count == 2)
    }
  }

  @Test func whatTakesFilesEndsAWalk() async throws {
    struct Enough: Error {}
    try await KitFixture.use { fixture in
      plant(fixture.server, levels: 3)
      var request = TransferRequest(url: try RequestURL.parse(directory: fixture.server.url("/d/")).url)
      request.proxy = ""
      let tree = TreeRequest(request)
      await #expect(throws: Enough.self) {
        _ = try await fixture.manager.walk(tree) { _ in
          throw Enough()
        } failed: { _ in
        }
      }
      #expect(fixture.server.requests.count == 1)
    }
  }
}
