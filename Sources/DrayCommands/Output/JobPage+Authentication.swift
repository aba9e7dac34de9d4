// The authentication of a job as `dray show` shows it: the method, but never the secrets.

internal import DrayKit

extension JobPage {
  func addAuthentication(_ options: AuthenticationOptions?, to page: inout Sections) {
    guard let options else { return }
    page.add("authentication", options.scheme?.rawValue)
    page.add("bearer token", options.bearer.map { _ in "…" })
    page.add("certificate", options.clientCertificate)
    page.add("key", options.clientKey)
    page.add("key password", options.clientKeyPassword.map { _ in "…" })
    page.add("pinned key", options.pinnedPublicKey)
    page.add("CA directory", options.caPath)
    page.add("proxy user", options.proxyCredentials.map { "\($0.user):…" })
    page.add("proxy authentication", options.proxyScheme?.rawValue)
  }
}
