// An episode's validators and digests of a version, by policies from honest to false.

import FaultServer
import Foundation

/// How a server identifies the versions of a file.
enum ValidatorPolicy: String, Sendable, CaseIterable {
  /// A strong `ETag` for each version.
  case strong
  /// The same, and one `Last-Modified` for all versions, that of the first.
  case both
  /// One strong `ETag` for all versions: a lie.
  case kept
  /// A weak `ETag` for each version.
  case weak
  /// One weak `ETag` for all versions.
  case weakKept
  /// None.
  case none
  /// A `Last-Modified` for each version, hours before `Date`.
  case date
  /// One `Last-Modified` for all versions, hours before `Date`: a lie.
  case dateKept
  /// One `Last-Modified` for all versions, in the second of `Date`: it is visibly no proof.
  case sameSecond
  /// A `Last-Modified` for each version, without `Date`.
  case dateless
  /// A different strong `ETag` in each answer.
  case changing
  /// A strong `ETag` for each version, which some answers leave out.
  case sometimes

  /// Whether it identifies two versions as one.
  var isLie: Bool { self == .kept || self == .dateKept }

  /// Whether versions can be confused when only an overlap is compared.
  var tellsNothing: Bool { [.weakKept, .none, .sameSecond, .sometimes].contains(self) }

  /// The validators of an answer with version `number`.
  /// - Parameters:
  ///   - owner: The prefix of this server's tags.
  ///   - answer: The number of the answer.
  ///   - dice: The source of random properties.
  func word(on number: Int, owner: String, answer: Int, _ dice: inout Dice) -> Word {
    let (tag, all) = ("\"\(owner)v\(number)\"", "\"\(owner)kept\"")
    let (time, first) = (Self.time(number), Self.time(0))
    switch self {
    case .strong: return Word(etag: tag, identity: tag)
    case .both: return Word(etag: tag, lastModified: first, identity: tag)
    case .kept: return Word(etag: all, identity: all)
    case .weak: return Word(etag: "W/" + tag)
    case .weakKept: return Word(etag: "W/" + all)
    case .none: return Word()
    case .date: return Word(lastModified: time, identity: time)
    case .dateKept: return Word(lastModified: first, identity: first)
    case .sameSecond: return Word(lastModified: first, date: "Date: " + first)
    case .dateless: return Word(lastModified: time, hasDate: false)
    case .changing: return Word(etag: "\"\(owner)a\(answer)\"")
    case .sometimes: return Bool.random(using: &dice) ? Word(etag: tag, identity: tag) : Word()
    }
  }

  private static func time(_ number: Int) -> String { "Sat, 01 Feb 2025 0\(number % 10):00:00 GMT" }

  /// The validators of one answer.
  struct Word: Sendable {
    var etag: String?
    var lastModified: String?
    /// The whole field that replaces the usual one.
    var date: String?
    var hasDate = true
    /// The strong validator, if there is one.
    var identity: String?
  }
}

/// The digest of a file that a server states.
enum DigestPolicy: String, Sendable, CaseIterable {
  /// Nothing.
  case none
  /// `Repr-Digest` with each answer.
  case always
  /// `Repr-Digest` in answers with the whole file.
  case whole
  /// `Content-Digest` of the answer's content, a part or the whole.
  case content
  /// A `Repr-Digest` that no version has.
  case wrong
  /// A `Content-Digest` that is wrong for parts.
  case wrongParts

  /// Whether the digest is known when a file is started.
  var proves: Bool { [.always, .whole, .content].contains(self) }

  /// The field of an answer that carries `part` of `content`; nil for none.
  func field(_ content: Content, part: Range<Int64>) -> String? {
    let isWhole = part == 0..<content.size
    switch self {
    case .none: return nil
    case .always: return "Repr-Digest: " + Self.member(content)
    case .whole: return isWhole ? "Repr-Digest: " + Self.member(content) : nil
    case .content: return "Content-Digest: " + Self.member(.fixed(content.bytes(in: part)))
    case .wrong: return "Repr-Digest: " + Self.member(.fixed("nothing".utf8))
    case .wrongParts:
      return isWhole ? nil : "Content-Digest: " + Self.member(.fixed("nothing".utf8))
    }
  }

  private static func member(_ content: Content) -> String {
    "sha-256=:\(Data(Sandbox.digest(of: content)).base64EncodedString()):"
  }
}
