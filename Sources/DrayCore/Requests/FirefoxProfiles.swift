/// The profiles that a `profiles.ini` names.
package struct FirefoxProfiles: Sendable, Equatable {
  private struct Section: Equatable {
    var title: String
    var values: [String: String] = [:]
  }

  private var sections: [Section] = []

  /// Reads the file. Unknown entries are ignored.
  package init(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline).map({ $0.trimmingSpaces() }) {
      if line.hasPrefix("["), line.hasSuffix("]") {
        sections.append(Section(title: String(line.dropFirst().dropLast())))
      } else if let equals = line.firstIndex(of: "="), !sections.isEmpty, !line.hasPrefix(";"), !line.hasPrefix("#") {
        sections[sections.count - 1].values[String(line[..<equals])] = String(line[line.index(after: equals)...])
      }
    }
  }

  private var profiles: [Section] { sections.filter { $0.title.hasPrefix("Profile") && $0.values["Path"] != nil } }

  /// The names of all profiles.
  package var names: [String] { profiles.compactMap { $0.values["Name"] } }

  /// Returns the path of a profile; it is relative to the file unless it begins with `/`.
  /// - Parameters:
  ///   - name: The name of the profile or of its directory; `nil` for the profile in use: an installation's profile,
  ///     else the default profile, else the first one.
  ///   - hasCookies: Returns whether the profile at a path has cookies. Profiles without cookies are skipped.
  package func path(of name: String?, hasCookies: (String) -> Bool) -> String? {
    var candidates: [String]
    if let name {
      candidates = profiles.filter {
        $0.values["Name"] == name || $0.values["Path"]?.split(separator: "/").last.map(String.init) == name
      }.compactMap { $0.values["Path"] }
    } else {
      candidates = sections.filter { $0.title.hasPrefix("Install") }.compactMap { $0.values["Default"] }
      candidates += profiles.filter { $0.values["Default"] == "1" }.compactMap { $0.values["Path"] }
      candidates += profiles.compactMap { $0.values["Path"] }
    }
    return candidates.first(where: hasCookies)
  }
}
