// The options of the command line that are settings. The table of settings contains their names and help texts.

internal import ArgumentParser
internal import DrayKit

extension Setting {
  fileprivate var names: NameSpecification {
    let short = help?.short.map { NameSpecification.Element.customShort($0) }
    let long = ([name] + [help?.also].compactMap(\.self)).map { NameSpecification.Element.customLong($0) }
    return NameSpecification([short].compactMap(\.self) + long)
  }

  fileprivate var argumentHelp: ArgumentHelp {
    ArgumentHelp(stringLiteral: help?.abstract ?? "").with(discussion: help?.discussion ?? "", value: help?.value)
  }

  fileprivate var completion: CompletionKind? {
    switch help?.offers ?? .nothing {
    case .nothing: nil
    case .files: .file()
    case .directories: .directory
    case .jobs: .custom(JobIDs.complete)
    case .queues: .custom(QueueNames.complete)
    case .words(let words): .list(words)
    }
  }
}

extension ArgumentHelp {
  fileprivate func with(discussion: String, value: String?) -> ArgumentHelp {
    var help = self
    help.discussion = discussion
    if let value { help.valueName = value }
    return help
  }
}

extension Option {
  init(setting name: String) where Value == String? {
    let setting = Setting.required(name)
    self.init(name: setting.names, help: setting.argumentHelp, completion: setting.completion)
  }

  init(wrappedValue: [String], setting name: String) where Value == [String] {
    let setting = Setting.required(name)
    self.init(
      wrappedValue: wrappedValue, name: setting.names, help: setting.argumentHelp, completion: setting.completion)
  }

  init(wrappedValue: Value, setting name: String) where Value: ExpressibleByArgument {
    let setting = Setting.required(name)
    self.init(
      wrappedValue: wrappedValue, name: setting.names, help: setting.argumentHelp, completion: setting.completion)
  }
}

extension Flag where Value == Bool {
  init(wrappedValue: Bool, setting name: String) {
    let setting = Setting.required(name)
    self.init(wrappedValue: wrappedValue, name: setting.names, help: setting.argumentHelp)
  }
}

extension Setting {
  /// Returns the setting for an option. A name without a setting is a programming error, which tests find.
  fileprivate static func required(_ name: String) -> Setting {
    guard let setting = named(name) else { preconditionFailure("\(name) is not a setting") }
    return setting
  }
}
