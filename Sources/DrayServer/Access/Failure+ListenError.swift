// Translates the error of a failed attempt to listen into a failure of a command.

package import DrayCore
package import WebServer

extension Failure {
  package init(_ error: ListenError) {
    let kind: Kind =
      switch error.kind {
      case .address: .usage
      case .network: .network
      case .file: .file
      }
    self.init(kind, error.subject, error.reason, advice: error.advice.map { Advice($0) })
  }
}
