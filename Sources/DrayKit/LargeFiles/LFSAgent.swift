// Transfers objects for git-lfs: reads its lines, answers them, and keeps the queue of the repository.

internal import DrayDocuments
internal import Synchronization

/// The program that git-lfs starts to fetch its objects (a custom transfer agent that needs no help from git-lfs).
///
/// Objects are jobs of a queue in the repository, so that the bytes survive the end of any of the processes. git-lfs
/// hands one object at a time to a process, and starts several processes.
package final class LFSAgent: Sendable {
  private let directory: String
  private let hosts: HostRules
  private let options: JobOptions
  private let places: TokenPlaces
  private let words: @Sendable (Failure) -> String
  private let send: @Sendable (JSONText) -> Void

  /// Creates an agent.
  /// - Parameters:
  ///   - directory: The absolute path of a directory in the repository.
  ///   - hosts: Additional settings for requests to some hosts.
  ///   - options: The settings of all jobs, such as the number of connections.
  ///   - places: Where tokens are; also runs git.
  ///   - words: Returns the one line that describes a failure.
  ///   - send: Writes a line to git-lfs at once. It may be called on any thread.
  package init(
    directory: String, hosts: HostRules = HostRules(), options: JobOptions = JobOptions(),
    places: TokenPlaces = .user,
    words: @escaping @Sendable (Failure) -> String, send: @escaping @Sendable (JSONText) -> Void
  ) {
    (self.directory, self.hosts, self.options, self.places) = (directory, hosts, options, places)
    (self.words, self.send) = (words, send)
  }

  /// Answers lines until git-lfs is done, or until there are no more. Incomplete transfers then stop, and their bytes
  /// are kept.
  /// - Parameter lines: The lines, grouped as they arrived. The objects of one group are requested together.
  package func run(_ lines: AsyncStream<[[UInt8]]>) async {
    var (run, session) = (LFSRun?.none, LFSSession?.none)
    await withTaskGroup(of: Void.self) { tasks in
      reading: for await group in lines {
        var objects: [LFSObject] = []
        for line in group {
          let message: LFSMessage
          do throws(DocumentError) { message = try LFSMessage.parse(line) } catch {
            reply(.refused(problem(error.failure("standard input"))))
            break reading
          }
          switch message {
          case .begin(let begun):
            run = begun
            reply(begun.isUpload ? .refused(problem(LFSAgent.sendsNothing)) : .ready)
          case .download(let object): objects.append(object)
          case .upload(let oid): reply(.failed(oid: oid, problem(LFSAgent.sendsNothing)))
          case .terminate: break reading
          }
        }
        guard !objects.isEmpty else { continue }
        do throws(Failure) {
          let opened = if let session { session } else { try await self.session(run) }
          session = opened
          tasks.addTask { [objects] in await opened.fetch(objects) }
        } catch {
          for object in objects { reply(.failed(oid: object.oid, problem(error))) }
        }
      }
      tasks.cancelAll()
    }
    await session?.end()
  }

  private static let sendsNothing = Failure(
    .usage, "git-lfs", "dray fetches objects, but does not send them",
    advice: "send them with: git -c lfs.standalonetransferagent= push")

  /// Returns the session of a run, which begins with the first object: git-lfs starts more processes than it needs.
  private func session(_ run: LFSRun?) async throws(Failure) -> LFSSession {
    guard let run else { throw Failure(.usage, "standard input", "git-lfs must begin with an init message") }
    let report = LFSReport(send: { [self] in reply($0) }, problem: { [self] in problem($0) })
    let git = GitRepository(directory: directory, places: places)
    return try await LFSSession.open(run, git, hosts, options, report)
  }

  private func reply(_ reply: LFSReply) { send(reply.json) }

  private func problem(_ failure: Failure) -> LFSProblem {
    let code = failure.httpStatus ?? Int(failure.exitStatus.rawValue)
    return LFSProblem(code: code, message: words(failure.ofNoJob))
  }
}

/// How a session answers git-lfs.
struct LFSReport: Sendable {
  var send: @Sendable (LFSReply) -> Void
  var problem: @Sendable (Failure) -> LFSProblem
}

/// The jobs of one group of objects, and what git-lfs was told about them. Each object gets one last answer.
final class LFSProgress: Sendable {
  private struct Entry {
    var object: LFSObject
    var told: Int64 = 0
  }

  private let entries = Mutex<[JobID: Entry]>([:])
  private let report: LFSReport

  init(_ report: LFSReport) { self.report = report }

  var open: [JobID: LFSObject] { entries.withLock { $0.mapValues(\.object) } }

  func add(_ id: JobID, _ object: LFSObject) { entries.withLock { $0[id] = Entry(object: object) } }

  /// Reports bytes on disk. git-lfs adds up the differences, so a count that has decreased is not reported.
  func move(_ id: JobID, to received: Int64) {
    let reply: LFSReply? = entries.withLock { entries in
      guard let entry = entries[id], received > entry.told, received <= entry.object.size else { return nil }
      entries[id]?.told = received
      return .progress(oid: entry.object.oid, received: received, since: received - entry.told)
    }
    if let reply { report.send(reply) }
  }

  func complete(_ id: JobID, path: String) {
    guard let size = entries.withLock({ $0[id]?.object.size }) else { return }
    move(id, to: size)
    guard let entry = entries.withLock({ $0.removeValue(forKey: id) }) else { return }
    report.send(.complete(oid: entry.object.oid, path: path))
  }

  func fail(_ id: JobID, _ failure: Failure) {
    guard let entry = entries.withLock({ $0.removeValue(forKey: id) }) else { return }
    report.send(.failed(oid: entry.object.oid, report.problem(failure)))
  }
}
