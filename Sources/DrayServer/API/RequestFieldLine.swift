// Header fields that clients of the API give as lines of the form `Name: value`.

internal import DrayCore

enum RequestFieldLine {
  /// Reads the header fields of a job.
  /// - Throws: ``APIFailure`` with the objection to a field, without the field's value, which may be a secret.
  static func fields(_ lines: [String], of shown: String) throws(APIFailure) -> [HeaderField] {
    do throws(FieldObjection) {
      return try lines.map { (line) throws(FieldObjection) in try FieldLine.parse(line, from: .client) }
    } catch {
      switch error {
      case .noColon: throw .bad("\(shown): a header field has no colon", advice: "write it like Name: value")
      case .notAName(let name):
        throw .bad("\(shown): headers: \"\(TextSafety.escaped(name.start(80)))\" is not a name of a field")
      case .isOwn(let name): throw .bad("\(shown): dray sets \(name) itself", advice: "omit it")
      case .controlCharacter(let name): throw .bad("\(shown): the value of \(name) has a control character in it")
      }
    }
  }
}
