// The fault matrix: every file of `Tests/Cases` is one case. `DRAY_CASE=R04` runs the cases whose names begin so.

import Foundation
import TestSupport
import Testing

/// The name of a case's file, without the common parts.
struct CaseName: Sendable, CustomTestStringConvertible {
  /// The file, below ``folder``.
  let path: String

  /// The name of the file, without its extension: it begins with the row.
  var name: String { String(path.split(separator: "/").last?.dropLast(5) ?? "") }
  var testDescription: String { name }

  /// The folder of the cases.
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Cases").standardizedFileURL.path

  /// The text of the file.
  func text() throws -> String { try String(contentsOfFile: "\(Self.folder)/\(path)", encoding: .utf8) }

  /// All cases, in order; `DRAY_CASE` selects a prefix of their names.
  static let all: [CaseName] = {
    let wanted = ProcessInfo.processInfo.environment["DRAY_CASE"] ?? ""
    return files.filter { $0.hasSuffix(".toml") }.map(CaseName.init).filter { $0.name.hasPrefix(wanted) }
      .sorted { $0.name < $1.name }
  }()

  /// The paths of all files below ``folder``.
  static var files: [String] { (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] }

  /// Whether the case mounts a file system, or needs root's privileges.
  private var needsRoot: Bool {
    (try? CaseReader.read(text(), file: name))?.needsRoot ?? false
  }

  /// The cases that anybody can run. A missing tool is a failure that names the tool.
  static let ordinary = all.filter { !$0.needsRoot }
  /// The cases that only root can run.
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
    "a case of the fault matrix that only root can set up", .needs(.root), arguments: CaseName.privileged)
  func playAsRoot(_ name: CaseName) async throws { try await play(name) }
}
