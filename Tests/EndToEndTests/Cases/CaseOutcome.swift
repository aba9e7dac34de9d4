// The outcome of a case, gathered after its last step, so that the check is pure.

import FaultServer
import Foundation

/// Everything that a case's expectations can check.
struct CaseOutcome {
  /// An ended step.
  struct Ran {
    let step: FaultCase.Step
    let finished: Finished
    /// Its peak memory, in bytes.
    let memory: Int64
  }

  /// The steps.
  var ran: [Ran] = []
  /// The files of the download directory, without part files, and those at the other requested paths.
  var files: [String: Expectation.Entry] = [:]
  /// Differences between files and their expected contents.
  var differences: [String: String] = [:]
  /// The part files, and their modes.
  var parts: [String: Int] = [:]
  /// The jobs, by the names of their fields; nil if the store was refused.
  var jobs: [[String: String]]?
  /// The output of `list`.
  var listing = ""
  /// Other output about a job: texts that must not contain a secret.
  var shown: [String] = []
  /// Requests by site and path.
  var requests: [String: [SeenRequest]] = [:]
  /// The number of requests for each path before the last step.
  var before: [String: Int] = [:]
  /// Bytes that the last job had received before the last step.
  var receivedBefore: Int64?
  /// Unexpected names next to the download directory.
  var strangers: Set<String> = []
  /// Files of the state directory that others may read.
  var open: [String] = []

  /// The key of `requests`.
  static func key(_ site: FaultCase.Site, _ path: String) -> String { "\(site.rawValue)\(path)" }
}

extension CaseOutcome {
  /// Jobs from `list --json`: fields by their dotted names, as text.
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
    /// Foundation's numbers for JSON's true and false have a type of their own.
    static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
  }
}
