// The small server of `dray run --metrics`: nothing but figures, for everybody who can connect.

public import DrayCore
public import DrayKit
internal import WebServer

/// A server for `/metrics` and `/health` alone.
///
/// It needs no secret: its answers have no URL, path or name of a file, only origins and counts. Nothing can be changed.
/// The name in `Host` is checked all the same, so that no web page reads the figures by DNS rebinding.
public final class MetricsServer: Sendable {
  public let addresses: [String]
  private let server: WebServer

  /// Starts serving.
  /// - Parameters:
  ///   - address: `ADDRESS:PORT`, `*:PORT`, `localhost:PORT` or `unix:PATH`.
  ///   - names: The names of this machine.
  /// - Throws: ``Failure`` of the kind `usage`, `network` or `file` if it cannot listen.
  public init(
    _ address: String, names: [String], _ manager: DownloadManager, run: @escaping @Sendable () async -> RunMetrics?
  ) throws(Failure) {
    let listeners: [Listener]
    do throws(ListenError) { listeners = try Listener.open(try ListenAddress(address)) } catch {
      throw Failure(error)
    }
    let room = MetricsRoute(manager, run: run)
    let known = Set(names.map { $0.lowercased() })
    var settings = WebServer.Settings { request in
      await room.answer(request) ?? .text(404, "There is only /metrics and /health.")
    }
    settings.standing = SecurityFields.all
    settings.date = { HTTPDate.format($0) }
    settings.screen = { head in
      HostRule.allows(head.fields["Host"], listenerKind: ListenerRule.listenerKind(of: head), names: known)
        ? nil : AccessRefusal.host.response
    }
    addresses = listeners.map(\.name)
    server = WebServer(listeners, settings)
  }

  /// Checks an address without listening.
  /// - Throws: ``Failure`` of the kind `usage`.
  public static func check(_ address: String) throws(Failure) {
    do throws(ListenError) { _ = try ListenAddress(address) } catch { throw Failure(error) }
  }

  public func stop() async { await server.stop() }
}
