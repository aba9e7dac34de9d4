// Keeps a request out of private networks, wherever its name or a redirect leads.

internal import Curl
internal import DrayCore
internal import FoundationEssentials
internal import Posix

enum PrivateDenial {
  /// Has the address checked of each connection that the request would be sent over. Where a proxy is in use, that connects, and
  /// decides: then all requests must go to it.
  static func apply(_ request: TransferRequest, on handle: EasyHandle) throws(CurlError) {
    if usesProxy(request) {
      try handle.set(.noProxy, "")
    } else {
      handle.refusesAddress = { text in
        PrivateNetwork.contains(InternetAddress(text)?.bytes ?? [])
      }
    }
  }

  private static func usesProxy(_ request: TransferRequest) -> Bool {
    if let proxy = request.proxy { return !proxy.isEmpty }
    let environment = ProcessInfo.processInfo.environment
    let scheme = request.url.scheme
    // libcurl does not read HTTP_PROXY (libcurl-env(3)).
    let names =
      ["\(scheme)_proxy", "all_proxy", "ALL_PROXY"] + (scheme == "http" ? [] : ["\(scheme.uppercased())_PROXY"])
    return names.contains { !(environment[$0] ?? "").isEmpty }
  }
}
