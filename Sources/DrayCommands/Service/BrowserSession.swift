// Exchanges messages with a browser on standard input and output.

internal import DrayDocuments
internal import DrayKit
internal import DrayServer
internal import Posix
internal import Synchronization
internal import Threads

enum BrowserSession {
  typealias Sink = @Sendable (BrowserAnswer) -> Void

  /// Reads messages until the browser closes its end, or until a frame is too long. A signal ends this process at any
  /// moment: what was answered is durable.
  /// - Parameter answer: Carries out the messages that have arrived together.
  static func run(_ answer: @Sendable ([BrowserMessage], @escaping Sink) async -> Void) async -> ExitStatus {
    let reader = BlockingExecutor("dray.browser")
    let isBroken = Mutex(false)
    let send: Sink = { answer in
      guard let frame = MessageFrames.frame(answer.bytes), !isBroken.withLock(\.self) else { return }
      do throws(SystemError) { try System.write(frame, to: 1) } catch { isBroken.withLock { $0 = true } }
    }
    var frames = MessageFrames()
    while !isBroken.withLock(\.self) {
      let read = await reader.attemptRun { () throws(Failure) -> [UInt8] in
        do throws(SystemError) { return try System.readSome(0, limit: 256 << 10) } catch {
          throw Failure(.other, "standard input", error.text)
        }
      }
      guard case .success(let bytes) = read, !bytes.isEmpty else { return .success }
      frames.append(bytes)
      var messages: [BrowserMessage] = []
      do throws(MessageFrames.TooLong) {
        while let message = try frames.next() { messages.append(BrowserMessage(message, now: System.secondsSince1970)) }
      } catch {
        await answer(messages, send)
        let problem = BrowserProblem(
          .invalid, "the message has \(error.length) bytes, and at most \(MessageFrames.longest) are read")
        send(BrowserAnswer(to: nil, refusing: problem))
        return .usage
      }
      await answer(messages, send)
    }
    return .other
  }

  /// Answers each message with the reason why dray cannot be used, so that the extension can show it.
  static func refuse(_ failure: Failure) async -> ExitStatus {
    let problem = BrowserProblem(
      .unavailable, failure.description, advice: failure.advice?.text(.commandLine))
    _ = await run { messages, send in
      for message in messages { send(BrowserAnswer(to: message.id, refusing: problem)) }
    }
    return failure.exitStatus
  }
}
