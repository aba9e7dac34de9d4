// The files that are generated from the definition of the command line: completions for three shells, and the manual
// pages.

internal import ArgumentParser
internal import DrayKit

struct ReferenceFile: Equatable {
  /// The path of the file, relative to the repository or the package.
  var path: String
  var text: String

  /// Returns all generated files of a program.
  /// - Throws: Kind `other` if ArgumentParser's description of the command line cannot be read; otherwise the same
  ///   failures as ``ManualTexts/sections(_:)``.
  static func all(_ root: any ParsableCommand.Type, _ texts: ManualTexts) throws(Failure) -> [ReferenceFile] {
    let pages = try Manual(root: try CommandReference.read(root), texts: texts).pages()
    return [
      ReferenceFile(path: "completions/dray.bash", text: CompletionScript.bash),
      ReferenceFile(path: "completions/dray.zsh", text: CompletionScript.zsh),
      ReferenceFile(path: "completions/dray.fish", text: CompletionScript.fish),
    ] + pages.map { ReferenceFile(path: "man/\($0.file)", text: $0.source) }
  }
}
