// A request as it is made of another URL: what is secret stays with its origin (P7).

extension TransferRequest {
  /// This request for another URL. Within its origin it stays as it is. For another one everything is left out that was
  /// meant for the first: fields of the user's own, cookies, `Referer`, user name and password, tokens, certificates, the
  /// body. The way there stays: proxy, trust, addresses, times, and `.netrc`, which has its own hosts.
  public func moved(to other: RequestURL) -> TransferRequest {
    var moved = self
    moved.url = other
    guard other.origin != url.origin else { return moved }
    moved.method = "GET"
    moved.body = nil
    moved.headers = []
    moved.cookie = nil
    moved.referer = nil
    moved.credentials = nil
    moved.signature = nil
    moved.schemes?.hostKey = nil
    moved.authentication?.bearer = nil
    moved.authentication?.scheme = nil
    moved.authentication?.clientCertificate = nil
    moved.authentication?.clientKey = nil
    moved.authentication?.clientKeyPassword = nil
    moved.authentication?.pinnedPublicKey = nil
    return moved
  }
}
