internal import DrayKit

/// The warning that certificates are not checked.
enum InsecureWarning {
  static let text = "certificates are not checked (-k): anyone can impersonate the server"
}
