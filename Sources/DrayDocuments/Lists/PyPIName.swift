// Names of Python's packages: `pypi:numpy`, `pypi:numpy==2.1`, `pypi:numpy==2.1/*cp312*`.

package import DrayCore

/// The rest of a name with the scheme `pypi`: `PROJECT[==VERSION][/PATTERN]`.
///
/// A list appends its facts about the project after a `#`. A file must have one of the digests in `sha256=…`; the
/// indexes in `index=URL` and `extra=URL` replace those of the environment.
package struct PyPIName: Sendable, Equatable {
  package static let scheme = SourceName.packages

  /// An index that a list names.
  package struct Index: Sendable, Equatable {
    /// Ends with a slash.
    package var url: RequestURL
    /// Whether to query it after the environment's index, instead of in its place.
    package var isExtra: Bool

    /// `nil` for a text that is not an http URL, and for one with a password, because names are shown.
    init?(_ text: String, isExtra: Bool) {
      guard let parsed = try? RequestURL.parse(directory: text), parsed.userInfo == nil,
        parsed.url.scheme.hasPrefix("http")
      else { return nil }
      (url, self.isExtra) = (parsed.url, isExtra)
    }
  }

  /// A prefix of an allowed digest, in base64. It is short enough for a name, and long enough that no other file
  /// matches it.
  struct Pin: Sendable, Equatable {
    var algorithm: DigestAlgorithm
    var start: String
  }

  package var project: String
  package var version: String?
  /// A pattern for names of files. Without one, the files that fit this machine are meant.
  package var pattern: String?
  package var indexes: [Index] = []
  var pins: [Pin] = []

  /// The numbers of characters of a digest in a name, for few and for many digests: 132 and 96 bits.
  private static let longPin = 22, shortPin = 16

  init(project: some StringProtocol, version: String?, hashes: [DigestValue] = [], indexes: [Index] = []) {
    (self.project, self.version, self.indexes) = (String(project), version, indexes)
    let length = hashes.count > 120 ? PyPIName.shortPin : PyPIName.longPin
    pins = hashes.map { Pin(algorithm: $0.algorithm, start: String($0.base64.prefix(length))) }
  }

  /// Reads what follows `pypi:`.
  /// - Throws: ``DocumentError`` with the reason.
  package init(_ rest: String) throws(DocumentError) {
    func wrong(_ reason: String) -> DocumentError { DocumentError("a name of a package", reason) }
    let parts = rest.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    var text = parts[0]
    if let slash = text.firstIndex(of: "/") {
      pattern = String(text[text.index(after: slash)...])
      guard let pattern, (try? PathPattern(pattern)) != nil, !pattern.contains("/") else {
        throw wrong("after the slash must be a pattern for names of files, such as *cp312*")
      }
      text = text[..<slash]
    }
    if let mark = text.firstRange(of: "==") ?? text.firstRange(of: "@") {
      let written = text[mark.upperBound...].trimmingSpaces()
      guard PyPIName.isVersion(written) else {
        throw wrong("\(quote(written)) is not a version: write it like ==2.1.0")
      }
      (version, text) = (String(written), text[..<mark.lowerBound])
    }
    text = text.trimmingSpaces()
    // Extras choose packages that the project needs, none of its own files.
    if text.last == "]", let open = text.firstIndex(of: "[") { text = text[..<open].trimmingSpaces() }
    guard PackageName.isProject(text) else {
      throw wrong("\(quote(text)) is not the name of a package: write it like pypi:numpy==2.1.0")
    }
    project = String(text)
    for pair in parts.count == 2 ? parts[1].split(separator: "&") : [] {
      guard let mark = pair.firstIndex(of: "=") else { throw wrong("\(quote(pair)) has no value") }
      try set(String(pair[..<mark]), String(pair[pair.index(after: mark)...]), wrong)
    }
  }

  private mutating func set(
    _ name: String, _ value: String, _ wrong: (String) -> DocumentError
  ) throws(DocumentError) {
    switch name {
    case "index", "extra":
      guard let index = Index(PyPIName.unescaped(value), isExtra: name == "extra") else {
        throw wrong("\(quote(URLRedaction.redacted(value))) is not the http URL of an index without a password")
      }
      indexes.append(index)
    case "sha256", "sha384", "sha512":
      guard let algorithm = DigestAlgorithm(named: name) else { return }
      for text in value.split(separator: ",") {
        let whole = try? DigestValue.parse("\(algorithm.rawValue)=\(text)")
        let start = whole?.base64 ?? String(text)
        guard start.utf8.count >= PyPIName.shortPin else { throw wrong("\(quote(text)) is not a digest") }
        pins.append(Pin(algorithm: algorithm, start: start))
      }
    default: throw wrong("\(quote(name)) is not known after #")
    }
  }

  /// The path of a project's page, relative to its index.
  package static func page(of project: String) -> String { PackageName.normal(project) + "/" }

  /// The name with its scheme.
  package var source: SourceName {
    var rest = PackageName.normal(project)
    if let version { rest += "==\(version)" }
    if let pattern { rest += "/\(pattern)" }
    var pairs = indexes.map { "\($0.isExtra ? "extra" : "index")=\(PyPIName.escaped($0.url.string))" }
    for algorithm in [DigestAlgorithm.sha256, .sha384, .sha512] {
      let starts = pins.filter { $0.algorithm == algorithm }.map(\.start)
      if !starts.isEmpty {
        pairs.append("\(algorithm.rawValue.filter { $0 != "-" })=\(starts.joined(separator: ","))")
      }
    }
    if !pairs.isEmpty { rest += "#" + pairs.joined(separator: "&") }
    return SourceName(scheme: PyPIName.scheme, rest: rest)
  }

  /// Whether one of the digests is that of a file. Without pins, every file is meant.
  func takes(_ digests: [DigestValue]) -> Bool {
    pins.isEmpty
      || pins.contains { pin in
        digests.contains { $0.algorithm == pin.algorithm && $0.base64.hasPrefix(pin.start) }
      }
  }

  /// Whether a text can be a version. Old packages have versions of any form.
  static func isVersion(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, ListText.isDigit(first) || ListText.isLetter(first), text.utf8.count <= 200
    else {
      return false
    }
    return text.utf8.allSatisfy { ListText.isDigit($0) || ListText.isLetter($0) || "-_.+!".utf8.contains($0) }
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { $0 += $1 == "%" ? "%25" : $1 == "&" ? "%26" : String($1) }
  }

  private static func unescaped(_ text: String) -> String {
    text.split(separator: "%26", omittingEmptySubsequences: false).joined(separator: "&")
      .split(separator: "%25", omittingEmptySubsequences: false).joined(separator: "%")
  }
}
