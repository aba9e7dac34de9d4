// Transfers files without HTTP. The server's facts are converted to a head; everything else is as for HTTP.

internal import Curl
internal import DrayCore
internal import Threads

extension FileTransfer {
  /// Decides what to do once the first byte has arrived or the file is known to be empty.
  func decide(on source: any FileSource, _ facts: SourceFacts) {
    let head = SourceHead.make(source.scheme, asked: current.ask, facts: facts, now: Int64(WallClock.now()))
    exchange.receiver.accept(head)
    decide(head)
  }

  /// Decides what to do if the request ended before the first byte: the file is empty, already complete, or not
  /// available over this protocol.
  func decideWithoutBody(_ source: any FileSource, _ error: CurlError?, _ info: TransferInfo) {
    switch error?.code {
    case nil where requestNow.body != nil:
      version.response = record(ResponseHead(version: source.scheme.name, status: 200))
      exchange.receiver.cut(.answered)
    case nil:
      decide(on: source, source.facts)
    case .badResume?:
      again(.whole, .changed("it is now shorter than the bytes on disk"))
    case .restRefused?, .commandRefused?:
      again(.whole, .rangesNotServed)
    case _?:
      guard let error else { return }
      exchange.receiver.cut(.fail(source.failure(error, subject, info: info)))
    }
  }

  /// Accepts a file that is longer than its server stated. The end of the transfer then decides the length.
  /// - Returns: Whether the answer may continue. An answer that began in the middle may have begun at another position
  ///   than requested.
  func mayOutgrow(_ writer: BodyWriter) -> Bool {
    guard exchange.receiver.source?.showsLengthAtEnd ?? false, let size = version.recorded.size, writer.position > size
    else {
      return true
    }
    guard writer.start == 0 else { return false }
    version.recorded.size = nil
    outside.forgetSize()
    return true
  }
}
