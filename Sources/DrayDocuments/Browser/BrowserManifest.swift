// The manifest that tells a browser which program dray's extension may start, and the script that it starts.

internal import DrayCore

/// A manifest of native messaging.
package struct BrowserManifest: Sendable, Equatable {
  /// The name by which the extension asks for the program.
  package static let name = "dev.dray.browser"
  package static let fileName = "\(name).json"
  /// The ID that `key` in the extension's manifest gives it in Chromium.
  package static let chromiumID = "kipjceeimpomiagpajmakapkldihnefc"
  package static let firefoxID = "dray@dray.dev"
  /// The maximum length of a manifest in bytes.
  package static let longest = 64 << 10
  private static let origin = (start: "chrome-extension://", end: "/")

  package var family: BrowserKind.Family
  /// The absolute path of the script.
  package var path: String
  /// The IDs of the extensions that may start it.
  package var extensions: [String]

  /// - Parameter others: IDs besides the extension's own; only those of this family count.
  package init(_ family: BrowserKind.Family, path: String, others: [String] = []) {
    (self.family, self.path) = (family, path)
    let own = family == .chromium ? BrowserManifest.chromiumID : BrowserManifest.firefoxID
    extensions = [own] + others.filter { $0 != own && BrowserManifest.family(ofExtension: $0) == family }
  }

  /// Returns the family to which the ID of an extension belongs; `nil` for a text that is no ID.
  package static func family(ofExtension id: String) -> BrowserKind.Family? {
    if id.utf8.count == 32, id.utf8.allSatisfy({ (0x61...0x70).contains($0) }) { return .chromium }
    let isPlain = id.utf8.allSatisfy { byte in
      Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
        || "@._{}-".utf8.contains(byte)
    }
    return isPlain && id.utf8.count <= 80 && (id.contains("@") || id.hasPrefix("{") && id.hasSuffix("}"))
      ? .firefox : nil
  }

  /// Reads a manifest; `nil` if it is not dray's.
  package init?(_ bytes: some Sequence<UInt8>) {
    guard let node = try? JSONNode.parse(bytes, kind: "a manifest"), node["name"]?.string == BrowserManifest.name,
      let path = node["path"]?.string, PathText.name(of: path) == BrowserLauncher.fileName
    else { return nil }
    self.path = path
    if let list = node["allowed_extensions"]?.array {
      (family, extensions) = (.firefox, list.compactMap(\.string))
    } else {
      let (start, end) = BrowserManifest.origin
      family = .chromium
      extensions = (node["allowed_origins"]?.array ?? []).compactMap(\.string).compactMap { origin in
        origin.hasPrefix(start) && origin.hasSuffix(end)
          ? String(origin.dropFirst(start.count).dropLast(end.count)) : nil
      }
    }
  }

  /// The content of the file.
  package var text: String {
    var json = JSONText()
    json.beginObject()
    json.field("name", BrowserManifest.name)
    json.field("description", "dray, the download manager")
    json.field("path", path)
    json.field("type", "stdio")
    json.key(family == .firefox ? "allowed_extensions" : "allowed_origins")
    json.beginArray()
    for id in extensions {
      json.value(family == .firefox ? id : BrowserManifest.origin.start + id + BrowserManifest.origin.end)
    }
    json.endArray()
    json.endObject()
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

/// The script that browsers start: a manifest names a file and no arguments.
package struct BrowserLauncher: Sendable, Equatable {
  package static let fileName = "browser-host"
  private static let mark = "# Written by `dray browser install`, removed by `dray browser uninstall`."

  /// The absolute path of dray.
  package var program: String
  /// The options of `dray browser-host`.
  package var words: [String]
  /// The variables that choose another queue or configuration.
  package var environment: [(name: String, value: String)]

  package init(program: String, words: [String] = [], environment: [(name: String, value: String)] = []) {
    (self.program, self.words, self.environment) = (program, words, environment)
  }

  package static func == (one: BrowserLauncher, other: BrowserLauncher) -> Bool { one.text == other.text }

  /// The content of the script.
  package var text: String {
    let variables = environment.map { "export \($0.name)=\(BrowserLauncher.quoted($0.value))\n" }.joined()
    let words = [program, "browser-host"] + words
    // What browsers add (the extension, and switches of their own) is left out.
    return "#!/bin/sh\n\(BrowserLauncher.mark)\n\(variables)exec "
      + words.map(BrowserLauncher.quoted).joined(separator: " ") + "\n"
  }

  /// Whether a file is such a script.
  package static func isOwn(_ text: String) -> Bool { text.hasPrefix("#!/bin/sh\n\(mark)\n") }

  /// Returns the path of the program in a script; `nil` if the script is not dray's.
  package static func program(in text: String) -> String? {
    let start = "exec '"
    guard isOwn(text), let line = text.split(separator: "\n").last, line.hasPrefix(start) else { return nil }
    var rest = line.dropFirst(start.count)
    var path = ""
    while let quote = rest.firstIndex(of: "'") {
      path += rest[..<quote]
      rest = rest[quote...].dropFirst()
      guard rest.hasPrefix(escapedQuote) else { return path }
      path += "'"
      rest = rest.dropFirst(escapedQuote.count)
    }
    return nil
  }

  /// What follows the end of a quotation in the shell, to put a quote into it.
  private static let escapedQuote = "\\''"

  private static func quoted(_ word: String) -> String { "'\(word.replacing("'", with: "'" + escapedQuote))'" }
}
