public import DrayCore

/// The files that a publish may replace.
public enum Replacement: Sendable {
  case nothing
  case anything
  case files(@Sendable (FileIdentity) -> Bool)
}
