// Advice on a failure: words with references to actions and settings, which each front end replaces by its own names.

/// The next step after a failure: a clause without a full stop.
///
/// A library does not know whether its user types commands, presses buttons or calls methods. The words therefore refer
/// to actions and settings by value, and the front end supplies the names:
///
/// ```swift
/// let advice: Advice = "\(.run) continues from there; \(.stallTimeout) sets the limit"
/// advice.description  // another run continues from there; the stall timeout sets the limit
/// ```
public struct Advice: Sendable, Equatable {
  /// An action that the user can take.
  package enum Action: String, Sendable, CaseIterable {
    case run, get, getToStandardOutput, list, show, info, wait, sync, version
    case pause, resume, retry, remove, setURL, setOutput
    /// Removes stray part files: all of them, or only those at the path in the argument.
    case clean
    /// Removes the stray part files of one job store, whose path is the argument.
    case cleanStore

    var isOfJob: Bool { [.run, .resume, .retry, .setURL, .setOutput].contains(self) }
  }

  /// A setting that the user can change. The raw value is the name of the setting, or of its property.
  package enum Parameter: String, Sendable, CaseIterable {
    case directory = "dir", partDirectory = "temp-dir", output, onConflict, adopt, ifChanged, checksum, expectType
    case allowPages, verifyNone, verifyOffered, verifyAuto
    case user, bearer = "oauth2-bearer", netrc, header, cookie, referer, userAgent
    case proxy, proxyUser, proxyDigest, proxyNegotiate, proxyNTLM
    case digest, negotiate, ntlm, cookieFile, noCookies
    case caCertificate = "cacert", certificate = "cert", key, keyPassword = "pass", pinnedKey = "pinnedpubkey"
    case hostPublicKey = "hostpubsha256", insecure, ssl, sslRequired = "ssl-reqd"
    case awsProfile, awsRegion, endpoint = "endpoint-url", storageClass, encryption = "sse", cannedACL = "acl"
    case uploadMemory
    case browserCookies = "cookies-from-browser", after, resumeAlways, resumeNever, hookShell = "hook-shell"
    case maxConcurrent = "max-concurrent-downloads", oneConnection, stallTimeout, maxRetryWait, maxTime, interface
    case maxSize = "max-filesize", stateDirectory, ownService
    case platform
  }

  /// A front end's names for actions and settings.
  package struct Names: Sendable {
    let action: @Sendable (Action, _ argument: String?) -> String
    let setting: @Sendable (Parameter) -> String

    /// Creates names.
    /// - Parameters:
    ///   - action: Returns the name of an action. If `argument` has a job or a path, the name includes it.
    ///   - setting: Returns the name of a setting.
    package init(
      action: @escaping @Sendable (Action, _ argument: String?) -> String,
      setting: @escaping @Sendable (Parameter) -> String
    ) {
      (self.action, self.setting) = (action, setting)
    }
  }

  /// The words. A reference is `{name}` or `{name argument}`; braces in the words themselves are doubled.
  private(set) var template: String

  private init(template: String) { self.template = template }

  /// Creates advice without references.
  package init(_ words: String) { template = Advice.escaped(words) }

  /// Returns the words with the names of a front end.
  package func text(_ names: Names) -> String {
    pieces.map { piece in
      switch piece {
      case .words(let words): words
      case .action(let action, let argument): names.action(action, argument)
      case .setting(let setting): names.setting(setting)
      }
    }.joined()
  }

  /// Whether the advice mentions a setting.
  package func names(_ setting: Parameter) -> Bool {
    pieces.contains { if case .setting(setting) = $0 { true } else { false } }
  }

  /// Returns this advice for a job. The job becomes the argument of all references that take a job and do not have one
  /// yet.
  package func naming(_ id: Int64) -> Advice {
    var named = template
    for action in [Action.resume, .retry, .setURL, .setOutput] {
      named = named.replacing("{\(action.rawValue)}", with: "{\(action.rawValue) \(id)}")
    }
    return Advice(template: named)
  }

