/// Decides whether the user or a client may query a source, and whether the user's tokens are sent.
///
/// | asked for | source | the user | a client | a client with a permission |
/// |---|---|---|---|---|
/// | files of a name | of dray | yes, with tokens | yes, without tokens | `keys`: with tokens |
/// | files of a name | a program | yes | no | no |
/// | a new link | of dray | yes, with tokens | yes, without tokens | `keys`: with tokens |
/// | a new link | a program | yes | no | `hooks`: yes |
///
/// A token is a key of this machine (P22): with it, a client could fetch whatever its owner may read. Only the owner
/// chooses programs. A program is asked for a new link only for a job that the owner added and a client changed.
package struct SourceRule: Sendable, Equatable {
  /// The purpose of a request to a source.
  package enum Purpose: Sendable, CaseIterable {
    case files, link
  }

  /// The permissions that the user has granted to clients; `nil` if the user makes the request.
  private let grants: Set<OutsideGrant>?

  /// The rule for what the user of this machine asks for.
  package static let user = SourceRule(grants: nil)

  /// The rule for what clients of the service ask for.
  package static func client(_ grants: Set<OutsideGrant>) -> SourceRule { SourceRule(grants: grants) }

  private init(grants: Set<OutsideGrant>?) { self.grants = grants }

  /// Whether a source may be queried.
  package func allows(_ purpose: Purpose, isProgram: Bool) -> Bool {
    guard let grants, isProgram else { return true }
    return purpose == .link && grants.contains(.hooks)
  }

  /// Whether the source may use the tokens of this machine.
  package var givesTokens: Bool { grants?.contains(.keys) ?? true }
}
