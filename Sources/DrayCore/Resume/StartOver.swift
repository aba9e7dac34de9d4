/// The reason why bytes on disk are discarded.
public enum StartOver: Sendable, Equatable {
  /// The server has another version of the file.
  case changed(String)
  /// The server ignores ranges.
  case rangesNotServed
  /// Nothing identifies the version of the bytes on disk.
  case unidentified
  /// The user chose never to resume.
  case asked
  /// The answer to a range request was invalid.
  case badAnswer(String)
  /// A part of the file contradicts its own head. Only the bytes of that part are discarded.
  case wrongPart(String)
  /// The last bytes before an interruption differ from the server's. Only this number of bytes is discarded (P18).
  case wrongTail(Int64)
  /// The bytes on disk are compressed, so the rest cannot be requested.
  case coded([String])
  /// The server answered 416, and the bytes on disk are not the whole file.
  case unsatisfied(String)
  /// The server refuses requests for the rest of the file, with this answer.
  case rangeRefused(String)
  /// The digest of the resumed file is not the expected one.
  case digestMismatch
  /// A web page came instead of the file.
  case pageInstead
  /// The part file is missing, or does not match the record.
  case partFileLost
  /// The object store no longer has the upload, or has parts that differ from the uploaded ones.
  case uploadLost
  /// Another program has taken the key of the upload, and an upload cannot get another key.
  case uploadNameTaken
  /// The upload would replace an object before its own digest is known to be right.
  case uploadUnproved

  /// Whether only some of the bytes on disk are discarded.
  public var isPartial: Bool {
    switch self {
    case .wrongPart, .wrongTail: true
    default: false
    }
  }

  /// Advice on what else the user can do; `nil` if there is nothing.
  public var advice: Advice? {
    if case .unidentified = self { "\(.resumeAlways) compares an overlap instead" } else { nil }
  }

  /// The beginning of the reason after a 416.
  static let unsatisfiedText = "416 to a request for the rest"

  /// The reason as a clause.
  public var text: String {
    switch self {
    case .changed(let how): "the file changed on the server (\(how))"
    case .rangesNotServed: "the server sent the whole file instead of the rest"
    case .unidentified: "the server gives no strong ETag or Last-Modified, so the rest may be of another version"
    case .asked: "the job is never resumed"
    case .badAnswer(let what): "the server's answer to the request for the rest cannot be used (\(what))"
    case .wrongPart(let what):
      "a part of the file does not have the digest that the server gave (\(what)) and is fetched again"
    case .wrongTail(let count):
      "the last \(ByteCount.text(count)) differ from the server's file and are fetched again"
    case .coded(let codings): "compressed bytes (\(codings.joined(separator: ", "))) cannot be continued"
    case .unsatisfied(let what): "\(StartOver.unsatisfiedText) (\(what))"
    case .rangeRefused(let answer): "the server refuses to send a part of the file (\(answer))"
    case .digestMismatch: "the resumed file does not have the expected digest"
    case .pageInstead: "a web page came in the place of the file"
    case .partFileLost: "the part file is missing or was changed by another program"
    case .uploadLost: "the object store no longer has the upload as it was sent"
    case .uploadNameTaken: "the object cannot have the name under which its upload began"
    case .uploadUnproved: "its digest must be right before it replaces the object, so it is uploaded in order"
    }
  }
}
