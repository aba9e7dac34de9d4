// The job store in the configuration: the key `store` at the top of the file, which is not an option of a single
// command.

internal import DrayDocuments
internal import DrayKit

extension StoreChoice {
  /// Reads the key from a file.
  /// - Throws: Kind `usage` with the place of the key.
  static func read(
    _ entry: ConfigurationDocument.Entry, _ paths: ValuePaths, _ place: String
  ) throws(Failure) -> StoreAddress {
    guard case .string(let text) = entry.value else { throw OptionValue.bad("\(place): \(key)", "it must be a string") }
    return try read(text, "\(place): \(key)", home: paths.home)
  }

  /// Reads a key that concerns the directories of jobs.
  /// - Throws: Kind `usage` with the place of the key.
  static func read(
    _ entry: ConfigurationDocument.Entry, into reach: inout TargetReach, _ paths: ValuePaths, _ place: String
  ) throws(Failure) {
    let subject = "\(place): \(entry.key)"
    if entry.key == localKey {
      guard case .boolean(let isOn) = entry.value else { throw OptionValue.bad(subject, "it must be true or false") }
      return reach.allowsLocal = isOn
    }
    let values: [ConfigurationDocument.Value] = if case .array(let all) = entry.value { all } else { [entry.value] }
    for value in values {
      guard case .string(let text) = value, paths.resolved(text, isFile: false).hasPrefix("/") else {
        throw OptionValue.bad(subject, "it must be an absolute path, or several")
      }
      reach.shared.append(paths.resolved(text, isFile: false))
    }
  }
}
