// The numbers with which aria2 names the reason why a job stopped (manual, "EXIT STATUS").

package import DrayCore

/// The value of `errorCode`, and the exit status of aria2c.
package enum Aria2ErrorCode: Int, Sendable {
  case finished = 0
  case unknown = 1
  case notFound = 3
  case network = 6
  /// A signal ended the program before all downloads were complete.
  case unfinished = 7
  case diskFull = 9
  case fileExists = 13
  case file = 17
  case nameResolution = 19
  case badAnswer = 22
  case authentication = 24
  case badOption = 28
  case overloaded = 29
  case removed = 31
  case checksum = 32

  init(_ status: Aria2Status, _ failure: Failure?) {
    self =
      switch status {
      case .removed: .removed
      case .active, .waiting, .paused, .complete: .finished
      case .error: failure.map(Aria2ErrorCode.init) ?? .unknown
      }
  }

  package init(_ failure: Failure) {
    self =
      failure.httpStatus.flatMap { Aria2ErrorCode.byStatus[$0] } ?? failure.obstacle.map { Aria2ErrorCode($0) }
      ?? Aria2ErrorCode.byKind[failure.kind] ?? .unknown
    // A file error after which the job waits means that the disk is full.
    if self == .file, failure.recovery == .wait { self = .diskFull }
    // Among the file errors, only the one for an existing file has advice on this policy.
    if self == .file, failure.advice?.names(.onConflict) ?? false { self = .fileExists }
  }

  /// Creates the code for a server that cannot be reached. aria2 has no code for a refused connection.
  private init(_ obstacle: Failure.Obstacle) {
    switch obstacle {
    case .unresolvedName, .unknownName: self = .nameResolution
    case .refusedPort: self = .unknown
    case .missingInterface: self = .network
    }
  }

  /// The codes for HTTP statuses. Any status that is not listed gives ``badAnswer``. For aria2, the status 403 is a
  /// problem of the link and not of the password.
  private static let byStatus: [Int: Aria2ErrorCode] = [
    401: .authentication, 407: .authentication, 403: .badAnswer, 404: .notFound, 410: .notFound, 429: .overloaded,
    503: .overloaded,
  ]

  private static let byKind: [Failure.Kind: Aria2ErrorCode] = [
    .usage: .badOption, .file: .file, .network: .network, .authentication: .authentication,
    .protocolViolation: .badAnswer, .status: .badAnswer, .integrity: .checksum,
  ]
}
