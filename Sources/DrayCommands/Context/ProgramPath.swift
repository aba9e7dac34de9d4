// Finds programs as a shell does.

internal import FoundationEssentials
internal import Posix

enum ProgramPath {
  /// Returns the path of a program: the name itself if it contains a slash, otherwise the first match in `PATH`; `nil`
  /// if no directory of `PATH` has it.
  static func find(_ name: String, _ environment: [String: String]) -> String? {
    let places = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let candidates = name.contains("/") ? [name] : places.map { "\($0)/\(name)" }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0) && System.isFile($0) }
  }
}
