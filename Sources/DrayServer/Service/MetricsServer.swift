// The small server of `dray run --metrics`, which shows only figures, to everybody who can connect.

package import DrayCore
package import DrayKit
internal import WebServer

/// A server for `/metrics` and `/health` alone.
///
/// It needs no secret, because its answers contain no URL and no path or name of a file, only origins and counts. No
/// request to it can change anything. It checks the name in `Host` nevertheless, so that no web page can read the
/// figures by DNS rebinding.
package final class MetricsServer: Sendable {
  package let addresses: [String]
  private let server: WebServer

  /// Creates a server that listens and answers at once.
  /// - Parameters:
  ///   - address: `ADDRESS:PORT`, `*:PORT`, `localhost:PORT` or `unix:PATH`.
  ///   - names: The names under which the server may be addressed, in addition to `localhost` and addresses.
  /// - Throws: ``Failure`` of the kind `usage` for a wrong address, and of the kind `network` or `file` if the server
  ///   cannot listen.
  package init(
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

  /// Checks whether an address is valid, without listening at it.
  /// - Throws: ``Failure`` of the kind `usage` if the address is not valid.
  package static func check(_ address: String) throws(Failure) {
    do throws(ListenError) { _ = try ListenAddress(address) } catch { throw Failure(error) }
  }

  package func stop() async { await server.stop() }
}
