// Codes in comments and test names refer to a promise in docs/reliability.md or to a row in docs/cases.md.

import Foundation
import Testing

@Suite("Marks")
struct MarkTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../..").standardizedFileURL.path
  private static let folders = ["Sources", "Tests", "Examples", "Benchmarks", "scripts", "docs"]
  private static let endings = [".swift", ".c", ".h", ".py", ".sh", ".toml", ".md"]

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }

  private static var files: [String] {
    folders.flatMap { folder in
      ((try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")) ?? []).map { "\(folder)/\($0)" }
    }.filter { file in endings.contains { file.hasSuffix($0) } && !file.hasSuffix("/MarkTests.swift") }
  }

  /// The explaining part of a line: a comment, or the name of a test.
  private static func explanation(_ line: Substring) -> Substring {
    let text = line.drop { $0 == " " }
    if text.hasPrefix("\"") || text.hasPrefix("@Test(\"") || text.hasPrefix("@Suite(\"") || text.hasPrefix("#") {
      return text
    }
    return text.firstRange(of: "//").map { text[$0.lowerBound...] } ?? ""
  }

  /// Whether the line has a letter of a code before a digit. Regular expressions for all lines would take a minute.
  private static func mayHaveCode(_ line: Substring) -> Bool {
    zip(line.utf8, line.utf8.dropFirst()).contains { letter, digit in
      "PRHSNDQ".utf8.contains(letter) && (0x31...0x39).contains(digit)
    }
  }

  @Test("codes in comments are those that docs/ explains")
  func codesResolve() throws {
    let promises = try Self.text("docs/reliability.md").matches(of: /\n\| (P[0-9]+) \|/).map { String($0.output.1) }
    let rows = try Self.text("docs/cases.md").matches(of: /\| \[([A-Z][0-9]+)\]/).map { String($0.output.1) }
    let known = Set(promises + rows)
    #expect(promises.count >= 17 && rows.count >= 73)
    for file in Self.files where !file.hasSuffix(".md") {
      for line in try Self.text(file).split(separator: "\n") where Self.mayHaveCode(line) {
        let codes = Self.explanation(line).matches(of: /\b[PRHSNDQ][1-9][0-9]?\b/).map { String($0.output) }
        let unknown = codes.filter { !known.contains($0) }
        #expect(unknown.isEmpty, "\(file): \(line)")
      }
    }
  }

  @Test("nothing refers to pages and issues that are not in the repository")
  func nothingFromOutside() throws {
    for file in Self.files {
      let text = try Self.text(file)
      #expect(!text.contains("DESIGN") && !text.contains("CASES.md"), "\(file)")
      guard text.lowercased().contains("issue ") || text.contains("item ") else { continue }
      let mark = text.firstMatch(of: /\b[Ii]ssue [0-9]+|\bitem [0-9]+/)
      #expect(mark == nil, "\(file): \(mark.map { String($0.output) } ?? "")")
    }
  }
}
