// `-o - --in-order`: writes a file to a descriptor while it arrives. Each byte is written once, whatever is fetched
// again, and bytes of two versions are never joined (P2).

internal import DrayEngine
internal import Synchronization
internal import Threads

/// The writer for the only job of a queue in memory.
final class InOrderOutput: Sendable {
  /// What to do with the bytes.
  enum Purpose {
    case writing
    /// Only look at the first ones: the file is written when it is complete.
    case looking
  }

  /// The number of first bytes that show whether a file is text.
  private static let look = 2048
  /// The nanoseconds between two looks at a file of which nothing new has arrived.
  private static let pause: UInt64 = 20_000_000

  let front = InOrderProgress()
  private let descriptor: Int32
  private let job: JobSpecification
  private let purpose: Purpose
  private let refusesBinary: Bool
  private let end = EndFlag()
  private let fetcher = BlockingExecutor("dray.fetch")
  private let writer = BlockingExecutor("dray.front")
  /// The length of the file, once it is complete and checked.
  private let size = Mutex<Int64?>(nil)
  private let writing = Mutex<Task<Result<Bool, Failure>, Never>?>(nil)

  /// - Parameter refusesBinary: Whether to refuse a file that is not text by its first bytes.
  init(_ descriptor: Int32, _ job: JobSpecification, _ purpose: Purpose, refusesBinary: Bool) {
    (self.descriptor, self.job, self.purpose, self.refusesBinary) = (descriptor, job, purpose, refusesBinary)
  }

  /// Runs `body`, which fetches the file, and writes what arrives at the same time. If writing ends early, the body's
  /// task is cancelled.
  /// - Parameter output: The writer; `nil` only runs the body.
  /// - Throws: The failure of writing; if there is none, the failure of the body.
  static func run(
    _ output: InOrderOutput?, _ body: @escaping @Sendable () async throws(Failure) -> JobEvent.Kind?
  ) async throws(Failure) -> JobEvent.Kind? {
    guard let output else { return try await body() }
    let fetching = Task(executorPreference: output.fetcher) { () async -> Result<JobEvent.Kind?, Failure> in
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    output.begin { fetching.cancel() }
    let result = await withTaskCancellationHandler {
      await fetching.value
    } onCancel: {
      output.end.isSet = true
      fetching.cancel()
    }
    if case .success(.complete?) = result {} else { try await output.stop() }
    return try result.get()
  }

  /// Writes the rest of the complete file.
  /// - Returns: `false` if the reader has gone, or if the task was cancelled.
  func finish(_ size: Int64) async throws(Failure) -> Bool {
    self.size.withLock { $0 = size }
    guard let writing = writing.withLock(\.self) else { return false }
    return try await withTaskCancellationHandler {
      await writing.value
    } onCancel: {
      end.isSet = true
    }.get()
  }

  /// Ends writing before the file is complete.
  private func stop() async throws(Failure) {
    end.isSet = true
    if case .failure(let failure)? = await writing.withLock(\.self)?.value { throw failure }
  }

  private func begin(_ givenUp: @escaping @Sendable () -> Void) {
    let task = Task(executorPreference: writer) { () async -> Result<Bool, Failure> in
      let result: Result<Bool, Failure>
      do throws(Failure) { result = .success(try await self.write()) } catch { result = .failure(error) }
      if (try? result.get()) != true { givenUp() }
      return result
    }
    writing.withLock { $0 = task }
  }

  private func write() async throws(Failure) -> Bool {
    let pipe = OutputPipe(descriptor, until: end)
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(InOrderRule.block), alignment: 4096)
    defer { block.deallocate() }
    var reader = InOrderReader(front)
    var whole: (file: any StoredBytes, size: Int64)?
    while !end.isSet {
      if whole == nil, let size = size.withLock(\.self) { whole = (try job.openSpooled(), size) }
      switch try Self.next(&reader, into: block, whole: whole) {
      case .wait: try? await Task.sleep(nanoseconds: InOrderOutput.pause)
      case .bytes(let count):
        let bytes = UnsafeRawBufferPointer(rebasing: block[..<count])
        if refusesBinary, reader.count == Int64(count), TextSafety.isBinary(bytes.prefix(InOrderOutput.look)) {
          throw binary
        }
        if purpose == .looking { return true }
        guard try pipe.write(bytes) else { return false }
      case .end: return true
      case .changed: throw changed(after: reader.count)
      }
    }
    return false
  }

  private static func next(
    _ reader: inout InOrderReader, into block: UnsafeMutableRawBufferPointer,
    whole: (file: any StoredBytes, size: Int64)?
  ) throws(Failure) -> InOrderReader.Next {
    do { return try reader.next(into: block, whole: whole) } catch let failure as Failure { throw failure } catch {
      throw Failure(.other, "standard output", "\(error)", advice: "try again")
    }
  }

  private var binary: Failure {
    Failure(
      .usage, job.request.url.description, "it is not text, and would garble the terminal",
      advice: "name a file with \(.output), or send it to a program; \(.output) /dev/stdout prints it all the same",
      recovery: .keep)
  }

  private func changed(after count: Int64) -> Failure {
    Failure(
      .integrity, job.request.url.description,
      "the file changed after \(ByteCount.text(count)) of it were written to standard output",
      advice: "discard them and start again", recovery: .keep)
  }
}
