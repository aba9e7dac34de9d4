// A digest and its file as one line that other tools can check.

internal import DrayKit

enum DigestLine {
  /// Returns `SHA256 (PATH) = HEX`, the format of BSD's tools, `cksum --tag` and openssl. A path with a line break or a
  /// backslash is escaped, and the line then begins with a backslash (coreutils).
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
