// The engine: starts transfers on its loop.

internal import Curl
public import DrayCore

/// Moves files. One engine has one loop thread, and with it one pool of connections and buffers.
public final class Engine: Sendable {
  /// The libcurl in use.
  public static var library: LibraryFacts {
    let all: [(LibCurlFeature, String)] = [
      (.http2, "HTTP2"), (.http3, "HTTP3"), (.ntlm, "NTLM"), (.publicSuffixList, "PSL"), (.negotiate, "SPNEGO"),
      (.brotli, "brotli"), (.zstd, "zstd"), (.asynchronousNames, "AsynchDNS"),
    ]
    return LibraryFacts(
      version: LibCurl.version, tls: LibCurl.tlsLibrary, protocols: Set(LibCurl.protocols),
      features: all.filter { LibCurl.has($0.0) }.map(\.1).sorted(), caFile: LibCurl.caFile,
      caDirectory: LibCurl.caDirectory)
  }

  private let loop: TransferLoop
  private let shared: SharedBox
  private let copies = LocalCopies()
  /// Which hosts are visited over https only.
  let transport: TransportMemory
  /// What requests to some hosts carry beside what they are given.
  let hosts: HostRules

  /// What transfers share, made here and touched on the loop's thread only.
  private final class SharedBox: @unchecked Sendable {
    let memory: SharedMemory

    init(_ connections: ConnectionMemory, limit: Int) { memory = SharedMemory(connections, limit: limit) }
  }

  /// Starts the loop thread.
  /// - Parameters:
  ///   - transport: which hosts are visited over https only.
  ///   - hosts: what requests to some hosts carry beside what they are given.
  ///   - connections: how many connections are worth opening to whom.
  ///   - limit: how many there may be in all; a job has one in any case.
  /// - Throws: ``Failure`` when libcurl cannot be set up.
  public init(
    transport: TransportMemory = TransportMemory(), hosts: HostRules = HostRules(),
    connections: ConnectionMemory = ConnectionMemory(), limit: Int = .max
  ) throws(Failure) {
    (self.transport, self.hosts) = (transport, hosts)
    do throws(CurlError) {
      loop = try TransferLoop(keeping: limit)
    } catch {
      throw Failure(.other, "libcurl", error.message, advice: "free some memory and try again")
    }
    shared = SharedBox(connections, limit: limit)
  }

  /// Starts an attempt.
  /// - Parameter ended: called at its end if ``Transfer/outcome()`` is not awaited; called on the loop's thread, so it
  ///   must return at once. What it starts begins without waking another thread.
  public func start(
    _ plan: TransferPlan, observer: any TransferObserver, ended: (@Sendable (TransferOutcome) -> Void)? = nil
  ) -> Transfer {
    let transfer = Transfer(loop: loop, ended: ended)
    if Scheme(plan.request.url)?.transport == .disk {
      copies.start { LocalCopy.run(plan: plan, outside: transfer, observer: observer, isStopping: $0) }
      return transfer
    }
    var plan = plan
    plan.hosts = hosts
    plan.request.url = transport.upgraded(plan.request.url)
    let id = loop.start { [shared, plan, transport] in
      FileTransfer(
        TransferContext(
          plan: plan, outside: transfer, observer: observer, shared: shared.memory, transport: transport))
    }
    transfer.didStart(id)
    return transfer
  }

  /// Runs any transfer on the loop.
  func run(_ make: @escaping TransferLoop.Maker) { loop.start(make) }

  /// Ends all transfers and the loop thread.
  public func stop() {
    copies.stop()
    loop.stop()
  }
}

extension Engine {
  /// Whether the libcurl in use speaks a scheme.
  public static func supports(_ scheme: AuthenticationOptions.Scheme) -> Bool {
    switch scheme {
    case .basic, .digest, .any: true
    case .ntlm: LibCurl.has(.ntlm)
    case .negotiate: LibCurl.has(.negotiate)
    }
  }
}
