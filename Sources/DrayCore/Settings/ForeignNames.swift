// The names of settings in other programs.

/// The names of a setting in curl, wget and aria2, where its values are the same. Several are separated by blanks.
///
/// Options of these programs whose values have a different meaning are rows of the front ends' tables.
public struct ForeignNames: Sendable, Equatable {
  /// The names in curl, with dashes.
  public var curl = ""
  /// Whether 0 means the default in curl.
  public var zeroIsDefault = false
  /// The names that dray's own command line accepts in addition, with dashes. A name stands for one setting, even if
  /// other programs use it differently.
  public var typed = ""
  /// The name in aria2, without dashes, if the values are the same.
  public var aria2: String?

  /// Creates names.
  init(curl: String = "", zeroIsDefault: Bool = false, typed: String = "", aria2: String? = nil) {
    (self.curl, self.zeroIsDefault, self.typed, self.aria2) = (curl, zeroIsDefault, typed, aria2)
  }
}
