// The errors with which calls are answered (JSON-RPC 2.0 §5.1; aria2's manual, "JSON-RPC").

internal import DrayCore

/// The form in which a client is answered: JSON or XML.
enum RPCForm: Sendable {
  case json, xml
}

struct RPCFailure: Error, Sendable, Equatable {
  var code: Int
  var message: String

  /// The text is not JSON.
  static let parse = RPCFailure(code: -32700, message: "Parse error.")
  /// The JSON is not a call.
  static let request = RPCFailure(code: -32600, message: "Invalid Request.")
  /// The parameters are not an array.
  static let parameters = RPCFailure(code: -32602, message: "Invalid params.")
  static let unauthorized = RPCFailure.refused("Unauthorized")

  /// The answers to the calls before this one have reached the maximum length of a message.
  static let tooLong = RPCFailure.refused("Not carried out: the answers before it are too long for one message.")

  /// Returns the error of a call that cannot be carried out. All errors that aria2 itself defines have code 1.
  static func refused(_ message: String) -> RPCFailure { RPCFailure(code: 1, message: message) }

  init(_ error: any Error) {
    switch error {
    case let failure as RPCFailure: self = failure
    case let failure as Failure: self = .refused(failure.message(.plain))
    default: self = .refused("\(error)")
    }
  }

  init(code: Int, message: String) { (self.code, self.message) = (code, message) }

  /// The status of an HTTP response that contains only this error. Clients read the body of the response nevertheless.
  var httpStatus: Int { code == 1 || self == .request ? 400 : 500 }

  func value(_ form: RPCForm) -> RPCValue {
    switch form {
    case .json: .of(["code": .integer(code), "message": .string(message)])
    case .xml: .of(["faultCode": .integer(code), "faultString": .string(message)])
    }
  }
}
