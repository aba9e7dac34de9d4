// The files that are made out of the command line's definition: completions for three shells, and the manual page.

internal import ArgumentParser
internal import DrayKit

struct ReferenceFile: Equatable {
  /// The path below the repository or the package.
  var path: String
  var text: String

  /// All of a program.
  /// - Throws: kind `other` where ArgumentParser's own description of the command cannot be read.
  static func all(_ root: any ParsableCommand.Type) throws(Failure) -> [ReferenceFile] {
    [
      ReferenceFile(path: "completions/dray.bash", text: completion(root, .bash)),
      ReferenceFile(path: "completions/dray.zsh", text: completion(root, .zsh)),
      ReferenceFile(path: "completions/dray.fish", text: completion(root, .fish)),
      ReferenceFile(path: "man/dray.1", text: ManualPage.text(try CommandReference.read(root))),
    ]
  }

  /// One script; it ends with one line end. The generator keeps static state: one call at a time.
  static func completion(_ root: any ParsableCommand.Type, _ shell: CompletionShell) -> String {
    var text = root.completionScript(for: shell)
    while text.hasSuffix("\n") { text.removeLast() }
    return text + "\n"
  }
}
