internal import DrayDocuments
internal import DrayKit

/// Resolves paths in the file. `~/` is the home directory. A relative file is beside the configuration, a relative
/// directory is below the current one, as on the command line.
struct ValuePaths {
  var file: String
  var home: String?

  func resolved(_ text: String, _ option: ArgumentReference) -> String {
    option.isPath ? resolved(text, isFile: option.completionKind?.name == "file") : text
  }

  func resolved(_ text: String, isFile: Bool) -> String {
    let text = PathText.homed(text, home: home)
    guard isFile, !text.isEmpty, text != "-", !text.hasPrefix("/"), let slash = file.lastIndex(of: "/") else {
      return text
    }
    return PathText.join(String(file[..<slash]), text)
  }
}
