internal import DrayCore
internal import DrayStore

/// A client's order to add jobs, in one of its forms.
enum AddOrder: Sendable, Equatable {
  case jobs([JobOrder])
  case metalink(String, directory: String?)
  /// The jobs of a list, as for `dray add -i`.
  case list(String, directory: String?)
  /// Text as people type or paste it. Each link becomes a job with the settings of `order`; or, if `areMirrors`, all
  /// links are mirrors of one file.
  case text(String, order: JobOrder, areMirrors: Bool)
}
