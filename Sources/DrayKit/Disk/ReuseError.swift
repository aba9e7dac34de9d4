// Why a job takes no bytes from other files before its first request: from another program's partial file, or from seeds.

/// An error while bytes are taken from other files.
enum ReuseError<Refusal: Sendable>: Error {
  /// The files are given up for good.
  case refused(Refusal)
  /// The files are left for a later attempt: the server refuses this request, and perhaps even a request for the whole
  /// file.
  case postponed(Refusal)
  /// The server's file is the version that the job's target has.
  case unchanged
  case failed(Failure)
  case cancelled

  /// Runs `body`; if it fails, the attempt fails.
  static func calling<Value>(_ body: () throws(Failure) -> Value) throws(ReuseError) -> Value {
    do throws(Failure) { return try body() } catch { throw .failed(error) }
  }

  /// Returns the reason to continue without the files, and whether later attempts must not try them either; `nil` if the
  /// attempt was cancelled, or if there is nothing to fetch.
  /// - Throws: The failure of the attempt.
  func refusal() throws(Failure) -> (reason: Refusal, isFinal: Bool)? {
    switch self {
    case .refused(let reason): (reason, true)
    case .postponed(let reason): (reason, false)
    case .failed(let failure): throw failure
    case .cancelled, .unchanged: nil
    }
  }
}

typealias AdoptionError = ReuseError<AdoptionRefusal>
typealias SeedError = ReuseError<SeedRefusal>
