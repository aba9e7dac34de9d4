// What a job keeps of the options that it was added with, each by the long name of its option: how it is set, and what it is
// now. `set`, `edit`, `export` and the lines of lists go by this.

internal import ArgumentParser
internal import DrayKit
internal import DrayWire

/// The options of `add`, as values.
struct SettingArguments: ParsableArguments, Sendable {
  @OptionGroup var job: JobArguments
  @OptionGroup var request: RequestArguments

  /// None given, parsed once.
  static let none = Result { try SettingArguments.parse([]) }
}

/// A setting of a job.
struct JobSetting: Sendable {
  typealias Values = @Sendable (JobSpecification) -> [String]
  typealias Copy = @Sendable (JobSpecification, inout JobSpecification) -> Void

  /// How it is set.
  enum Way: Sendable {
    /// Its option is given to the same checks that `add` makes, and what these make of it is copied.
    case option(put: @Sendable (inout SettingArguments, [String], _ place: String) throws(Failure) -> Void, copy: Copy)
    /// The values are put into the job.
    case direct(@Sendable (inout JobSpecification, [String], _ place: String) throws(Failure) -> Void)
    /// Directory and name, which are decided together.
    case place
  }

  /// The long name of the option.
  let name: String
  /// What its value is in JSON.
  let shape: JobLine.Shape
  let way: Way
  /// What a job has; empty for the default.
  let values: Values
  /// Whether a list may set it, which may come from anywhere.
  var lists = true
  /// Whether it can be typed.
  var isTyped = true
  /// The settings that are checked together with it.
  var group: [String] = []
  /// Whether a value of it is a secret.
  var isSecret: @Sendable (String) -> Bool = { _ in false }
  /// Whether a value `@FILE` names a file.
  var readsFiles = false

  /// Its name in JSON.
  var field: String { name == "mirror" ? "mirrors" : name }
  /// Whether it has several values.
  var isList: Bool { shape == .strings || shape == .integers }
  /// Whether it is yes or no.
  var isFlag: Bool { shape == .boolean }

  /// The setting of this name.
  static func named(_ name: some StringProtocol) -> JobSetting? { byName[String(name)] }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// Those that can be typed.
  static var typed: [JobSetting] { all.filter(\.isTyped) }

  /// Their names.
  static var typedNames: [String] { typed.map(\.name) }
}

extension JobSetting {
  /// A setting with one value.
  init(
    _ name: String, _ shape: JobLine.Shape = .string, put: any WritableKeyPath<SettingArguments, String?> & Sendable,
    copy: @escaping Copy, value: @escaping @Sendable (JobSpecification) -> String?
  ) {
    self.init(
      name: name, shape: shape,
      way: .option(put: { arguments, values, _ in arguments[keyPath: put] = values.last }, copy: copy),
      values: { value($0).map { [$0] } ?? [] })
  }

  /// A setting that is yes or no.
  init(
    flag name: String, put: any WritableKeyPath<SettingArguments, Bool> & Sendable, copy: @escaping Copy,
    isSet: @escaping @Sendable (JobSpecification) -> Bool
  ) {
    self.init(
      name: name, shape: .boolean,
      way: .option(
        put: { (arguments: inout SettingArguments, values: [String], place: String) throws(Failure) in
          arguments[keyPath: put] = try JobSetting.flag(values.last ?? "", place)
        }, copy: copy), values: { isSet($0) ? ["yes"] : [] })
  }

  /// A setting that is one word out of a few.
  init<Word: RawRepresentable<String> & CaseIterable & Sendable>(
    word name: String, put: any WritableKeyPath<SettingArguments, Word> & Sendable, copy: @escaping Copy,
    word: @escaping @Sendable (JobSpecification) -> Word, usual: Word
  ) where Word: Equatable {
    self.init(
      name: name, shape: .string,
      way: .option(
        put: { (arguments: inout SettingArguments, values: [String], place: String) throws(Failure) in
          guard let word = values.last.flatMap(Word.init(rawValue:)) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw OptionValue.bad(place, "\(OptionValue.quote(values.last ?? "")) is not one of \(words)")
          }
          arguments[keyPath: put] = word
        }, copy: copy), values: { word($0) == usual ? [] : [word($0).rawValue] })
  }

  /// A setting of which each value is one of several.
  init(
    list name: String, _ shape: JobLine.Shape = .strings,
    put: any WritableKeyPath<SettingArguments, [String]> & Sendable, copy: @escaping Copy, values: @escaping Values
  ) {
    self.init(
      name: name, shape: shape,
      way: .option(put: { arguments, values, _ in arguments[keyPath: put] = values }, copy: copy),
      values: values)
  }

  /// A setting that no option has.
  init(
    direct name: String, _ shape: JobLine.Shape = .string,
    _ apply: @escaping @Sendable (inout JobSpecification, [String], String) throws(Failure) -> Void,
    values: @escaping Values
  ) {
    self.init(name: name, shape: shape, way: .direct(apply), values: values)
  }

  /// This setting, changed.
  func with(_ change: (inout JobSetting) -> Void) -> JobSetting {
    var copy = self
    change(&copy)
    return copy
  }

  /// This setting, whose values are secrets.
  var secret: JobSetting { with { $0.isSecret = { _ in true } } }

  /// This setting, which no list from elsewhere may have: it runs a program, or writes a file.
  var own: JobSetting { with { $0.lists = false } }

  /// This setting, which is written by `dray export` only.
  var exported: JobSetting { with { $0.isTyped = false } }

  /// This setting, checked together with others.
  func with(_ group: String...) -> JobSetting { with { $0.group = group } }

  /// Yes or no.
  static func flag(_ text: String, _ place: String) throws(Failure) -> Bool {
    switch text.lowercased() {
    case "yes", "true", "on", "1": return true
    case "no", "false", "off", "0": return false
    default: throw OptionValue.bad(place, "\(OptionValue.quote(text)) is neither yes nor no")
    }
  }
}
