// Parses the values of `-F` in the forms of curl: `name=text`, `name=@file`, `name=<file`, with parameters after
// semicolons. The code in this file has no effects outside its values.

internal import DrayKit

enum FormPart {
  /// Parses the value of one `-F`.
  /// - Parameter path: Makes a path absolute, and checks that the file can be read. It is not called for `-`.
  /// - Throws: Kind `usage`. The message never contains the text itself, which may be a secret.
  static func parse(_ text: String, path: (String) throws(Failure) -> String) throws(Failure) -> MultipartPart {
    let (name, rest) = try named(text, "--form")
    guard let mark = rest.first, mark == "@" || mark == "<" else {
      let (content, own) = split(rest, keepsUnknown: true)
      return MultipartPart(try head(name, own, fileName: nil, guessed: nil), .text(content))
    }
    let (file, own) = split(rest.dropFirst(), keepsUnknown: false)
    guard !file.isEmpty else { throw OptionValue.bad("--form", "a file name is missing after \(mark)") }
    let isStandardInput = file == "-"
    let content: BodyContent = isStandardInput ? .descriptor(0) : .file(try path(file))
    let shown = PathText.split(file).name
    return MultipartPart(
      mark == "<"
        ? try head(name, own, fileName: nil, guessed: nil)
        : try head(name, own, fileName: shown, guessed: MediaType.guess(fileName: shown)), content)
  }

  /// Parses the value of one `--form-string`, in which nothing after the name is special.
  static func text(_ text: String) throws(Failure) -> MultipartPart {
    let (name, value) = try named(text, "--form-string")
    return .field(name, String(value))
  }

  private static func named(_ text: String, _ option: String) throws(Failure) -> (String, Substring) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw OptionValue.bad(option, "a part needs a name: write it like name=value, name=@file or name=<file")
    }
    return (String(text[..<equals]), text[text.index(after: equals)...])
  }

  private static let words = ["type", "filename", "headers", "header"]

  /// Splits off the parameters, which follow semicolons, from the content. The content and the values of parameters may
  /// be quoted.
  private static func split(
    _ text: Substring, keepsUnknown: Bool
  ) -> (content: String, parameters: [(name: String, value: String)]) {
    var fields = fields(of: text)
    var content = fields.isEmpty ? "" : fields.removeFirst()
    var parameters: [(name: String, value: String)] = []
    for field in fields {
      let trimmed = field.trimmingSpaces()
      let name = trimmed.prefix { $0 != "=" }.lowercased()
      if let last = parameters.indices.last, parameters[last].name == "type", !words.contains(name) {
        // As in curl, a text that follows a media type is a parameter of that type: `;type=text/html;charset=utf-8`.
        parameters[last].value += ";" + field
      } else if let equals = trimmed.firstIndex(of: "="),
        words.contains(trimmed[..<equals].lowercased()) || !keepsUnknown
      {
        parameters.append((trimmed[..<equals].lowercased(), unquoted(trimmed[trimmed.index(after: equals)...])))
      } else if keepsUnknown, parameters.isEmpty {
        content += ";" + field
      } else {
        parameters.append((String(trimmed), ""))
      }
    }
    return (keepsUnknown ? content : unquoted(content[...]), parameters)
  }

  /// Splits a text at its semicolons, except those between quotes.
  private static func fields(of text: Substring) -> [String] {
    var fields = [""]
    var isQuoted = false
    var isEscaped = false
    for character in text {
      if character == ";", !isQuoted {
        fields.append("")
        continue
      }
      if isEscaped {
        isEscaped = false
      } else if character == "\\", isQuoted {
        isEscaped = true
      } else if character == "\"" {
        // A quote begins a quoted text only at the start of a word. Within a word, it is an ordinary character.
        if isQuoted {
          isQuoted = false
        } else if fields.last.map({ $0.isEmpty || $0.hasSuffix("=") }) ?? false {
          isQuoted = true
        }
      }
      fields[fields.count - 1].append(character)
    }
    return fields
  }

  private static func unquoted(_ text: some StringProtocol) -> String {
    guard text.count >= 2, text.first == "\"", text.last == "\"" else { return String(text) }
    var result = ""
    var isEscaped = false
    for character in text.dropFirst().dropLast() {
      if !isEscaped, character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
        isEscaped = false
      }
    }
    return result
  }

  private static func head(
    _ name: String, _ parameters: [(name: String, value: String)], fileName: String?, guessed: String?
  ) throws(Failure) -> MultipartHead {
    var head = MultipartHead(name: name, fileName: fileName, contentType: guessed)
    for (word, value) in parameters {
      switch word {
      case "type":
        let type = value.trimmingSpaces()
        guard MediaType.isValid(String(type)) else {
          throw OptionValue.bad(
            "--form",
            "\(OptionValue.quote(value)) is not a media type: write it like text/plain or text/plain;charset=utf-8")
        }
        head.contentType = String(type)
      case "filename":
        head.fileName = value
      case "headers", "header":
        guard !value.hasPrefix("@"), !value.hasPrefix("<") else {
          throw OptionValue.bad("--form", "headers= needs a line, not a file: write headers=\"Name: value\"")
        }
        let field = try HeaderLine.parse(value, "--form")
        guard !["content-disposition", "content-type"].contains(field.name.lowercased()) else {
          throw OptionValue.bad("--form", "\(field.name) is set otherwise: use ;type= or ;filename=")
        }
        head.headers.append(field)
      default:
        throw OptionValue.bad(
          "--form", "\(OptionValue.quote(word)) is not a parameter of a part: use type=, filename= or headers=")
      }
    }
    return head
  }
}
