// Sets the options of a request to a server that does not use HTTP.

internal import Curl
internal import DrayCore

enum SourceOptions {
  /// Sets the options that all these protocols share, on a new handle.
  static func apply(
    _ request: TransferRequest, to url: RequestURL, scheme: Scheme, asking ask: Ask, defaultUser: String?,
    on handle: EasyHandle
  ) throws(CurlError) {
    try handle.set(.url, url.string)
    try handle.set(.protocols, scheme.name)
    try handle.set(.fileTime, true)
    try handle.set(.keepAlive, true)
    try? handle.set(.bufferSize, RequestOptions.receiveBuffer)
    if let body = request.body {
      try handle.set(.upload, true)
      try handle.set(.uploadLength, body.length)
    }
    if ask.lower > 0 { try handle.set(.resumeFrom, ask.lower) }
    // Limit the time for each reply in seconds, because stall detection begins only with the file.
    try handle.set(.responseTimeout, max(1, Int(saturating: request.stallTimeout.rounded(.up))))
    // Without a tunnel, an HTTP proxy would fetch the file itself and answer over HTTP.
    try handle.set(.proxyTunnel, true)
    try handle.set(.suppressConnectHeaders, true)
    handle.watchesTunnel = request.proxy != ""
    try RequestOptions.way(request, to: url, on: handle)
    if url.origin == request.url.origin {
      let credentials = NetrcFile.completed(request, for: url).credentials
      if let credentials { try RequestAuthentication.check(credentials) }
      if let user = credentials?.user ?? defaultUser { try handle.set(.userName, user) }
      if let password = credentials?.password { try handle.set(.password, password) }
    }
  }
}