  /// This advice without the clauses that need a job; `nil` if no clause is left.
  package var ofNoJob: Advice? {
    let clauses = template.split(separator: "; ").map { Advice(template: String($0)) }
    let kept = clauses.filter { clause in
      !clause.pieces.contains { if case .action(let action, _) = $0 { action.isOfJob } else { false } }
    }
    let left = kept.map(\.template).joined(separator: "; ")
    guard !left.isEmpty else { return nil }
    return Advice(template: left.hasPrefix("else ") ? String(left.dropFirst("else ".utf8.count)) : left)
  }

  /// Concatenates two pieces of advice.
  public static func + (first: Advice, second: Advice) -> Advice {
    Advice(template: first.template + second.template)
  }

  private enum Piece {
    case words(String)
    case action(Action, String?)
    case setting(Parameter)
  }

  /// The words and references. A reference with an unknown name counts as words, because an older or newer program may
  /// have stored the advice.
  private var pieces: [Piece] {
    var pieces: [Piece] = []
    var words = ""
    var rest = template[...]
    while let character = rest.popFirst() {
      if character == "{" || character == "}", rest.first == character {
        words.append(rest.removeFirst())
      } else if character == "{", let end = Advice.end(of: rest), let reference = Advice.reference(rest[..<end]) {
        if !words.isEmpty { pieces.append(.words(words)) }
        words = ""
        pieces.append(reference)
        rest = rest[rest.index(after: end)...]
      } else {
        words.append(character)
      }
    }
    return words.isEmpty ? pieces : pieces + [.words(words)]
  }

  /// Returns the index of the first single brace, where the words end and a reference begins.
  private static func end(of text: Substring) -> Substring.Index? {
    var index = text.startIndex
    while index < text.endIndex {
      let next = text.index(after: index)
      if text[index] == "}" || text[index] == "{" {
        guard next < text.endIndex, text[next] == text[index] else { return text[index] == "}" ? index : nil }
        index = text.index(after: next)
      } else {
        index = next
      }
    }
    return nil
  }

  private static func reference(_ text: Substring) -> Piece? {
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let argument = parts.count > 1 ? parts[1].replacing("{{", with: "{").replacing("}}", with: "}") : nil
    if let action = Action(rawValue: name) { return .action(action, argument.map { String($0) }) }
    return argument == nil ? Parameter(rawValue: name).map(Piece.setting) : nil
  }

  private static func escaped(_ words: String) -> String {
    words.replacing("{", with: "{{").replacing("}", with: "}}")
  }
}

extension Advice: ExpressibleByStringInterpolation {
  /// The words and references of a literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var template = ""

    /// Creates an empty interpolation.
    public init(literalCapacity: Int, interpolationCount: Int) { template.reserveCapacity(literalCapacity * 2) }

    /// Appends literal words.
    public mutating func appendLiteral(_ literal: String) { template += Advice.escaped(literal) }

    /// Appends an action without an argument.
    package mutating func appendInterpolation(_ action: Action) { template += "{\(action.rawValue)}" }

    /// Appends an action on a job.
    package mutating func appendInterpolation(_ action: Action, _ id: Int64) {
      template += "{\(action.rawValue) \(id)}"
    }

    /// Appends an action on the file or directory at a path.
    package mutating func appendInterpolation(_ action: Action, at path: String) {
      template += "{\(action.rawValue) \(Advice.escaped(path))}"
    }

    /// Appends a setting.
    package mutating func appendInterpolation(_ setting: Parameter) { template += "{\(setting.rawValue)}" }

    /// Appends other advice.
    package mutating func appendInterpolation(_ advice: Advice) { template += advice.template }

    /// Appends a number.
    public mutating func appendInterpolation(_ number: some BinaryInteger) { template += "\(number)" }

    /// Appends computed words.
    public mutating func appendInterpolation(_ words: String) { template += Advice.escaped(words) }
  }

  /// Creates advice without references.
  public init(stringLiteral value: String) { self.init(value) }

  /// Creates advice with references.
  public init(stringInterpolation: StringInterpolation) { template = stringInterpolation.template }
}

extension Advice: Codable {
  /// Decodes a string. Advice from an older dray contains command names instead of references, and is shown unchanged.
  public init(from decoder: any Decoder) throws {
    template = try decoder.singleValueContainer().decode(String.self)
  }

  /// Encodes a string with references.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(template)
  }
}

extension Advice: CustomStringConvertible {
  /// The words, in plain English.
  public var description: String { text(.plain) }
}
