// The fault matrix: every file of `Tests/Cases` is one case. `DRAY_CASE=R04` runs those whose names begin so.

import Foundation
import Testing

/// The name of a case's file, without what all have.
struct CaseName: Sendable, CustomTestStringConvertible {
  let name: String
  var testDescription: String { name }

  /// The folder of the cases.
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Cases").standardizedFileURL.path

  /// The text of the file.
  func text() throws -> String { try String(contentsOfFile: "\(Self.folder)/\(name).toml", encoding: .utf8) }

  /// All cases, in order.
  static let all: [CaseName] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let wanted = ProcessInfo.processInfo.environment["DRAY_CASE"] ?? ""
    return names.sorted().filter { $0.hasSuffix(".toml") && $0.hasPrefix(wanted) }
      .map { CaseName(name: String($0.dropLast(5))) }
  }()

  /// Whether it mounts something, or does what only root may.
  private var needsRoot: Bool {
    (try? CaseReader.read(text(), file: name))?.needsRoot ?? false
  }

  /// The cases that anybody can run; a tool that one of them lacks is a failure that names it.
  static let ordinary = all.filter { !$0.needsRoot }
  /// The others.
  static let privileged = all.filter(\.needsRoot)
}

@Suite("Fault matrix")
struct CaseTests {
  @Test("a case of the fault matrix", arguments: CaseName.ordinary)
  func play(_ name: CaseName) async throws {
    for complaint in try await CaseRun.complaints(file: "\(name.name).toml", text: name.text()) {
      Issue.record("\(complaint)")
    }
  }

  @Test(
    "a case of the fault matrix that only root can set up", .enabled(if: geteuid() == 0, "it needs root"),
    arguments: CaseName.privileged)
  func playAsRoot(_ name: CaseName) async throws { try await play(name) }
}
