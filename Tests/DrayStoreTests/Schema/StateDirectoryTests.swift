// The location of the state directory, and the permissions of its files.

import DrayCore
import Foundation
import StoreTesting
import Testing

@testable import DrayStore

@Suite struct StateDirectoryTests {
  @Test(
    arguments: [
      (["DRAY_HOME": "/a", "XDG_STATE_HOME": "/x", "HOME": "/h"], "/p", "/a"),
      (["DRAY_HOME": "", "XDG_STATE_HOME": "/x", "HOME": "/h"], "/p", "/x/dray"),
      (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/p", "/h/.local/state/dray"),
      (["HOME": "/h"], nil, "/h/.local/state/dray"),
      (["HOME": ""], "/p", "/p/.local/state/dray"),
      ([:], "/p", "/p/.local/state/dray"),
    ] as [([String: String], String?, String)])
  func located(environment: [String: String], passwordHome: String?, path: String) throws {
    #expect(
      try StateDirectory.locate(environment: environment, passwordDatabaseHome: { passwordHome }).path == path
    )
  }

  @Test func relativeHomeIsMadeAbsolute() throws {
    let found = try StateDirectory.locate(environment: ["DRAY_HOME": "state"])
    #expect(found.path == FileManager.default.currentDirectoryPath + "/state")
  }

  @Test func nowhere() async {
    let failure = await thrown { _ = try StateDirectory.locate(environment: [:], passwordDatabaseHome: { nil }) }
    #expect(failure?.kind == .store)
    #expect(failure?.subject == "~/.local/state/dray")
    #expect(failure?.advice?.description.contains("the state directory") == true)
  }

  @Test func passwordDatabaseKnowsThisUser() {
    #expect(StateDirectory.passwordDatabaseHome()?.hasPrefix("/") == true)
  }

  @Test func fileInTheWayIsNamed() async throws {
    let state = TemporaryState()
    try Data().write(to: URL(fileURLWithPath: state.directory.path))
    let inside = StateDirectory(path: state.directory.path + "/dray")
    let failure = await thrown { _ = try SQLiteStore.open(inside) }
    #expect(failure?.kind == .store)
    #expect(failure?.subject == state.directory.path)
  }

  @Test("a file in place of the directory is not an empty store", arguments: ["", "/dray", "/a/dray"])
  func lookingNamesTheFileInTheWay(_ below: String) async throws {
    let state = TemporaryState()
    try Data("mine".utf8).write(to: URL(fileURLWithPath: state.directory.path))
    let directory = StateDirectory(path: state.directory.path + below)
    for open in [{ try SQLiteStore.open($0) }, { try SQLiteStore.openIfPresent($0) }]
      as [(StateDirectory) throws -> SQLiteStore?]
    {
      let failure = await thrown { _ = try open(directory) }
      #expect(failure?.kind == .store && failure?.subject == state.directory.path)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: state.directory.path)) == Data("mine".utf8))
  }
}
