internal import DrayCore

/// The settings of an exchange that do not depend on its request.
struct ExchangeTerms {
  var transport: TransportMemory
  /// The settings for hosts that match patterns.
  var hosts: HostRules
  /// The initial cookies, as lines in the Netscape format; with `nil`, no cookies are sent or kept.
  var cookies: [String]?
  var limiters: [RateLimiter] = []
  /// Whether pages that refresh to another URL count as redirects.
  var followsPages = false
  /// Whether a later request will continue the transfer after a stall.
  var isContinued = true
}
