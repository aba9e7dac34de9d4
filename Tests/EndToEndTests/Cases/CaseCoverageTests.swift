// Each row of docs/cases.md has a case, or a Swift test if a declaration cannot express it; and every case has a row.

import Foundation
import Testing

@Suite("Case coverage")
struct CaseCoverageTests {
  /// The rows of `docs/cases.md`, each with the path below `Tests` that it links to.
  private static let table: [(row: String, link: String)] = {
    let page = (try? String(contentsOfFile: "\(sources)/../docs/cases.md", encoding: .utf8)) ?? ""
    return page.matches(of: /\| \[([A-Z][0-9]+)\]\(\.\.\/Tests\/([^)]+)\)/).map {
      (String($0.output.1), String($0.output.2))
    }
  }()
  private static let rows = table.map(\.row)

  /// The row in the form in which file names begin: `R04` for R4.
  private static func padded(_ row: String) -> String {
    "\(row.prefix(1))\(row.count == 2 ? "0" : "")\(row.dropFirst())"
  }

  /// Rows that need Swift: the row, the file below `Tests`, the function, and why.
  private static let inSwift: [(row: String, file: String, function: String, why: String)] = [
    ("S5", "EndToEndTests/Secrets/CredentialSecretTests.swift", "hidden", "reads /proc while a transfer is held"),
    ("R37", "EndToEndTests/Schemes/FTPFaultTests.swift", "beginsElsewhere", "speaks FTP"),
    ("R37", "EndToEndTests/Schemes/FTPFaultTests.swift", "smallSize", "speaks FTP"),
    ("D12", "EndToEndTests/Objects/ObjectAwayTests.swift", "unanswered", "a bucket that does not answer"),
    ("D12", "DrayEngineTests/Objects/ObjectConflictTests.swift", "aRepeatedDeleteLooksFirst", "a bucket that lies"),
    ("R42", "EndToEndTests/TLS/StreamTests.swift", "resetStream", "speaks HTTP/2"),
    ("R43", "EndToEndTests/Resume/KillTests.swift", "kill", "killed at random, with the system's buffers counted"),
    ("R43", "EndToEndTests/Resume/KillTests.swift", "journals", "edits the journal that a killed process left"),
    ("R44", "EndToEndTests/TLS/StreamTests.swift", "silentConnection", "speaks HTTP/2"),
    ("H22", "DrayDocumentsTests/Listings/IndexPageTests.swift", "dropped", "a table of links"),
    ("H22", "DrayCoreTests/URL/URLComparingTests.swift", "place", "a table of links"),
    ("N9", "DrayDocumentsTests/Feeds/FeedNamesTests.swift", "names", "a table of feeds"),
    ("N7", "DrayKitTests/Sources/TreeWalkTests.swift", "folds", "few machines have a file system that folds names"),
    ("Q2", "EndToEndTests/Crash/CrashTests.swift", "everyCall", "kills at every call that changes a file"),
    ("Q3", "EndToEndTests/Files/SyncTests.swift", "synced", "checks the order of syncs and names"),
    ("Q4", "EndToEndTests/Process/RunnersTests.swift", "takeOver", "two runners at once, one of them killed"),
    ("Q4", "EndToEndTests/Process/RunnersTests.swift", "stoppedRunner", "a runner that is stopped and continued"),
    ("Q7", "EndToEndTests/Terminal/BarTests.swift", "narrow", "terminals of one column"),
    ("Q9", "EndToEndTests/Store/StoreTests.swift", "manyJobs", "a hundred thousand jobs"),
  ]

  /// The folder of `Tests/Cases` for each letter.
  private static let folders = ["D": "disk", "H": "http", "N": "names", "Q": "queue", "R": "resume", "S": "secrets"]

  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL.path

  @Test("docs/cases.md has each row once, without a gap, with a link to it")
  func page() {
    #expect(Set(Self.rows).count == Self.rows.count)
    for letter in Self.folders.keys {
      let numbers = Self.rows.filter { $0.hasPrefix(letter) }.compactMap { Int($0.dropFirst()) }
      let all = Array(1...max(1, numbers.last ?? 1))
      #expect(!numbers.isEmpty && numbers == all, "rows \(letter) of docs/cases.md")
    }
    for (row, link) in Self.table {
      let folder = "Cases/\(Self.folders[String(row.prefix(1))] ?? "")/\(Self.padded(row))"
      #expect(FileManager.default.fileExists(atPath: "\(Self.sources)/\(link)"), "\(row) links to \(link)")
      #expect(link == folder || Self.inSwift.contains { $0.row == row && $0.file == link }, "\(row) links to \(link)")
    }
  }

  @Test("every row has a case or a test in Swift", arguments: rows)
  func covered(_ row: String) throws {
    let prefix = "\(Self.padded(row))-"
    let isDeclared = CaseName.files.contains { $0.contains("/\(prefix)") && $0.hasSuffix(".toml") }
    #expect(isDeclared || Self.inSwift.contains { $0.row == row }, "no file \(prefix)… in Tests/Cases")
  }

  @Test("the Swift tests that replace cases exist", arguments: inSwift.indices)
  func exists(_ index: Int) throws {
    let entry = Self.inSwift[index]
    let text = try String(contentsOfFile: "\(Self.sources)/\(entry.file)", encoding: .utf8)
    let match = text.firstRange(of: "func \(entry.function)(")
    let start = try #require(match, "\(entry.file) has no \(entry.function) (\(entry.why))").lowerBound
    #expect(text[..<start].suffix(500).contains("@Test"), "\(entry.function) is not a test")
  }

  @Test("every file of the folder is a case, named after its row", arguments: CaseName.all)
  func named(_ name: CaseName) throws {
    let faultCase = try CaseReader.read(name.text(), file: "\(name.name).toml")
    let row = faultCase.row
    #expect(Self.rows.contains(row))
    let prefix = "\(Self.padded(row))-"
    #expect(name.name.hasPrefix(prefix), "\(name.name) is a case of \(row)")
    #expect(name.name.wholeMatch(of: /[A-Z][0-9]{2}(-[a-z0-9]+)+/) != nil)
  }

  @Test("the folder contains nothing else, and each case is in the folder of its row")
  func noStrangers() throws {
    let files = CaseName.files.filter { $0.contains(".") }
    let strangers = files.filter { file in
      let parts = file.split(separator: "/").map(String.init)
      guard parts.count == 3, parts[2].hasSuffix(".toml") else { return true }
      return Self.folders[String(parts[2].prefix(1))] != parts[0] || !parts[2].hasPrefix(parts[1] + "-")
    }
    #expect(strangers == [])
    #expect(files.count > 100)
  }
}
