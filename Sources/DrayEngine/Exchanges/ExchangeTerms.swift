internal import DrayCore

/// The settings of an exchange that do not depend on its request.
struct ExchangeTerms {
  var transport: TransportMemory
  /// Settings by patterns of hosts.
  var hosts: HostRules
  /// Initial cookies, as lines in the Netscape format; `nil` sends none and keeps none.
  var cookies: [String]?
  var limiters: [RateLimiter] = []
  /// Whether pages that refresh to another URL count as redirects.
  var followsPages = false
  /// Whether a later request continues after a stall.
  var isContinued = true
}
