/// The names of a setting in curl, wget and aria2, for options whose values mean the same in dray. Several names of one
/// program are separated by blanks.
///
/// Options whose values have another meaning are in the tables of the front ends.
package struct ForeignNames: Sendable, Equatable {
  /// The names in curl, with dashes.
  package var curl = ""
  /// Whether 0 means the default in curl.
  package var zeroIsDefault = false
  /// Further names that dray's own command line accepts, with dashes. Each name stands for only one setting, even if it
  /// has different meanings in other programs.
  package var typed = ""
  /// The name in aria2, without dashes, if the values are the same.
  package var aria2: String?

  /// Creates names.
  init(curl: String = "", zeroIsDefault: Bool = false, typed: String = "", aria2: String? = nil) {
    (self.curl, self.zeroIsDefault, self.typed, self.aria2) = (curl, zeroIsDefault, typed, aria2)
  }
}
