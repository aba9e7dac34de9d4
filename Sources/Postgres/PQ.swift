// The numbers of libpq's header.

/// Numbers from libpq-fe.h.
enum PQ {
  // ConnStatusType.
  static let connectionOK: CInt = 0
  static let connectionBad: CInt = 1
  // PostgresPollingStatusType.
  static let pollFailed: CInt = 0
  static let pollReading: CInt = 1
  static let pollWriting: CInt = 2
  static let pollOK: CInt = 3
  // ExecStatusType.
  static let emptyQuery: CInt = 0
  static let commandOK: CInt = 1
  static let tuplesOK: CInt = 2
  static let copyOut: CInt = 3
  static let copyIn: CInt = 4
  static let badResponse: CInt = 5
  static let fatalError: CInt = 7
  static let copyBoth: CInt = 8
  static let pipelineSync: CInt = 10
  static let pipelineAborted: CInt = 11
  // PGTransactionStatusType.
  static let transactionIdle: CInt = 0
  // PGVerbosity.
  static let errorsDefault: CInt = 1
  static let errorsVerbose: CInt = 2
  // Fields of errors: letters from postgres_ext.h.
  static let fieldState = CInt(UInt8(ascii: "C"))
  static let fieldMessage = CInt(UInt8(ascii: "M"))
  static let fieldDetail = CInt(UInt8(ascii: "D"))
  static let fieldConstraint = CInt(UInt8(ascii: "n"))
}
