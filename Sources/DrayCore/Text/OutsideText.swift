// Bytes from outside that become text: the command line, the environment, the current directory, files. Bytes that are
// not UTF-8 are refused, never replaced (D11).

/// Finds bytes that are not UTF-8.
public enum OutsideText {
  /// The text of bytes; `nil` if they are not UTF-8.
  public static func text(_ bytes: some Collection<UInt8>) -> String? { String(validating: bytes, as: UTF8.self) }

  /// The first line, counted from 1, that is not UTF-8; `nil` if there is none.
  public static func badLine(in bytes: some Collection<UInt8>) -> Int? {
    guard text(bytes) == nil else { return nil }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    return (lines.firstIndex { text($0) == nil } ?? 0) + 1
  }
}
