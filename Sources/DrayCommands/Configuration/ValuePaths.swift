internal import DrayDocuments
internal import DrayKit

/// Makes the paths in the configuration file absolute. The beginning `~/` stands for the home directory. A relative
/// path of a file refers to the directory of the configuration, and one of a directory refers to the current directory,
/// as on the command line.
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
