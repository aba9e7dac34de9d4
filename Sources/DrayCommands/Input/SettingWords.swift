// Parses the words `KEY=VALUE` of `dray set`, and the lines of an edited job. The code in this file has no effects
// outside its values.

internal import DrayKit

struct SettingWords: Equatable, Sendable {
  struct Word: Equatable, Sendable {
    var key: String
    var value: String
    /// Whether the value is added to those that the setting has (`+=`).
    var adds: Bool
  }

  private(set) var words: [Word] = []

  /// Parses words. A word without `=` is an id.
  /// - Throws: Kind `usage` with the key of the word, but never with its value.
  static func parse(_ texts: [String]) throws(Failure) -> (ids: [String], settings: SettingWords) {
    var ids: [String] = []
    var settings = SettingWords()
    for text in texts {
      guard let mark = text.firstIndex(of: "=") else {
        ids.append(text)
        continue
      }
      try settings.add(String(text[..<mark]), String(text[text.index(after: mark)...]))
    }
    return (ids, settings)
  }

  /// Adds a change of a setting. The key may end in `+`.
  mutating func add(_ key: String, _ value: String) throws(Failure) {
    let adds = key.hasSuffix("+")
    let name = String(String(adds ? key.dropLast() : key[...]).trimmingSpaces())
    guard let setting = Setting.named(name), setting.isTyped else {
      if name == "url" {
        throw OptionValue.bad("url=", "another URL may be another server's", advice: "\(.setURL) sets it")
      }
      throw OptionValue.bad(
        OptionValue.quote(name), "this is not a setting of a job",
        advice: NearestName.find(name, among: Setting.typed.map(\.name)).map { "did you mean \($0)=?" }
          ?? "`dray edit ID` shows those that a job has, and names the others")
    }
    guard !adds || setting.isList else {
      throw OptionValue.bad("\(name)+=", "it has one value only: write \(name)=")
    }
    guard setting.isList || !words.contains(where: { $0.key == name }) else {
      throw OptionValue.bad("\(name)=", "it is given twice, but has one value")
    }
    words.append(Word(key: name, value: value, adds: adds))
  }

  /// Returns the values that the settings get in a job. For each setting that changes, all its values are included.
  func given(for job: JobSpecification) -> [GivenSetting] {
    var given: [GivenSetting] = []
    for word in words {
      guard let setting = Setting.named(word.key) else { continue }
      if !given.contains(where: { $0.name == word.key }) {
        given.append(GivenSetting(name: word.key, values: word.adds ? setting.values(job) : []))
      }
      guard let index = given.firstIndex(where: { $0.name == word.key }), !word.value.isEmpty else { continue }
      if word.adds, word.key == "header" {
        // A header field replaces the one with the same name, so that a wrong key is not sent together with the
        // corrected one.
        let name = SettingWords.fieldName(word.value)
        given[index].values.removeAll { SettingWords.fieldName($0) == name }
      }
      if !given[index].values.contains(word.value) { given[index].values.append(word.value) }
    }
    return given
  }

  /// Returns the name of the header field in a line, in lower case.
  static func fieldName(_ line: String) -> String {
    line.prefix { $0 != ":" && $0 != ";" }.lowercased()
  }
}
