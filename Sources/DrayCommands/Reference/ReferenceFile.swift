// The files that are made out of the command line's definition: completions for three shells, and the manual page.

internal import ArgumentParser
internal import DrayKit

struct ReferenceFile: Equatable {
  /// The path below the repository or the package.
  var path: String
  var text: String

  /// All of them.
  /// - Throws: kind `other` where ArgumentParser's own description of the command cannot be read.
  static func all() throws(Failure) -> [ReferenceFile] {
    [
      ReferenceFile(path: "completions/dray.bash", text: completion(.bash)),
      ReferenceFile(path: "completions/dray.zsh", text: completion(.zsh)),
      ReferenceFile(path: "completions/dray.fish", text: completion(.fish)),
      ReferenceFile(path: "man/dray.1", text: ManualPage.text(try CommandReference.read())),
    ]
  }

  /// One script; it ends with one line end. The generator keeps static state: one call at a time.
  static func completion(_ shell: CompletionShell) -> String {
    var text = DrayRoot.completionScript(for: shell)
    while text.hasSuffix("\n") { text.removeLast() }
    return text + "\n"
  }
}
