// Makes safe file names from untrusted suggestions: always one component, always inside the directory (P6).

/// Rules for file names.
package enum FileName {
  /// The maximum length of a name in bytes: 255 minus the space for a number and a suffix.
  package static let limit = 240

  /// The name of the file if the URL has none.
  package static let fallback = "index.html"

  private static let deviceNames: Set<String> = Set(
    ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })

  /// Extensions that belong together with the following one, as in `.tar.gz`.
  private static let innerExtensions: Set<String> = ["tar", "cpio"]

  /// Returns a safe name from the last component of a suggestion; `nil` if nothing of it is left.
  package static func safe(_ raw: String, limit: Int = FileName.limit) -> String? {
    // Split at scalars, not characters: "/" with a joiner is a character different from "/", until the joiner is
    // removed.
    let last = raw.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: isSeparator).last
    return clean(last ?? "".unicodeScalars[...], limit: limit)
  }

  /// Returns the name of the file at a URL's path: the last component, decoded.
  package static func fromURLPath(_ path: String) -> String {
    if let plain = plainName(path) { return plain }
    let last =
      path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? path.utf8[...]
    var bytes: [UInt8] = []
    var rest = Array(last)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.first?.hexValue,
        let low = rest.dropFirst().first?.hexValue
      {
        rest = rest.dropFirst(2)
        bytes.append(high << 4 | low)
      } else {
        bytes.append(byte)
      }
    }
    // An encoded slash is part of the name and must not become a separator.
    let text = TextSafety.decoded(bytes) { "%\(TextSafety.hex($0))" }
    let name = String.UnicodeScalarView(text.unicodeScalars.map { isSeparator($0) ? "_" : $0 })
    return clean(name[...], limit: limit) ?? fallback
  }

  /// Returns the last component if it consists of letters, digits, `.`, `_` and `-`, as most names do. Such a name is
  /// safe.
  private static func plainName(_ path: String) -> String? {
    let bytes = path.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? bytes.startIndex
    let name = bytes[start...]
    guard let first = name.first, first.isLetter || first.isDigit, name.last != UInt8(ascii: "."), name.count <= limit,
      name.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2E || $0 == 0x5F || $0 == 0x2D })
    else { return nil }
    // A name with the length and the first letter of a device name is checked more closely.
    let stem = name.prefix { $0 != UInt8(ascii: ".") }.count
    return (stem == 3 || stem == 4) && "aclnp".utf8.contains(first.lowercased) ? nil : String(path[start...])
  }

  /// Returns the `n`-th alternative name for a file: `name.1.ext`.
  package static func numbered(_ name: String, _ n: Int) -> String {
    let (stem, suffix) = parts(name)
    return "\(stem).\(n)\(suffix)"
  }

  /// Returns a name with the day of a time (UTC): `name.2026-02-28.ext`; `nil` for a name without an extension.
  package static func dated(_ name: String, _ seconds: Double) -> String? {
    let (stem, suffix) = parts(name)
    guard !suffix.isEmpty, let day = Int64(exactly: (seconds / 86_400).rounded(.down)) else { return nil }
    let (year, month, date) = HTTPDate.civil(day)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(stem).\(year)-\(two(month))-\(two(date))\(suffix)"
  }

  /// Returns the `n`-th name for a page that arrived in place of a file, of at most 255 bytes: `name.html-instead`,
  /// `name.1.html-instead`.
  package static func instead(of name: String, _ n: Int = 0) -> String {
    let suffix = (n > 0 ? ".\(n)" : "") + ".html-instead"
    return trimmed(name, to: 255 - suffix.utf8.count) + suffix
  }

  /// Splits a name before its extension. The extension includes its dot, and `.tar.gz` stays together.
  static func parts(_ name: String) -> (stem: String, suffix: String) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].utf8.count <= 16 else {
      return (name, "")
    }
    let before = name[..<dot]
    if let inner = before.lastIndex(of: "."), inner > name.startIndex,
      innerExtensions.contains(before[before.index(after: inner)...].lowercased())
    {
      return (String(name[..<inner]), String(name[inner...]))
    }
    return (String(before), String(name[dot...]))
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool { scalar == "/" || scalar == "\\" }

  /// Removes forbidden characters; returns `nil` if nothing is left. This works on scalars, as the kernel and the shell
  /// do: a leading `-` with a combining mark is a different character, but still starts an option.
  private static func clean(_ raw: String.UnicodeScalarView.SubSequence, limit: Int) -> String? {
    var name = String.UnicodeScalarView(raw.filter { !$0.isUnprintable })
    trimEnd(&name)
    name.trimPrefix { $0 == " " }
    // "C:x" is a drive and a name.
    while name.dropFirst().first == ":", let drive = name.first, drive.isASCII, drive.properties.isAlphabetic {
      name.removeFirst(2)
      name.trimPrefix { $0 == " " }
    }
    guard !name.isEmpty else { return nil }
    // The shortened name may be a device name, so check the name after shortening.
    let kept = cut(String(name), limit)
    // The name may begin with hundreds of dots: if only dots fit into the limit, they are removed, and nothing is left.
    guard !kept.isEmpty else { return nil }
    return isSpecial(kept) ? "_" + cut(String(name), limit - 1) : kept
  }

  /// Whether a name is special in a shell, for `ls`, or on Windows.
  private static func isSpecial(_ name: String) -> Bool {
    if let first = name.unicodeScalars.first, [".", "-", "~"].contains(first) { return true }
    let stem = String(name.unicodeScalars.prefix { $0 != "." })
    return deviceNames.contains(stem.trimmingSpaces().lowercased())
  }

  /// Removes dots and spaces at the end, as Windows and its shares do.
  private static func trimEnd(_ name: inout String.UnicodeScalarView) {
    while let last = name.last, last == "." || last == " " { name.removeLast() }
  }

  /// Shortens a name to at most `limit` bytes, at a character boundary before the extension.
  private static func cut(_ name: String, _ limit: Int) -> String {
    guard name.utf8.count > limit else { return name }
    let (stem, suffix) = parts(name)
    let kept = trimmed(stem, to: limit - suffix.utf8.count)
    return kept.isEmpty ? trimmed(name, to: limit) : kept + suffix
  }

  /// Returns the first characters that fit in `room` bytes, without dots and spaces at the end.
  private static func trimmed(_ text: String, to room: Int) -> String {
    var kept = longest(text, within: room) { $0.utf8.count }.unicodeScalars
    // A letter with many combining marks is one character, which may not fit. In that case, keep as many scalars as
    // fit.
    if kept.isEmpty { kept = longest(text.unicodeScalars, within: room) { UTF8.width($0) } }
    trimEnd(&kept)
    return String(kept)
  }

  /// Returns the first elements that fit in `room` bytes.
  private static func longest<Text: RangeReplaceableCollection>(
    _ text: Text, within room: Int, width: (Text.Element) -> Int
  ) -> Text {
    var left = room
    return Text(
      text.prefix { element in
        left -= width(element)
        return left >= 0
      })
  }
}
