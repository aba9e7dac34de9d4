// The digest of a file as one line that other tools can check.

internal import DrayKit

enum DigestLine {
  /// Returns `SHA256 (PATH) = HEX`, which is the format of BSD's tools, `cksum --tag` and openssl. If the path contains
  /// a line break or a backslash, it is escaped, and the line begins with a backslash (as in coreutils).
  static func text(_ digest: DigestValue, _ path: String) -> String {
    let isEscaped = path.utf8.contains {
      $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
    }
    let shown =
      isEscaped
      ? path.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\r", with: "\\r") : path
    return "\(isEscaped ? "\\" : "")\(word(digest.algorithm)) (\(shown)) = \(digest.hex)\n"
  }

  private static func word(_ algorithm: DigestAlgorithm) -> String {
    algorithm.rawValue.uppercased().replacing("-", with: "")
  }
}
