// Reads settings from parsed arguments. The property of an argument has the name of its setting, so no table is needed
// to relate the two.

internal import ArgumentParser
internal import DrayKit

/// A property of parsed arguments that may be a setting.
private protocol SettingProperty {
  /// The texts that were given for the property.
  var texts: [String] { get }
}

private protocol SettingPropertyGroup {
  var properties: any ParsableArguments { get }
}

/// A type of option values that can be converted to texts.
protocol SettingTexts {
  var texts: [String] { get }
}

extension Option: SettingProperty where Value: SettingTexts {
  fileprivate var texts: [String] { wrappedValue.texts }
}

extension Flag: SettingProperty where Value == Bool {
  fileprivate var texts: [String] { wrappedValue ? ["yes"] : [] }
}

extension OptionGroup: SettingPropertyGroup {
  fileprivate var properties: any ParsableArguments { wrappedValue }
}

extension Optional: SettingTexts where Wrapped == String {
  var texts: [String] { map { [$0] } ?? [] }
}

extension Array: SettingTexts where Element == String {
  var texts: [String] { self }
}

extension SettingTexts where Self: RawRepresentable<String> {
  var texts: [String] { [rawValue] }
}

extension ConflictPolicy: SettingTexts {}
extension ResumeMode: SettingTexts {}
extension VerifyMode: SettingTexts {}

enum TypedSettings {
  static func given(by arguments: any ParsableArguments) -> [GivenSetting] {
    Mirror(reflecting: arguments).children.flatMap { child in
      if let group = child.value as? any SettingPropertyGroup { return given(by: group.properties) }
      guard let name = child.label.flatMap(Setting.ofProperty)?.name,
        let property = child.value as? any SettingProperty,
        !property.texts.isEmpty
      else { return [] }
      return [GivenSetting(name: name, values: property.texts)]
    }
  }

  /// Applies those settings that depend only on their own texts to a job.
  /// - Throws: Kind `usage` with the name of the option.
  static func put(_ arguments: any ParsableArguments, into job: inout JobSpecification) throws(Failure) {
    let given = given(by: arguments)
    let flags = given.compactMap { one in Setting.named(one.name).flatMap { $0.isFlag ? one.name : nil } }
    if let found = Setting.contradiction(in: Set(flags)) {
      throw OptionValue.bad(found.names.map { "--\($0)" }.joined(separator: " and "), found.reason)
    }
    for one in given {
      guard let setting = Setting.named(one.name), setting.isPlain, setting.name != "mirror" else { continue }
      do throws(SettingProblem) { try setting.set(one.values, in: &job, .current) } catch {
        throw OptionValue.bad("--\(one.name)", error)
      }
    }
  }
}
