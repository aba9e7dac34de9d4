internal import Curl
public import DrayCore

/// Runs transfers on a single loop thread, with one pool of connections and buffers.
public final class Engine: Sendable {
  package static var library: LibraryFacts {
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
  let transport: TransportMemory
  let hosts: HostRules

  /// The memory that transfers share, which is created here but used only on the loop's thread.
  private final class SharedBox: @unchecked Sendable {
    let memory: SharedMemory

    init(_ connections: ConnectionMemory, limit: Int) { memory = SharedMemory(connections, limit: limit) }
  }

  /// - Parameters:
  ///   - transport: Which hosts require https, and which origins offer HTTP/3.
  ///   - hosts: The settings for hosts that match patterns.
  ///   - connections: The number of connections worth opening to each origin.
  ///   - limit: The maximum number of connections in total. There is always one for each job.
  /// - Throws: ``Failure`` if libcurl cannot be set up.
  package init(
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
  /// - Parameter ended: Called on the loop's thread at the end if nobody awaits ``Transfer/outcome()``. It must return
  ///   at once. If it starts further transfers, no other thread has to be woken for them.
  public func start(
    _ plan: TransferPlan, observer: any TransferObserver, ended: (@Sendable (TransferOutcome) -> Void)? = nil
  ) -> Transfer {
    let transfer = Transfer(loop: loop, front: plan.front, ended: ended)
    if Scheme(plan.request.url)?.transport == .disk {
      copies.start { LocalCopy.run(plan: plan, outside: transfer, observer: observer, isStopping: $0) }
      return transfer
    }
    plan.front?.pause(keeping: plan.checkpoint.segments.prefix)
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

  /// Creates a transfer for ``start(_:_:opensConnection:owner:)``.
  /// - Parameter ended: Called on the loop's thread at the end, if the transfer has left the batch.
  public func makeTransfer(ended: @escaping @Sendable (TransferOutcome) -> Void) -> Transfer {
    Transfer(loop: loop, ended: ended)
  }

  /// Receives a file that is probably small in memory.
  /// - Parameters:
  ///   - shared: The plan of a plain GET over HTTP that has no bytes on disk, no cookies, no pace, and no rate limit of
  ///     its own.
  ///   - opensConnection: Whether to open a connection, even if an open one has room for a further stream.
  public func start(
    _ transfer: Transfer, _ shared: SharedPlan, opensConnection: Bool, owner: any SmallTransferOwner
  ) {
    let id = loop.start { [box = self.shared, transport, hosts] in
      SmallTransfer(
        shared, opensConnection: opensConnection, transfer, owner, box.memory, transport, hosts)
    }
    transfer.didStart(id)
  }

  /// Limits the number of streams on each connection. Beyond that number, requests wait for a connection that is being
  /// opened, or open one themselves.
  public func limitStreams(to count: Int) { loop.limitStreams(to: count) }

  func run(_ make: @escaping TransferLoop.Maker) { loop.start(make) }

  public func stop() {
    copies.stop()
    loop.stop()
  }
}

extension Engine {
  /// Whether the installed libcurl supports a scheme.
  public static func supports(_ scheme: AuthenticationOptions.Scheme) -> Bool {
    switch scheme {
    case .basic, .digest, .any: true
    case .ntlm: LibCurl.has(.ntlm)
    case .negotiate: LibCurl.has(.negotiate)
    }
  }
}
