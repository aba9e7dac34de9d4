// An exit status that is thrown as an error.

internal import DrayKit

/// Ends a command early, after all messages have been printed.
struct EarlyExit: Error {
  var status: ExitStatus
}
