// Bytes from outside that become text: the command line, the environment, the current directory, files. Text is UTF-8 here; what is not
// would become another text, so it is refused, never replaced (D11).

/// Looks for bytes that are not UTF-8.
public enum OutsideText {
  /// The text of bytes; `nil` if they are not UTF-8.
  public static func text(_ bytes: some Collection<UInt8>) -> String? { String(validating: bytes, as: UTF8.self) }

  /// The first line, counted from 1, that has a byte which is not UTF-8; `nil` if there is none.
  public static func badLine(in bytes: some Collection<UInt8>) -> Int? {
    guard text(bytes) == nil else { return nil }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    return (lines.firstIndex { text($0) == nil } ?? 0) + 1
  }
}
