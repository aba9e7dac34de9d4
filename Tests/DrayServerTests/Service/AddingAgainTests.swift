// Completed URLs that aria2's clients add again, and settings of all jobs.

import DrayKit
import FaultServer
import Foundation
import Testing

@testable import DrayServer

@Suite struct AddingAgainTests {
  @Test func aCompleteDownloadIsFetchedAgain() async throws {
    try await Aria2Fixture.use { fixture in
      let (one, two) = (FaultServer.Version.named("v1", size: 1000), FaultServer.Version.named("v2", size: 1500))
      fixture.server["/f"] = .init(one)
      try await fixture.running {
        let first = try await fixture.add("/f")
        try #require(try await fixture.has(first, "complete"))
        fixture.server["/f"] = .init(two)
        let second = try await fixture.add("/f")
        #expect(second != first)
        try #require(try await fixture.has(second, "complete"))
        #expect(one.content.difference(fromFileAt: fixture.directory + "/f") == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory).count == 2)
        // Replaced if the client says so, refused if the client forbids renaming.
        let third = try await fixture.add("/f", #""allow-overwrite":"true""#)
        #expect(third != first && third != second)
        try #require(try await fixture.has(third, "complete"))
        #expect(two.content.difference(fromFileAt: fixture.directory + "/f") == nil)
        fixture.server["/f"] = .init(one)
        let fourth = try await fixture.add("/f", #""auto-file-renaming":"false""#)
        #expect(fourth != third)
        try #require(try await fixture.has(fourth, "error"))
        #expect(Set(try await fixture.gids("tellStopped")) == [first, second, third, fourth])
      }
    }
  }

  @Test func withContinueAFileThatIsCompleteStays() async throws {
    try await Aria2Fixture.use { fixture in
      fixture.server["/f"] = .init(.named("v1", size: 1000))
      try await fixture.running {
        let first = try await fixture.add("/f")
        try #require(try await fixture.has(first, "complete"))
        let second = try await fixture.add("/f", #""continue":"true""#)
        #expect(second != first)
        try #require(try await fixture.has(second, "complete"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory) == ["f"])
      }
    }
  }

  @Test func oneWhoseFileIsGoneIsAnotherJob() async throws {
    try await Aria2Fixture.use { fixture in
      fixture.server["/f"] = .init(.named("v1", size: 1000))
      try await fixture.running {
        let first = try await fixture.add("/f")
        try #require(try await fixture.has(first, "complete"))
        try FileManager.default.removeItem(atPath: fixture.directory + "/f")
        let second = try await fixture.add("/f")
        #expect(second != first)
        try #require(try await fixture.has(second, "complete"))
        #expect(FileManager.default.fileExists(atPath: fixture.directory + "/f"))
      }
    }
  }

  @Test func theDirectoryOfAllIsBelowARoot() async throws {
    try await Aria2Fixture.use { fixture in
      for directory in ["/etc", fixture.directory + "x", "/"] {
        let answer = try await fixture.text("changeGlobalOption", #"{"dir":"\#(directory)"}"#)
        #expect(answer.hasPrefix("!") && answer.contains("not among those"), "\(answer)")
      }
      #expect(try await fixture.text("changeGlobalOption", #"{"dir":"\#(fixture.directory)/below"}"#) == "OK")
      let options = try #require(try await fixture.call("getGlobalOption") as? [String: String])
      #expect(options["dir"] == fixture.directory + "/below")
    }
  }
}
