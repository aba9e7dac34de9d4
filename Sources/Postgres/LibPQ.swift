// libpq, found at run time. Its functions are declared here by hand, after libpq-fe.h of PostgreSQL 14 and later.

internal import Posix

/// The functions of libpq that are used here, by their names without `PQ`. Connections and results are opaque.
struct LibPQ: @unchecked Sendable {
  typealias Text = UnsafePointer<CChar>
  typealias Texts = UnsafePointer<UnsafePointer<CChar>?>
  typealias Number = @convention(c) (OpaquePointer?) -> CInt
  typealias Named = @convention(c) (OpaquePointer?) -> Text?
  typealias Release = @convention(c) (OpaquePointer?) -> Void

  // Connections.
  let conninfoParse:
    @convention(c) (Text?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> UnsafeMutableRawPointer?
  let conninfo: @convention(c) (OpaquePointer?) -> UnsafeMutableRawPointer?
  let conninfoFree: @convention(c) (UnsafeMutableRawPointer?) -> Void
  let connectStartParams: @convention(c) (Texts?, Texts?, CInt) -> OpaquePointer?
  let connectPoll: Number
  let finish: Release
  let status: Number
  let socket: Number
  let errorMessage: Named
  let host: Named
  let port: Named
  let db: Named
  let user: Named
  let serverVersion: Number
  let backendPID: Number
  let transactionStatus: Number
  let connectionNeedsPassword: Number
  let sslInUse: Number
  let setErrorVerbosity: @convention(c) (OpaquePointer?, CInt) -> CInt
  let setNoticeProcessor:
    @convention(c) (
      OpaquePointer?, (@convention(c) (UnsafeMutableRawPointer?, Text?) -> Void)?, UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer?
  let setnonblocking: @convention(c) (OpaquePointer?, CInt) -> CInt
  let getCancel: @convention(c) (OpaquePointer?) -> OpaquePointer?
  let freeCancel: Release
  let cancel: @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>?, CInt) -> CInt

  // Statements.
  let sendQuery: @convention(c) (OpaquePointer?, Text?) -> CInt
  let sendPrepare: @convention(c) (OpaquePointer?, Text?, Text?, CInt, UnsafePointer<UInt32>?) -> CInt
  let sendDescribePrepared: @convention(c) (OpaquePointer?, Text?) -> CInt
  let sendQueryPrepared:
    @convention(c) (OpaquePointer?, Text?, CInt, Texts?, UnsafePointer<CInt>?, UnsafePointer<CInt>?, CInt) -> CInt
  let flush: Number
  let consumeInput: Number
  let isBusy: Number
  let getResult: @convention(c) (OpaquePointer?) -> OpaquePointer?
  let enterPipelineMode: Number
  let exitPipelineMode: Number
  let pipelineSync: Number
  let notifies: @convention(c) (OpaquePointer?) -> UnsafeMutableRawPointer?
  let putCopyData: @convention(c) (OpaquePointer?, Text?, CInt) -> CInt
  let putCopyEnd: @convention(c) (OpaquePointer?, Text?) -> CInt

  let resultStatus: Number
  let resultErrorMessage: Named
  let resultErrorField: @convention(c) (OpaquePointer?, CInt) -> Text?
  let ntuples: Number
  let nfields: Number
  let fname: @convention(c) (OpaquePointer?, CInt) -> Text?
  let ftype: @convention(c) (OpaquePointer?, CInt) -> UInt32
  let fformat: @convention(c) (OpaquePointer?, CInt) -> CInt
  let cmdStatus: Named
  let cmdTuples: Named
  let getvalue: @convention(c) (OpaquePointer?, CInt, CInt) -> Text?
  let getlength: @convention(c) (OpaquePointer?, CInt, CInt) -> CInt
  let getisnull: @convention(c) (OpaquePointer?, CInt, CInt) -> CInt
  let nparams: Number
  let paramtype: @convention(c) (OpaquePointer?, CInt) -> UInt32
  let clear: Release
  let freemem: @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The version: 150018 for 15.18.
  let version: Int

  static func loaded() throws(PostgresError) -> LibPQ { try library.get() }

  private static let library = Result { () throws(PostgresError) in try LibPQ(fileName) }

  static let fileName = "libpq.so.5"

  init(_ fileName: String) throws(PostgresError) {
    // Never closed: OpenSSL, which it loads, cannot be unloaded.
    guard let file = SharedLibrary(fileName) else {
      throw PostgresError(
        .noLibrary, "PostgreSQL needs the library \(fileName), which is not installed: install libpq5")
    }
    func find<Function>(_ name: String) throws(PostgresError) -> Function {
      guard let symbol = file.symbol(name) else {
        throw PostgresError(
          .noLibrary, "\(fileName) is too old (it lacks \(name)): install libpq5 of PostgreSQL 14 or later")
      }
      return unsafeBitCast(symbol, to: Function.self)
    }
    conninfoParse = try find("PQconninfoParse")
    conninfo = try find("PQconninfo")
    conninfoFree = try find("PQconninfoFree")
    connectStartParams = try find("PQconnectStartParams")
    connectPoll = try find("PQconnectPoll")
    finish = try find("PQfinish")
    status = try find("PQstatus")
    socket = try find("PQsocket")
    errorMessage = try find("PQerrorMessage")
    host = try find("PQhost")
    port = try find("PQport")
    db = try find("PQdb")
    user = try find("PQuser")
    serverVersion = try find("PQserverVersion")
    backendPID = try find("PQbackendPID")
    transactionStatus = try find("PQtransactionStatus")
    connectionNeedsPassword = try find("PQconnectionNeedsPassword")
    sslInUse = try find("PQsslInUse")
    setErrorVerbosity = try find("PQsetErrorVerbosity")
    setNoticeProcessor = try find("PQsetNoticeProcessor")
    setnonblocking = try find("PQsetnonblocking")
    getCancel = try find("PQgetCancel")
    freeCancel = try find("PQfreeCancel")
    cancel = try find("PQcancel")
    sendQuery = try find("PQsendQuery")
    sendPrepare = try find("PQsendPrepare")
    sendDescribePrepared = try find("PQsendDescribePrepared")
    sendQueryPrepared = try find("PQsendQueryPrepared")
    flush = try find("PQflush")
    consumeInput = try find("PQconsumeInput")
    isBusy = try find("PQisBusy")
    getResult = try find("PQgetResult")
    enterPipelineMode = try find("PQenterPipelineMode")
    exitPipelineMode = try find("PQexitPipelineMode")
    pipelineSync = try find("PQpipelineSync")
    notifies = try find("PQnotifies")
    putCopyData = try find("PQputCopyData")
    putCopyEnd = try find("PQputCopyEnd")
    resultStatus = try find("PQresultStatus")
    resultErrorMessage = try find("PQresultErrorMessage")
    resultErrorField = try find("PQresultErrorField")
    ntuples = try find("PQntuples")
    nfields = try find("PQnfields")
    fname = try find("PQfname")
    ftype = try find("PQftype")
    fformat = try find("PQfformat")
    cmdStatus = try find("PQcmdStatus")
    cmdTuples = try find("PQcmdTuples")
    getvalue = try find("PQgetvalue")
    getlength = try find("PQgetlength")
    getisnull = try find("PQgetisnull")
    nparams = try find("PQnparams")
    paramtype = try find("PQparamtype")
    clear = try find("PQclear")
    freemem = try find("PQfreemem")
    let libVersion: @convention(c) () -> CInt = try find("PQlibVersion")
    version = Int(libVersion())
  }
}
