// Reads the configuration file, and checks who may read and write it.

internal import DrayDocuments
internal import DrayKit
internal import Posix

/// A configuration file whose keys are not checked yet.
struct ConfigurationFile {
  /// The absolute path of the file.
  var path: String
  var document: ConfigurationDocument
  /// The permission bits of the file.
  var mode: UInt32

  /// The maximum length of the file in bytes.
  private static let limit = 1 << 20

  func place(_ line: Int) -> String { "\(TextSafety.escaped(path)):\(line)" }

  /// Reads a configuration file.
  /// - Returns: `nil` if the file does not exist and the user did not name it.
  /// - Throws: Kind `usage`; for invalid TOML with the line and the column.
  static func read(_ place: ConfigurationPlace) throws(Failure) -> ConfigurationFile? {
    guard let path = place.path else { return nil }
    switch System.kind(path) {
    case .missing where !place.isNamed: return nil
    case .unreadable(let error) where error.code == SystemError.noDirectory && !place.isNamed: return nil
    case .file: break
    // The user may name a pipe, as in `--config <(command)`.
    case .other where place.isNamed: break
    case .missing: throw unreadable(path, "it does not exist", advice: "`dray config edit` creates it")
    case .directory: throw unreadable(path, "it is a directory")
    case .other: throw unreadable(path, "it is not a regular file")
    case .unreadable(let error): throw unreadable(path, error.text)
    }
    let bytes: [UInt8]
    let mode: UInt32
    do throws(SystemError) { (bytes, mode) = try System.readWithMode(path, limit: limit + 1) } catch {
      throw unreadable(path, error.text)
    }
    guard bytes.count <= limit else { throw unreadable(path, "it is larger than 1 MiB") }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw unreadable(path, "it is not UTF-8", advice: "save it as UTF-8")
    }
    let file: ConfigurationFile
    do throws(DocumentError) {
      file = ConfigurationFile(path: path, document: try ConfigurationDocument.parse(text), mode: mode)
    } catch {
      throw error.failure(TextSafety.escaped(path))
    }
    try file.checkMode()
    return file
  }

  /// Checks that other users cannot write to the file, because it may name commands that dray runs, and that they
  /// cannot read secrets in it.
  private func checkMode() throws(Failure) {
    if mode & 0o002 != 0 {
      throw OptionValue.bad(
        TextSafety.escaped(path), "everyone can write to it, and so control what dray does",
        advice: "run `chmod 600 \(TextSafety.escaped(path))`")
    }
    guard mode & 0o077 != 0, let secret = document.entries.first(where: ConfigurationFile.isSecret) else { return }
    throw OptionValue.bad(
      place(secret.line), "\(secret.key) is a secret, and other users can read the file",
      advice: "run `chmod 600 \(TextSafety.escaped(path))`")
  }

  private static func isSecret(_ entry: ConfigurationDocument.Entry) -> Bool {
    func has(_ value: ConfigurationDocument.Value) -> Bool {
      switch value {
      case .string(let text): ConfigurationKeys.isSecret(entry.key, text)
      case .array(let all): all.contains(where: has)
      default: ConfigurationKeys.isSecret(entry.key, "0")
      }
    }
    return has(entry.value)
  }

  private static func unreadable(_ path: String, _ reason: String, advice: Advice? = nil) -> Failure {
    Failure(.usage, TextSafety.escaped(path), "the configuration cannot be read: \(reason)", advice: advice)
  }
}
