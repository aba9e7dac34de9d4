// Common expectations about a directory and a program's end.

import FaultServer
import Foundation
import Testing

extension Sandbox {
  /// The names in a directory, hidden ones too.
  func names(in directory: String? = nil) -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: directory ?? downloads)) ?? [])
  }

  /// Names without the random part of temporary files: `.f.UUID.new` is `.f.new`.
  static func plain(_ names: Set<String>) -> Set<String> {
    Set(
      names.map { name in
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 2, parts.last == "new", UUID(uuidString: String(parts[parts.count - 2])) != nil else {
          return name
        }
        return (parts.dropLast(2) + ["new"]).joined(separator: ".")
      })
  }

  /// The mode of the file at `path`; `nil` without one.
  func mode(of path: String) -> Int? {
    ((try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? NSNumber)?.intValue
  }

  /// Expects exactly these files in the download directory, whole and exact, and no part file.
  func expectFiles(
    _ files: [String: Content], _ context: some CustomStringConvertible = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    // A share of a fleet has a mark.
    #expect(names().subtracting([".dray-share"]) == Set(files.keys), "\(context)", sourceLocation: sourceLocation)
    for (name, content) in files {
      let difference = content.difference(fromFileAt: path(name))
      #expect(difference == nil, "\(name): \(context)", sourceLocation: sourceLocation)
    }
  }

  /// Expects that the download directory is empty.
  func expectNoFiles(
    _ context: some CustomStringConvertible = "", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(names().subtracting([".dray-share"]) == [], "\(context)", sourceLocation: sourceLocation)
  }

  /// Expects one part file and nothing else, unreadable to others (P5).
  func expectOnlyPartFile(
    _ context: some CustomStringConvertible = "", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let names = names()
    #expect(
      names.count == 1 && names.allSatisfy(isPartFile), "\(names) \(context)", sourceLocation: sourceLocation)
    for name in names {
      #expect(mode(of: path(name)) == 0o600, "\(name)", sourceLocation: sourceLocation)
    }
  }

  /// Whether `name` is a part file's: `.<UUID>.part`, or with `--part-name visible` `<NAME>.<UUID>.part`.
  func isPartFile(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).suffix(2)
    return parts.count == 2 && name.count > 41 && parts.last == "part"
      && UUID(uuidString: String(parts.first ?? "")) != nil
  }
}

/// Expects the exit status `status`; otherwise shows the program's whole output.
func expect(
  _ finished: Finished, exits status: Int32, saying part: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(finished.exit == .code(status), "\(finished)", sourceLocation: sourceLocation)
  if let part {
    let isSaid = finished.text.localizedCaseInsensitiveContains(part)
    #expect(isSaid, "\"\(part)\" in \(finished)", sourceLocation: sourceLocation)
  }
}
