// Objects of git-lfs as files of a source, so that links that expire are renewed, and header fields with secrets are
// not stored.

internal import DrayDocuments
internal import Synchronization

/// The source of the objects of one repository, for one process. Nobody can name its files.
struct LFSSource: NamedSource {
  static let prefix = "lfs"

  let scheme = LFSSource.prefix
  let server: LFSServer
  let trust: LFSTrust
  /// Asks ``server`` with the checks that are for it. The client of a run has those for the server of a job's object,
  /// and is used only if this one is `nil`.
  var client: (any SourceClient)?
  let links = LFSLinks()

  /// Returns what the job of an object remembers.
  static func reference(to oid: String) -> SourceReference { SourceReference(name: "\(prefix):\(oid)", path: oid) }

  func fields(for url: RequestURL, _ places: TokenPlaces) -> [HeaderField] { links.fields(for: url) }

  func find(_ name: SourceName, _ client: any SourceClient) async throws(Failure) -> SourceAnswer {
    throw Failure(.usage, name.shown, "only git-lfs asks for its objects")
  }

  func renew(_ link: ExpiredLink, _ client: any SourceClient) async throws(Failure) -> SourceAnswer {
    let oid = link.reference.path
    guard let object = links.object(oid) else {
      throw Failure(.usage, TextSafety.escaped(oid), "git-lfs does not want this object now", recovery: .keep)
    }
    switch try await server.outcomes(of: [object], self.client ?? client)[oid] {
    case .action(let action)?:
      // A new link does not change how the server of a job is checked, so it must not lead to one with other checks.
      guard await trust.check(of: action.url) == trust.check(of: link.url) else {
        throw Failure(
          .usage, action.url.origin.description, "git has other settings for the certificate of this server",
          advice: "fetch the object again", recovery: .keep)
      }
      let file = OfferedFile(urls: [action.url], name: oid, size: object.size)
      var answer = SourceAnswer(pinned: link.name, revision: nil, entries: [.init(file, path: oid)])
      answer.hasNewFields = links.put(action, for: object)
      return answer
    case .problem(let problem)?: throw problem.failure(oid)
    case nil: throw LFSProblem(code: 404, message: "the server's answer lacks the object").failure(oid)
    }
  }
}

/// The links of objects with their header fields, which are secrets of this process.
final class LFSLinks: Sendable {
  private struct Link {
    var object: LFSObject
    var action: LFSAction
  }

  private let links = Mutex<[String: Link]>([:])

  func object(_ oid: String) -> LFSObject? { links.withLock { $0[oid]?.object } }

  /// The header fields belong to the whole URL, and so to its origin.
  func fields(for url: RequestURL) -> [HeaderField] {
    links.withLock { links in links.values.first { $0.action.url == url }?.action.headers ?? [] }
  }

  /// Remembers the link of an object.
  /// - Returns: Whether requests to the same URL now have other header fields.
  @discardableResult func put(_ action: LFSAction, for object: LFSObject) -> Bool {
    links.withLock { links in
      let old = links.updateValue(Link(object: object, action: action), forKey: object.oid)?.action
      return old.map { $0.url == action.url && $0.headers != action.headers } ?? false
    }
  }

  /// Forgets the link of an object that has ended.
  func drop(_ oid: String) { links.withLock { _ = $0.removeValue(forKey: oid) } }
}

extension LFSProblem {
  /// The failure of the object's job.
  func failure(_ oid: String) -> Failure {
    let isStatus = (400...599).contains(code)
    return Failure(
      isStatus ? .status : .protocolViolation, "object \(oid)", message, httpStatus: isStatus ? code : nil,
      recovery: .keep)
  }
}
