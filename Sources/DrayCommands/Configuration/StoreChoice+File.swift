// The job store in the configuration: the key `store` at the top of the file, which is no option of a single command.

internal import DrayDocuments
internal import DrayKit

extension StoreChoice {
  /// Reads the key of a file.
  /// - Throws: kind `usage`, with the place of the key.
  static func read(
    _ entry: ConfigurationDocument.Entry, _ paths: ValuePaths, _ place: String
  ) throws(Failure) -> StoreAddress {
    guard case .string(let text) = entry.value else { throw OptionValue.bad("\(place): \(key)", "it must be a string") }
    return try read(text, "\(place): \(key)", home: paths.home)
  }
}
