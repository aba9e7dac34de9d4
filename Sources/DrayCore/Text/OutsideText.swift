// Converts bytes from outside to text: the command line, the environment, the current directory, files. Bytes that are
// not UTF-8 are refused and never replaced (D11).

/// Checks that bytes are UTF-8.
public enum OutsideText {
  /// Returns the text; `nil` if the bytes are not UTF-8.
  public static func text(_ bytes: some Collection<UInt8>) -> String? { String(validating: bytes, as: UTF8.self) }

  /// Returns the number of the first line that is not UTF-8, counted from 1; `nil` if all lines are UTF-8.
  public static func badLine(in bytes: some Collection<UInt8>) -> Int? {
    guard text(bytes) == nil else { return nil }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    return (lines.firstIndex { text($0) == nil } ?? 0) + 1
  }
}
