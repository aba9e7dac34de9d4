// What came of a case, gathered when all its steps were run, so that looking at it is a pure matter.

import FaultServer
import Foundation

/// All that a case's expectations are about.
struct CaseOutcome {
  /// A step as it ended.
  struct Ran {
    let step: FaultCase.Step
    let finished: Finished
    /// The largest memory that it had, in bytes.
    let memory: Int64
  }

  /// The steps.
  var ran: [Ran] = []
  /// What is in the download directory, part files apart, and at the other paths that are asked for.
  var files: [String: Expectation.Entry] = [:]
  /// What sets files apart from the contents that they must have.
  var differences: [String: String] = [:]
  /// The part files, and their modes.
  var parts: [String: Int] = [:]
  /// The jobs, by the names of their fields; nil when the store was refused.
  var jobs: [[String: String]]?
  /// What `list` said.
  var listing = ""
  /// What else shows a job: all texts that must hold no secret.
  var shown: [String] = []
  /// Requests by site and path.
  var requests: [String: [SeenRequest]] = [:]
  /// How many requests of each path had come before the last step.
  var before: [String: Int] = [:]
  /// Bytes that the last job had received before the last step.
  var receivedBefore: Int64?
  /// Names beside the download directory that nobody should have made.
  var strangers: Set<String> = []
  /// Files of the state directory that others may read.
  var open: [String] = []

  /// The key of `requests`.
  static func key(_ site: FaultCase.Site, _ path: String) -> String { "\(site.rawValue)\(path)" }
}

extension CaseOutcome {
  /// Jobs out of `list --json`: fields by their dotted names, as text.
  static func jobs(json: String) -> [[String: String]]? {
    let data = Data(json.utf8)
    guard let list = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]] else { return nil }
    return list.map { object in
      var fields: [String: String] = [:]
      flatten(object, "", &fields)
      return fields
    }
  }

  private static func flatten(_ value: Any, _ name: String, _ fields: inout [String: String]) {
    switch value {
    case let object as [String: Any]:
      for (key, value) in object { flatten(value, name.isEmpty ? key : "\(name).\(key)", &fields) }
    case let text as String: fields[name] = text
    case is NSNull: fields[name] = "null"
    case let number as NSNumber where CFBooleanLike.isBoolean(number): fields[name] = "\(number.boolValue)"
    case let number as NSNumber: fields[name] = "\(number)"
    default: break
    }
  }

  private enum CFBooleanLike {
    /// JSON's true and false are numbers to Foundation, of a type of their own.
    static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
  }
}
