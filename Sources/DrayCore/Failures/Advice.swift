// What to do next about a failure, in words with references to what each front end calls by a name of its own.

/// What to do next: a clause without a full stop.
///
/// A library does not know whether its user types commands, presses buttons or calls methods. So the words refer to
/// actions and settings by value, and whoever shows them supplies the names:
///
/// ```swift
/// let advice: Advice = "\(.run) continues from there; \(.stallTimeout) sets the limit"
/// advice.description  // another run continues from there; the stall timeout sets the limit
/// ```
public struct Advice: Sendable, Equatable {
  /// Something that can be done.
  public enum Action: String, Sendable, CaseIterable {
    case run, get, getToStandardOutput, list, show, info, wait, sync, version
    case pause, resume, retry, remove, setURL, setOutput
    /// Removes stray part files, those of the argument.
    case clean
    /// Removes stray part files of the job store in the argument.
    case cleanStore

    /// Whether it is done to a job that has to be queued.
    var isOfJob: Bool { [.run, .resume, .retry, .setURL, .setOutput].contains(self) }
  }

  /// Something that can be set.
  public enum Parameter: String, Sendable, CaseIterable {
    case directory, output, onConflict, adopt, ifChanged, checksum, expectType, allowPages, verifyNone, verifyOffered
    case verifyAuto
    case user, bearer, netrc, header, cookie, referer, userAgent
    case proxy, proxyUser, proxyDigest, proxyNegotiate, proxyNTLM
    case digest, negotiate, ntlm, cookieFile, noCookies
    case caCertificate, certificate, key, keyPassword, pinnedKey, hostPublicKey, insecure, ssl, sslRequired
    case awsProfile, awsRegion
    case browserCookies, after, resumeAlways, hookShell
    case maxConcurrent, oneConnection, stallTimeout, maxRetryWait, maxTime, maxSize
    case stateDirectory, ownService
  }

  /// The names that a front end gives to actions and settings.
  public struct Names: Sendable {
    let action: @Sendable (Action, _ argument: String?) -> String
    let setting: @Sendable (Parameter) -> String

    /// - Parameters:
    ///   - action: how an action is called, on the job or the path of `argument` if there is one.
    ///   - setting: how a setting is called.
    public init(
      action: @escaping @Sendable (Action, _ argument: String?) -> String,
      setting: @escaping @Sendable (Parameter) -> String
    ) {
      (self.action, self.setting) = (action, setting)
    }
  }

  /// The words; a reference is `{name}` or `{name argument}`, a brace of the words is doubled.
  private(set) var template: String

  private init(template: String) { self.template = template }

  /// Words without references.
  public init(_ words: String) { template = Advice.escaped(words) }

  /// The words, with the names of a front end.
  public func text(_ names: Names) -> String {
    pieces.map { piece in
      switch piece {
      case .words(let words): words
      case .action(let action, let argument): names.action(action, argument)
      case .setting(let setting): names.setting(setting)
      }
    }.joined()
  }

  /// The advice about a job: what it refers to without an argument, and is done to a job, is done to this one.
  public func naming(_ id: Int64) -> Advice {
    var named = template
    for action in [Action.resume, .retry, .setURL, .setOutput] {
      named = named.replacing("{\(action.rawValue)}", with: "{\(action.rawValue) \(id)}")
    }
    return Advice(template: named)
  }

  /// The advice where there is no job: without the clauses that are about one; `nil` if none is left.
  public var ofNoJob: Advice? {
    let clauses = template.split(separator: "; ").map { Advice(template: String($0)) }
    let kept = clauses.filter { clause in
      !clause.pieces.contains { if case .action(let action, _) = $0 { action.isOfJob } else { false } }
    }
    let left = kept.map(\.template).joined(separator: "; ")
    guard !left.isEmpty else { return nil }
    return Advice(template: left.hasPrefix("else ") ? String(left.dropFirst("else ".utf8.count)) : left)
  }

  /// One after the other.
  public static func + (first: Advice, second: Advice) -> Advice {
    Advice(template: first.template + second.template)
  }

  private enum Piece {
    case words(String)
    case action(Action, String?)
    case setting(Parameter)
  }

  /// What is not a known reference is words: advice may be older or newer than this program.
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

  /// Where a reference ends: at the first brace that is not doubled.
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
  /// Words and references as they are written in a literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var template = ""

    /// Nothing yet.
    public init(literalCapacity: Int, interpolationCount: Int) { template.reserveCapacity(literalCapacity * 2) }

    /// Words as they were written.
    public mutating func appendLiteral(_ literal: String) { template += Advice.escaped(literal) }

    /// An action, on what is meant.
    public mutating func appendInterpolation(_ action: Action) { template += "{\(action.rawValue)}" }

    /// An action on a job.
    public mutating func appendInterpolation(_ action: Action, _ id: Int64) { template += "{\(action.rawValue) \(id)}" }

    /// An action on what is at a path.
    public mutating func appendInterpolation(_ action: Action, at path: String) {
      template += "{\(action.rawValue) \(Advice.escaped(path))}"
    }

    /// A setting.
    public mutating func appendInterpolation(_ setting: Parameter) { template += "{\(setting.rawValue)}" }

    /// Other advice.
    public mutating func appendInterpolation(_ advice: Advice) { template += advice.template }

    /// A number.
    public mutating func appendInterpolation(_ number: some BinaryInteger) { template += "\(number)" }

    /// Words that are computed.
    public mutating func appendInterpolation(_ words: String) { template += Advice.escaped(words) }
  }

  /// Words without references.
  public init(stringLiteral value: String) { self.init(value) }

  /// Words and references.
  public init(stringInterpolation: StringInterpolation) { template = stringInterpolation.template }
}

extension Advice: Codable {
  /// A text. One that an older dray stored has the command line's words instead of references, and is shown as it is.
  public init(from decoder: any Decoder) throws {
    template = try decoder.singleValueContainer().decode(String.self)
  }

  /// A text with its references.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(template)
  }
}

extension Advice: CustomStringConvertible {
  /// The words, in plain English.
  public var description: String { text(.plain) }
}
