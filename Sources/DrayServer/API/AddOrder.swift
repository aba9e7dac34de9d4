internal import DrayCore
internal import DrayStore

/// A request of a client to add jobs, in one of several forms.
enum AddOrder: Sendable, Equatable {
  case jobs([JobOrder])
  case metalink(String, directory: String?)
  /// The jobs that a list describes, in the form that `dray add -i` reads.
  case list(String, directory: String?)
  /// A text that a person typed or pasted. Each link in it becomes a job with the settings of `order`. But if
  /// `areMirrors` is true, all links are mirrors of one file.
  case text(String, order: JobOrder, areMirrors: Bool)
}
