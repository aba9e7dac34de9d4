// `dray generate`: writes the completion scripts and the manual pages. It is for dray's repository and for those who
// package dray.

internal import ArgumentParser
internal import DrayKit
internal import Posix

struct Generate: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write completions and the manual page into a directory.", shouldDisplay: false)

  @Argument(
    help: ArgumentHelp("The directory; completions/ and man/ are created in it.", valueName: "dir"),
    completion: .directory)
  var directory: String

  @Option(help: ArgumentHelp("What is written for manual pages.", valueName: "dir"), completion: .directory)
  var texts = "docs/manual"

  func execute() async throws -> ExitStatus {
    for file in try ReferenceFile.all(CommandContext.current.root, ManualTexts(directory: texts)) {
      let path = PathText.join(directory, file.path)
      do throws(SystemError) {
        try System.makeDirectories(PathText.split(path).directory ?? ".")
        System.remove(path)
        let descriptor = try System.create(path, mode: 0o644)
        defer { System.close(descriptor) }
        try System.write(file.text.utf8, to: descriptor)
      } catch {
        throw Failure(.file, path, "it cannot be written: \(error.text)")
      }
      ResultOutput.standard.write(path + "\n")
    }
    return .success
  }
}
