// An exit status that is thrown.

internal import DrayKit

/// A command that ends before its end, everything said.
struct EarlyExit: Error {
  var status: ExitStatus
}
