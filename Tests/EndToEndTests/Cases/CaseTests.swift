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

  /// Whether this machine lacks something that the case needs.
  private var isLacking: Bool {
    guard let draft = try? CaseReader.read(text(), file: name) else { return false }
    var tools = draft.needs
    if draft.tls != nil { tools += ["openssl", "python3"] }
    if draft.disk != nil { tools += ["mount"] }
    let needsRoot = tools.contains("mount") || tools.contains("root")
    return needsRoot && geteuid() != 0 || tools.contains { $0 != "root" && (try? toolPath($0)) == nil }
  }

  /// The cases that can be run here.
  static let runnable = all.filter { !$0.isLacking }
  /// The others.
  static let lacking = all.filter(\.isLacking)
}

@Suite("Fault matrix")
struct CaseTests {
  @Test("a case of the fault matrix", arguments: CaseName.runnable)
  func play(_ name: CaseName) async throws {
    for complaint in try await CaseRun.complaints(file: "\(name.name).toml", text: name.text()) {
      Issue.record("\(complaint)")
    }
  }

  @Test(
    "a case that needs what this machine lacks", .disabled("no root, or a tool is not installed"),
    arguments: CaseName.lacking)
  func skipped(_ name: CaseName) {}
}
