// Labels on a command line.

internal import DrayKit

enum LabelWords {
  /// Returns the labels in the values of an option.
  /// - Throws: Kind `usage` with the option and the word.
  static func read(_ words: [String], _ option: String) throws(Failure) -> [JobLabel] {
    do throws(LabelProblem) { return try JobLabel.parse(all: words) } catch {
      throw OptionValue.bad(option, (error.word.map { OptionValue.quote($0) + ": " } ?? "") + error.reason)
    }
  }
}
