// Keeps requests away from refused addresses, even if a name lookup or a redirect leads to them.

internal import Curl
internal import DrayCore
internal import FoundationEssentials
internal import Posix

enum AddressRule {
  /// Checks each address before a connection is made. A proxy connects to the servers itself and checks their
  /// addresses. If there is a proxy, all requests must therefore use it.
  /// - Parameter url: The current URL. After a redirect, its scheme may differ from that of the job's URL, and may have
  ///   another proxy.
  static func apply(_ request: TransferRequest, to url: RequestURL, on handle: EasyHandle) throws(CurlError) {
    var deniesPrivate = request.deniesPrivate ?? false
    if deniesPrivate, usesProxy(request.proxy, for: url.scheme, environment: ProcessInfo.processInfo.environment) {
      try handle.set(.noProxy, "")
      deniesPrivate = false
    }
    let reachesOwnService = request.reachesOwnService ?? false
    guard deniesPrivate || !reachesOwnService else { return }
    handle.objection = { [deniesPrivate] text, port in
      let address = InternetAddress(text, port: UInt16(clamping: port))
      if deniesPrivate, PrivateNetwork.contains(address?.bytes ?? []) {
        return "its name leads to \(text), and this job may not go into private networks"
      }
      guard !reachesOwnService, let address, OwnServices.lead(to: address) else { return nil }
      return "it leads to \(address), where this user's own \(OwnServices.words)"
    }
  }

  /// - Parameters:
  ///   - proxy: The job's own proxy; empty for no proxy, `nil` for that of the environment.
  ///   - scheme: The scheme of the requested URL.
  static func usesProxy(_ proxy: String?, for scheme: String, environment: [String: String]) -> Bool {
    if let proxy { return !proxy.isEmpty }
    // Only the lowercase name is used: libcurl does not read HTTP_PROXY (libcurl-env(3)).
    let names =
      ["\(scheme)_proxy", "all_proxy", "ALL_PROXY"] + (scheme == "http" ? [] : ["\(scheme.uppercased())_PROXY"])
    return names.contains { !(environment[$0] ?? "").isEmpty }
  }
}
