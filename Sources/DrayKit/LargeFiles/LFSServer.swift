// Asks the server of a repository where objects are.

internal import DrayDocuments
internal import Threads

/// The server with the objects of one repository, and who may ask it.
actor LFSServer {
  private let git: GitRepository
  private let place: LFSServerPlace
  /// The field that git adds to requests to the server; `nil` if there is none.
  private let extraField: HeaderField?
  /// The access that the server gave over ssh.
  private var shellAccess: LFSAction?
  private var credential: GitCredential?
  /// Whether git was told that the server accepts ``credential``.
  private var isApproved = false

  /// An account in a store of secrets may be an old one. It is replaced once.
  private static let mostAccounts = 2
  /// The seconds for which a token from ssh must still be valid.
  private static let margin = 5.0

  init(_ git: GitRepository, _ place: LFSServerPlace, extraField: HeaderField? = nil) {
    (self.git, self.place, self.extraField) = (git, place, extraField)
  }

  /// Returns where objects are.
  /// - Throws: The failure of the question as a whole.
  func outcomes(
    of objects: [LFSObject], _ client: any SourceClient
  ) async throws(Failure) -> [String: LFSOutcome] {
    var accounts = 0
    while true {
      let (root, fields) = try await access()
      guard let url = LFSServerPlace.batch(below: root) else {
        throw Failure(.usage, root.description, "the address of the git-lfs server is too long")
      }
      let used = credential
      let answer = try await client.send(question(url, objects, fields))
      switch answer.head.status {
      case 200...299:
        if let used, used == credential, !isApproved {
          isApproved = true
          await git.judge(used, isAccepted: true)
        }
        return try completed(answer, objects, root)
      case 401:
        accounts += 1
        guard try await hasNewAccess(root, refused: used, accounts) else { throw refusal(answer, url) }
      case 413 where objects.count > 1:
        let half = objects.count / 2
        let first = try await outcomes(of: Array(objects[..<half]), client)
        return first.merging(try await outcomes(of: Array(objects[half...]), client)) { one, _ in one }
      default: throw refusal(answer, url)
      }
    }
  }

  private func question(_ url: RequestURL, _ objects: [LFSObject], _ fields: [HeaderField]) -> SourceQuery {
    var query = SourceQuery(url)
    (query.method, query.accept, query.body) = ("POST", LFSBatch.type, LFSBatch.question(objects))
    query.headers = [HeaderField("Content-Type", LFSBatch.type)] + fields
    query.statuses = [400, 401, 403, 404, 406, 410, 413, 422, 501, 507, 509]
    return query
  }

  /// Returns the root of the API, and the fields that prove who asks.
  private func access() async throws(Failure) -> (RequestURL, [HeaderField]) {
    switch place {
    case .web(let root, let user, let password):
      if let credential { return (root, [HeaderField("Authorization", credential.basic)]) }
      if let user, let password {
        return (root, [HeaderField("Authorization", GitCredential.basic(user, password))])
      }
      return (root, [extraField].compactMap(\.self))
    case .ssh(let shell):
      let now = WallClock.now()
      if let known = shellAccess, known.expiresAt.map({ $0 > now + LFSServer.margin }) ?? true {
        return (known.url, known.headers)
      }
      let program = await git.shellProgram()
      guard let bytes = await git.places.ask(program + shell.arguments, "") else {
        throw Failure(
          .authentication, TextSafety.escaped(shell.host), "ssh did not get a token for objects of git-lfs",
          advice: Advice("try: ssh \(TextSafety.escaped(shell.host)) \(TextSafety.escaped(shell.command))"),
          recovery: .keep)
      }
      do throws(DocumentError) {
        let access = try LFSShell.access(bytes, now: now)
        shellAccess = access
        return (access.url, access.headers)
      } catch {
        throw error.failure(TextSafety.escaped(shell.host), .protocolViolation)
      }
    }
  }

  /// Looks for another proof after a 401.
  /// - Parameter accounts: The number of proofs that were refused for this question.
  private func hasNewAccess(
    _ root: RequestURL, refused: GitCredential?, _ accounts: Int
  ) async throws(Failure) -> Bool {
    if let refused {
      if let credential, credential != refused { return true }  // Another question was faster.
      (credential, isApproved) = (nil, false)
      await git.judge(refused, isAccepted: false)
    }
    guard accounts <= LFSServer.mostAccounts else { return false }
    switch place {
    case .ssh:
      shellAccess = nil
      return accounts == 1
    case .web(_, let user, let password):
      guard password == nil else { return false }
      credential = await git.credential(root, user: user)
      return credential != nil && credential != refused
    }
  }

  private func refusal(_ answer: SourceResponse, _ url: RequestURL) -> Failure {
    let status = answer.head.status
    let words = LFSBatch.words(in: answer.body) ?? StatusRule.name(of: status)
    guard status == 401 || status == 403 else {
      return Failure(
        .status, url.description, "the git-lfs server refuses: \(words)", httpStatus: status, recovery: .keep)
    }
    return Failure(
      .authentication, url.description, "the git-lfs server refuses: \(words)",
      advice: "check the account that `git credential fill` gives for this server", httpStatus: status,
      recovery: .keep)
  }

  private func completed(
    _ answer: SourceResponse, _ objects: [LFSObject], _ root: RequestURL
  ) throws(Failure) -> [String: LFSOutcome] {
    let outcomes: [String: LFSOutcome]
    do throws(DocumentError) {
      outcomes = try LFSBatch.outcomes(of: objects, in: answer.body, base: answer.finalURL, now: WallClock.now())
    } catch {
      throw error.failure(answer.finalURL.description, .protocolViolation)
    }
    return outcomes.mapValues { outcome in
      guard case .action(var action) = outcome, action.url.origin == root.origin else { return outcome }
      let names = Set(action.headers.map { $0.name.lowercased() })
      if !action.isAuthenticated, !names.contains("authorization"), let own = ownAuthorization {
        action.headers.append(own)
      } else if let extraField, !names.contains(extraField.name.lowercased()) {
        action.headers.append(extraField)
      }
      return .action(action)
    }
  }

  /// The field that proves who asks the server itself.
  private var ownAuthorization: HeaderField? {
    if let credential { return HeaderField("Authorization", credential.basic) }
    if case .web(_, let user?, let password?) = place {
      return HeaderField("Authorization", GitCredential.basic(user, password))
    }
    return extraField
  }
}
