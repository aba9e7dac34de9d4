// Gives access to the optional parts of a request without unwrapping. A part with only default values is stored as
// `nil`.

extension JobSpecification {
  var authenticationOptions: AuthenticationOptions {
    get { request.authentication ?? AuthenticationOptions() }
    set { request.authentication = newValue == AuthenticationOptions() ? nil : newValue }
  }

  var schemeOptions: SchemeOptions {
    get { request.schemes ?? SchemeOptions() }
    set { request.schemes = newValue == SchemeOptions() ? nil : newValue }
  }

  var cookieOptions: CookieOptions {
    get { request.cookies ?? CookieOptions() }
    set { request.cookies = newValue == CookieOptions() ? nil : newValue }
  }

  var redirectOptions: RedirectOptions {
    get { request.redirects ?? RedirectOptions() }
    set { request.redirects = newValue == RedirectOptions() ? nil : newValue }
  }

  var cachePolicy: CachePolicy {
    get { request.cache ?? CachePolicy() }
    set { request.cache = newValue == CachePolicy() ? nil : newValue }
  }

  var fixedAddresses: [FixedAddress] {
    get { request.addresses ?? [] }
    set { request.addresses = newValue.isEmpty ? nil : newValue }
  }
}
