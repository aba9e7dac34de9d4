// Completed URLs that aria2's clients add again, and settings of all jobs.

import DrayKit
import FaultServer
import Foundation
import Testing

@testable import DrayServer

@Suite struct AddingAgainTests {
  @Test func aCompleteDownloadIsFetchedAgain() async throws {
    try await Aria2House.use { house in
      let (one, two) = (FaultServer.Version.named("v1", size: 1000), FaultServer.Version.named("v2", size: 1500))
      house.server["/f"] = .init(one)
      try await house.running {
        let first = try await house.add("/f")
        try #require(try await house.has(first, "complete"))
        house.server["/f"] = .init(two)
        let second = try await house.add("/f")
        #expect(second != first)
        try #require(try await house.has(second, "complete"))
        #expect(one.content.difference(fromFileAt: house.directory + "/f") == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.directory).count == 2)
        // Replaced if the client says so, refused if the client forbids renaming.
        let third = try await house.add("/f", #""allow-overwrite":"true""#)
        #expect(third != first && third != second)
        try #require(try await house.has(third, "complete"))
        #expect(two.content.difference(fromFileAt: house.directory + "/f") == nil)
        house.server["/f"] = .init(one)
        let fourth = try await house.add("/f", #""auto-file-renaming":"false""#)
        #expect(fourth != third)
        try #require(try await house.has(fourth, "error"))
        #expect(Set(try await house.gids("tellStopped")) == [first, second, third, fourth])
      }
    }
  }

  @Test func withContinueAFileThatIsCompleteStays() async throws {
    try await Aria2House.use { house in
      house.server["/f"] = .init(.named("v1", size: 1000))
      try await house.running {
        let first = try await house.add("/f")
        try #require(try await house.has(first, "complete"))
        let second = try await house.add("/f", #""continue":"true""#)
        #expect(second != first)
        try #require(try await house.has(second, "complete"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.directory) == ["f"])
      }
    }
  }

  @Test func oneWhoseFileIsGoneIsAnotherJob() async throws {
    try await Aria2House.use { house in
      house.server["/f"] = .init(.named("v1", size: 1000))
      try await house.running {
        let first = try await house.add("/f")
        try #require(try await house.has(first, "complete"))
        try FileManager.default.removeItem(atPath: house.directory + "/f")
        let second = try await house.add("/f")
        #expect(second != first)
        try #require(try await house.has(second, "complete"))
        #expect(FileManager.default.fileExists(atPath: house.directory + "/f"))
      }
    }
  }

  @Test func theDirectoryOfAllIsBelowARoot() async throws {
    try await Aria2House.use { house in
      for directory in ["/etc", house.directory + "x", "/"] {
        let answer = try await house.text("changeGlobalOption", #"{"dir":"\#(directory)"}"#)
        #expect(answer.hasPrefix("!") && answer.contains("not among those"), "\(answer)")
      }
      #expect(try await house.text("changeGlobalOption", #"{"dir":"\#(house.directory)/below"}"#) == "OK")
      let options = try #require(try await house.call("getGlobalOption") as? [String: String])
      #expect(options["dir"] == house.directory + "/below")
    }
  }
}
