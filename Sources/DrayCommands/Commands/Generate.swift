// `dray generate`: writes the completions and the manual page; for dray's own repository and for packagers.

internal import ArgumentParser
internal import DrayKit
import Foundation

struct Generate: DrayCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write completions and the manual page into a directory.", shouldDisplay: false)

  @Argument(
    help: ArgumentHelp("The directory; completions/ and man/ are created in it.", valueName: "dir"),
    completion: .directory)
  var directory: String

  func execute() async throws -> ExitStatus {
    for file in try ReferenceFile.all(DrayRoot.self) {
      let path = Job.join(directory, file.path)
      do {
        try FileManager.default.createDirectory(
          atPath: PathText.split(path).directory ?? ".", withIntermediateDirectories: true)
        try Data(file.text.utf8).write(to: URL(fileURLWithPath: path))
      } catch {
        throw Failure(.file, path, "it cannot be written: \(error.localizedDescription)")
      }
      ResultOutput.standard.write(path + "\n")
    }
    return .success
  }
}
