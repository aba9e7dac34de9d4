/// How a source is described in help.
package struct SourceAbout: Sendable, Equatable {
  /// The forms of names, such as `hf:ORG/MODEL[@REVISION][/PATH]`.
  package var forms: [String]
  /// A description of the files, in one line that ends without a full stop.
  package var summary: String
  /// Where the source looks for tokens; `nil` if it uses none.
  package var tokens: String?

  /// Creates a description.
  package init(_ forms: [String], _ summary: String, tokens: String? = nil) {
    (self.forms, self.summary, self.tokens) = (forms, summary, tokens)
  }
}
