// Sets the options of HTTP requests on a handle.

internal import Curl
internal import DrayCore
internal import Posix

enum RequestOptions {
  /// The size of libcurl's receive buffer in bytes, the same as that of a gather buffer (Benchmarks/).
  static let receiveBuffer = GatherBufferPool.bufferSize
  static let userAgent = "dray/\(DrayVersion.text)"

  /// Sets up a new handle for a request to `url`, which may come from a redirect.
  static func apply(
    _ request: TransferRequest, to url: RequestURL, asking ask: Ask, on handle: EasyHandle
  ) throws(CurlError) {
    let request = NetrcFile.completed(request, for: url)
    let fields = RequestFields(request, to: url, asking: ask)
    try handle.set(.url, url.string)
    try handle.set(.protocols, "http,https")
    try handle.set(.followLocation, false)
    try handle.set(.allowHTTP09, false)
    try handle.set(.suppressConnectHeaders, true)
    handle.watchesTunnel = url.scheme == "https" && request.proxy != ""
    switch request.httpVersion {
    case .http11: try handle.set(.httpVersion, HTTPVersionCode.http11)
    case .http3: try handle.set(.httpVersion, HTTPVersionCode.http3)
    case .http2, nil: break
    }
    try handle.set(.keepAlive, true)
    // Over TLS, wait for a connection that is being opened: the handshake soon shows whether it can carry several
    // requests. Without TLS, the request would have to wait until another request is answered.
    try handle.set(.pipeWait, url.scheme == "https")
    // This may fail: a handle that has used HTTP/2 may still have a buffer, which then keeps its size.
    try? handle.set(.bufferSize, receiveBuffer)
    if request.method == "HEAD" {
      try handle.set(.noBody, true)
    } else if request.body != nil || ["POST", "PUT", "PATCH"].contains(request.method) {
      // The length must be sent even if the body is empty (RFC 9110 §8.6).
      try handle.set(.upload, true)
      try handle.set(.uploadLength, request.body?.length ?? 0)
      try handle.set(.method, request.method)
    } else if request.method != "GET" {
      try handle.set(.method, request.method)
    }
    try handle.set(.userAgent, request.userAgent ?? userAgent)
    try handle.set(.referer, fields.referer)
    try handle.set(.cookie, fields.cookie)
    try handle.setHeaders(fields.lines)
    if let signature = fields.signature, let keys = fields.credentials {
      try RequestSignature.apply(signature, keys, on: handle)
    } else {
      try RequestAuthentication.apply(fields, on: handle)
    }
    try way(request, to: url, on: handle)
  }

  /// Sets the connection options that are the same for all schemes: proxy, trust, addresses.
  static func way(_ request: TransferRequest, to url: RequestURL, on handle: EasyHandle) throws(CurlError) {
    try RequestAuthentication.way(request, on: handle)
    if let proxy = request.proxy { try handle.set(.proxy, proxy) }
    try AddressRule.apply(request, to: url, on: handle)
    if let caFile = request.caFile(at: url) { try handle.set(.caFile, caFile) }
    if request.isInsecure {
      try handle.set(.verifyPeer, false)
      try handle.set(.verifyHost, false)
    }
    switch request.addressFamily {
    case .any: break
    case .ipv4: try handle.set(.addressFamily, ResolveFamily.ipv4)
    case .ipv6: try handle.set(.addressFamily, ResolveFamily.ipv6)
    }
    if let addresses = request.addresses { try handle.setConnectTo(addresses.map(\.line)) }
    // File transfers have already chosen one of several interfaces. Other requests use the first that this machine has.
    let interfaces = request.interfaces
    let interface = interfaces.count > 1 ? interfaces.first { LocalPlace($0).isHere } : nil
    if let interface = interface ?? interfaces.first { try handle.set(.interface, interface) }
    try handle.set(.connectTimeoutMilliseconds, max(1, Int(saturating: request.connectTimeout * 1000)))
  }
}
