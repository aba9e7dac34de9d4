// The options that only sources use.

internal import DrayCore
package import DrayDocuments

/// How long questions to sources are repeated after temporary failures.
package enum SourcePatience: Sendable {
  /// Not at all: for commands that only show what the server says.
  case none
  /// As long as a user at a terminal waits: a mistyped name of a host is reported at once.
  case atTerminal
  /// As long as a service waits.
  case inBackground

  var policy: RetryPolicy {
    // A server may ask for longer waits than its users expect before anything happens.
    RetryPolicy(
      limit: self == .none ? 0 : 4, wait: 1, cap: 8, maxServerWait: 120, failsFast: self == .atTerminal)
  }
}

/// The user's choices where a name stands for several things.
package struct SourceChoices: Sendable, Hashable {
  /// The platform of an image; `nil` for this machine's.
  package var platform: ImagePlatform?
  /// How long questions are repeated while a server cannot be reached.
  package var patience: SourcePatience = .inBackground

  /// Creates choices; `nil` is the default of each.
  package init(platform: ImagePlatform? = nil) { self.platform = platform }
}
