// The files that are made out of the command line's definition: completions for three shells, and the manual pages.

internal import ArgumentParser
internal import DrayKit

struct ReferenceFile: Equatable {
  /// The path below the repository or the package.
  var path: String
  var text: String

  /// All of a program.
  /// - Throws: kind `other` where ArgumentParser's own description of the command cannot be read, and what
  ///   ``ManualTexts/sections(_:)`` throws.
  static func all(_ root: any ParsableCommand.Type, _ texts: ManualTexts) throws(Failure) -> [ReferenceFile] {
    let pages = try Manual(root: try CommandReference.read(root), texts: texts).pages()
    return [
      ReferenceFile(path: "completions/dray.bash", text: CompletionScript.bash),
      ReferenceFile(path: "completions/dray.zsh", text: CompletionScript.zsh),
      ReferenceFile(path: "completions/dray.fish", text: CompletionScript.fish),
    ] + pages.map { ReferenceFile(path: "man/\($0.file)", text: $0.source) }
  }
}
