// Lies of an episode's servers about ranges and lengths. The answer itself or a digest reveals each of them. Invisible
// lies are not drawn: no client could detect them.

import FaultServer
import Foundation

/// A wrong answer to a request for a range.
enum Lie: String, Sendable, CaseIterable {
  /// The body is the whole file, with its length, while `Content-Range` is the requested range.
  case contradictedLength
  /// The same in chunks: the body is longer than the range.
  case contradictedChunks
  /// `Content-Length` and body are shorter than `Content-Range`.
  case shortLength
  /// `Content-Length` is longer than `Content-Range` and body.
  case longLength
  /// The body is longer than announced.
  case excess
  /// The range begins elsewhere, and says so.
  case shifted
  /// The range says that it begins elsewhere, and does not.
  case mislabelled
  /// A wrong total length.
  case otherTotal
  /// No `Content-Range`.
  case nameless
  /// An invalid `Content-Range`.
  case broken
  /// The range continues beyond the requested end, and says so.
  case pastEnd
  /// All of the file as a 206.
  case fromZero
  /// All of the file as a 200.
  case whole
  /// All of the file as a 200 to a matching `If-Range`.
  case refusedCondition
  /// No validator, where all other answers have one.
  case unidentified
  /// 416.
  case unsatisfied
  /// An unrequested 304 or 412.
  case otherStatus
  /// A multipart body.
  case multipart
  /// An unrequested coding.
  case coded
  /// The right number of other bytes of the file (only if a digest reveals it).
  case otherBytes
  /// A body that switches to another version half-way (only if a digest reveals it).
  case torn
  /// A correct `Content-Digest`, with one wrong byte in the body.
  case corrupt

  private static let brokenRanges = [
    "bytes 9-5/10", "bytes 0-9/5", "bytes */10", "bytes 0-99999999999999999999/5", "lines 1-2/3", "bytes=0-1/2", "",
  ]

  /// Its weight among the lies; 0 if it would be invisible or is impossible.
  func weight(_ question: Question, _ plan: FilePlan) -> Int {
    guard let part = question.part, !part.isEmpty else { return 0 }
    switch self {
    case .contradictedLength: return part.lowerBound > 0 ? 6 : 0
    case .contradictedChunks: return part.lowerBound > 0 && question.isAlone ? 3 : 0
    case .shortLength, .longLength, .mislabelled, .nameless, .broken, .refusedCondition, .multipart, .coded,
      .otherStatus:
      return 1
    case .excess, .fromZero, .whole: return 2
    case .shifted: return part.lowerBound > 0 ? 2 : 0
    case .otherTotal, .unsatisfied: return question.tellsLength ? 1 : 0
    case .pastEnd: return question.isBounded ? 2 : 0
    // A 206 to a date may leave it out (RFC 9110 §15.3.7), and weak validators prove nothing: the lie would be
    // invisible.
    case .unidentified: return question.version.etag?.hasPrefix("\"") ?? false ? 1 : 0
    case .otherBytes: return question.isProved ? 2 : 0
    case .torn: return question.isProved && plan.versions.count > 1 ? 1 : 0
    case .corrupt: return plan.digests == .content ? 4 : 0
    }
  }

  /// The bytes that the answer carries, for its digest.
  func carried(_ question: Question) -> Range<Int64> {
    switch self {
    case .whole, .refusedCondition: 0..<question.content.size
    case .fromZero: 0..<question.carried.upperBound
    default: question.carried
    }
  }

  /// The answer with the lie.
  func answer(_ question: Question, _ plan: FilePlan, _ dice: inout Dice) -> Answer {
    var answer = question.honest
    let part = question.carried
    let size = question.content.size
    switch self {
    case .contradictedLength:
      let start = dice.happens(0.7) ? 0 : dice.place(in: part.lowerBound)
      answer.body = question.bytes(start..<(dice.happens(0.7) ? size : part.upperBound))
      answer.framing = .length
    case .contradictedChunks:
      answer.body = question.bytes(0..<part.upperBound)
      answer.framing = dice.happens(0.5) ? .chunked(.init()) : .close
    case .shortLength:
      answer.body = question.bytes(part.lowerBound..<part.upperBound - dice.place(in: Int64(part.count)))
    case .longLength:
      answer.headers.append("Content-Length: \(part.count + Int(dice.place(in: 100_000)) + 1)")
      answer.bodyCut = Int64(part.count)
      answer.framing = .length
    case .excess:
      answer.excess = Int(dice.place(in: 200_000)) + 1
    case .shifted:
      answer.start = .shifted(dice.happens(0.5) ? 1 + dice.place(in: 5000) : -1 - dice.place(in: part.lowerBound))
    case .mislabelled:
      let start = part.lowerBound + 1
      answer.headers.append(question.contentRange(start..<max(start + 1, part.upperBound)))
    case .otherTotal:
      let other = dice.happens(0.5) ? size + 1 + dice.place(in: 5000) : max(part.upperBound, size - 1)
      answer.headers.append(question.contentRange(part, total: other == size ? size + 1 : other))
    case .nameless:
      answer.without.insert("Content-Range")
    case .broken:
      let text = Self.brokenRanges[Int(dice.place(in: Int64(Self.brokenRanges.count)))]
      answer.headers.append("Content-Range: \(text)")
    case .pastEnd:
      let upper = min(size, part.upperBound + 1 + dice.place(in: 100_000))
      answer.body = question.bytes(part.lowerBound..<upper)
      answer.headers.append(question.contentRange(part.lowerBound..<upper))
    case .fromZero:
      answer.start = .at(0)
    case .whole:
      answer.ignoresRange = true
    case .refusedCondition:
      answer.refusesIfRange = true
    case .unidentified:
      answer.without.formUnion(["ETag", "Last-Modified"])
    case .unsatisfied:
      answer.status = 416
      let total = [size, max(0, size - 1), size + 1 + dice.place(in: 1000)][Int(dice.place(in: 3))]
      answer.headers.append(dice.happens(0.3) ? "Content-Range: bytes */x" : "Content-Range: bytes */\(total)")
      if dice.happens(0.3) { answer.without.insert("Content-Range") }
    case .otherStatus:
      answer.status = dice.happens(0.5) ? 304 : 412
    case .multipart:
      answer.multipart = true
    case .coded:
      answer.headers.append("Content-Encoding: gzip")
    case .otherBytes:
      let start = dice.place(in: size - Int64(part.count) + 1)
      answer.body = question.bytes(start..<start + Int64(part.count))
    case .torn:
      let other = plan.content(Int(dice.place(in: Int64(plan.versions.count))))
      let cut = part.lowerBound + dice.place(in: Int64(part.count))
      var body = question.bytes(part.lowerBound..<cut) + other.bytes(in: cut..<max(cut, part.upperBound))
      body += Array(repeating: 0, count: max(0, part.count - body.count))
      answer.body = body
    case .corrupt:
      var body = question.bytes(part)
      body[Int(dice.place(in: Int64(body.count)))] ^= 1
      answer.body = body
    }
    return answer
  }
}
