// Opens files with the programs that the desktop has for them.

internal import DrayKit
internal import Posix

/// The program that opens files.
enum Opener {
  /// Opens a file or a directory with the program that the desktop has for it.
  /// - Parameter advice: What to do if it fails.
  static func open(_ path: String, _ environment: [String: String], otherwise advice: String) throws(Failure) {
    let opener = try find(environment)
    let status: Int32
    do throws(SystemError) {
      // Standard output is only for results. Therefore the output of the desktop's programs goes to standard error.
      status = try System.run(opener, [opener, path], output: 2)
    } catch {
      throw Failure(.other, opener, "it cannot be started: \(error.text)")
    }
    guard status == 0 else {
      throw Failure(.other, path, "\(opener) could not open it (exit status \(status))", advice: Advice(advice))
    }
  }

  /// - Throws: Kind `other` if there is no such program.
  static func find(_ environment: [String: String]) throws(Failure) -> String {
    let names = ["xdg-open"]
    // As xdg-open does, this code reads BROWSER as a list.
    let browsers = (environment["BROWSER"] ?? "").split(separator: ":").map(String.init)
    if let found = (names + browsers).lazy.compactMap({ ProgramPath.find($0, environment) }).first { return found }
    throw Failure(
      .other, "dray open", "no program that opens files was found",
      advice: "install xdg-utils, or set BROWSER to a program")
  }
}
