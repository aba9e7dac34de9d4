// Opens connections.

internal import Posix

/// One call of ``open``, instead of libpq's own blocking function, which does not report the SQLSTATE of a failure, and
/// returns only after the last host.
struct PostgresConnecting {
  private let library: LibPQ
  private let configuration: PostgresConfiguration

  /// Connects to the first host that is up and has the wanted session attributes.
  static func open(_ configuration: PostgresConfiguration, _ library: LibPQ) throws(PostgresError) -> OpaquePointer {
    let connecting = PostgresConnecting(library: library, configuration: configuration)
    try connecting.checkText()
    var hosts: PostgresHosts?
    while true {
      switch try connecting.attempt(hosts) {
      case .connected(let handle): return handle
      case .hung(let message, nil): throw PostgresError(.connectionLost, message)
      case .hung(_, let rest?): hosts = rest
      }
    }
  }

  private enum Outcome {
    case connected(OpaquePointer)
    /// A host did not answer. The given hosts are still to be tried.
    case hung(String, PostgresHosts?)
  }

  /// Checks the syntax of the connection string, so that libpq's message about it can be shown without a password.
  private func checkText() throws(PostgresError) {
    var message: UnsafeMutablePointer<CChar>?
    // As libpq does, take a text without `=` for the name of a database.
    guard PostgresConfiguration.isURI(configuration.connection) || configuration.connection.contains("=") else {
      return
    }
    if let options = library.conninfoParse(configuration.connection, &message) {
      library.conninfoFree(options)
      return
    }
    let text = message.map { String(cString: $0) } ?? "out of memory"
    library.freemem(message)
    throw .mismatch("the connection string of PostgreSQL: " + PostgresText.withoutQuotes(text))
  }

  private func attempt(_ hosts: PostgresHosts?) throws(PostgresError) -> Outcome {
    let parameters = configuration.parameters(replacing: hosts) { System.variable($0) }
    guard let handle = start(parameters) else { throw PostgresError(.other, "out of memory") }
    var isDone = false
    defer { if !isDone { library.finish(handle) } }
    _ = library.setErrorVerbosity(handle, PQ.errorsVerbose)
    // By default libpq prints notices.
    _ = library.setNoticeProcessor(handle, { _, _ in }, nil)
    guard library.status(handle) != PQ.connectionBad else { throw failure(handle) }
    var (host, port) = (text(library.host(handle)), text(library.port(handle)))
    var deadline = System.now + configuration.connectTimeout
    var wanted = Readiness.writable
    while true {
      guard wait(handle, wanted, until: deadline) else {
        let message = "\(host):\(port) did not answer within \(configuration.connectTimeout) s"
        return .hung(message, self.hosts(handle).after(host, port: port))
      }
      switch library.connectPoll(handle) {
      case PQ.pollOK:
        _ = library.setErrorVerbosity(handle, PQ.errorsDefault)
        guard library.setnonblocking(handle, 1) == 0 else { throw failure(handle) }
        isDone = true
        return .connected(handle)
      case PQ.pollReading: wanted = .readable
      case PQ.pollWriting: wanted = .writable
      default: throw failure(handle)
      }
      let now = (text(library.host(handle)), text(library.port(handle)))
      if now != (host, port) { (host, port, deadline) = (now.0, now.1, System.now + configuration.connectTimeout) }
    }
  }

  private func start(_ parameters: [(name: String, value: String)]) -> OpaquePointer? {
    let expandsConnectionString: CInt = 1
    return System.withCTexts(parameters.map(\.name)) { names in
      System.withCTexts(parameters.map(\.value)) { values in
        library.connectStartParams(names, values, expandsConnectionString)
      }
    }
  }

  /// A socket serves one host; the next host has a new one.
  private func wait(_ handle: OpaquePointer, _ wanted: Readiness, until deadline: Double) -> Bool {
    let socket = library.socket(handle)
    // Without a socket, libpq has failed. The next poll reports that.
    guard socket >= 0 else { return true }
    var watch = System.Watch()
    watch.add(socket, wanted)
    while true {
      let rest = deadline - System.now
      guard rest > 0 else { return false }
      watch.wait(rest)
      if watch[0].rawValue != 0 { return true }
    }
  }

  private func failure(_ handle: OpaquePointer) -> PostgresError {
    let (state, message) = PostgresText.withoutState(text(library.errorMessage(handle)))
    if let state { return PostgresError(state: state, message) }
    // libpq takes a piece of a password with an unescaped `/` for a port, and one with `@` for a host.
    if message.hasPrefix("invalid ") { return .mismatch(PostgresText.withoutQuotes(message)) }
    if text(library.host(handle)).contains("@") {
      return PostgresError(.connectionLost, PostgresText.withoutQuotes(message))
    }
    return PostgresError(library.connectionNeedsPassword(handle) == 1 ? .notAuthorised : .connectionLost, message)
  }

  /// The hosts in force, from all sources of libpq.
  private func hosts(_ handle: OpaquePointer) -> PostgresHosts {
    var values: [String: String] = [:]
    if let options = library.conninfo(handle) {
      var option = options.assumingMemoryBound(to: ConnectionOption.self)
      while let keyword = option.pointee.keyword {
        values[String(cString: keyword)] = text(option.pointee.value)
        option += 1
      }
      library.conninfoFree(options)
    }
    return PostgresHosts(
      names: values["host"] ?? "", addresses: values["hostaddr"] ?? "", ports: values["port"] ?? "")
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

  /// libpq's `PQconninfoOption`.
  private struct ConnectionOption {
    var keyword, variable, compiled, value, label, display: UnsafePointer<CChar>?
    var displaySize: CInt
  }
}
