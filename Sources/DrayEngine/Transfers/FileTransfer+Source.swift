// Files that do not come over HTTP: what the server reports of them becomes a head, and from there everything is the same.

internal import Curl
internal import DrayCore
internal import Threads

extension FileTransfer {
  /// Decides on a file whose first byte is here, or which has none.
  func decide(on source: any FileSource, _ facts: SourceFacts) {
    let head = SourceHead.make(source.scheme, asked: hop.ask, facts: facts, now: Int64(WallClock.now()))
    exchange.intake.accept(head)
    decide(head)
  }

  /// The request ended before the first byte of the file: it is empty, or all here already, or cannot be had this way.
  func decideWithoutBody(_ source: any FileSource, _ error: CurlError?, _ info: TransferInfo) {
    switch error?.code {
    case nil where hopRequest.body != nil:
      version.response = record(ResponseHead(version: source.scheme.name, status: 200))
      exchange.intake.cut(.answered)
    case nil:
      decide(on: source, source.facts)
    case .badResume?:
      again(.whole, .changed("it is now shorter than the bytes on disk"))
    case .restRefused?, .commandRefused?:
      again(.whole, .rangesNotServed)
    case _?:
      guard let error else { return }
      exchange.intake.cut(.fail(source.failure(error, subject, info: info)))
    }
  }

  /// Notes that more came than the length that the server gave: it does not know the length, and the end of the transfer decides.
  /// - Returns: whether the answer may go on. One that begins in the middle may have begun elsewhere.
  func mayOutgrow(_ writer: BodyWriter) -> Bool {
    guard exchange.intake.source?.showsLengthAtEnd ?? false, let size = version.recorded.size, writer.position > size
    else {
      return true
    }
    guard writer.start == 0 else { return false }
    version.recorded.size = nil
    outside.forgetSize()
    return true
  }
}
