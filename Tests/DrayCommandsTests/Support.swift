// Shared by several suites: surroundings without a disk, and specifications from a command line.

import ArgumentParser
import DrayKit
internal import Posix

@testable import DrayCommands

extension Surroundings {
  /// A directory /base with a few things in it; nothing else exists.
  static func fixed(
    environment: [String: String] = ["HOME": "/home/ann"], files: [String: String] = [:], input: String = ""
  ) -> Surroundings {
    let all = files.merging(["/base/file": "", "/home/ann/.netrc": "", "/base/ca.pem": ""]) { given, _ in given }
    return Surroundings(
      currentDirectory: "/base", environment: environment,
      kind: { path in
        if all[path] != nil { return .file }
        return ["/base", "/base/dir", "/"].contains(path) ? .directory : .missing
      },
      read: { path, limit in
        all[path].map { .success(Array($0.utf8.prefix(limit))) } ?? .failure(SystemError("open", 2))
      },
      readStandardInput: { .success(Array(input.utf8.prefix($0))) }, askPassword: { _ in nil })
  }
}

/// The list that `dray get ARGUMENTS` would queue.
func specificationList(_ arguments: [String], _ surroundings: Surroundings = .fixed()) throws -> SpecificationList {
  let get = try Get.parse(arguments)
  return try Operands.specifications(get.job, get.request, surroundings)
}

/// The specifications that `dray get ARGUMENTS` would queue, as a store keeps them: without the names of the options.
func specifications(
  _ arguments: [String], _ surroundings: Surroundings = .fixed()
) throws -> [JobSpecification] {
  try specificationList(arguments, surroundings).map { specification in
    var stored = specification
    stored.given = nil
    return stored
  }
}

/// The error of a refused command line; `nil` if it is accepted.
func refusal(_ arguments: [String], _ surroundings: Surroundings = .fixed()) -> Failure? {
  do {
    _ = try specifications(arguments, surroundings)
    return nil
  } catch {
    return error as? Failure
  }
}

/// The definition of the command line, read once for all suites.
func reference() throws -> CommandReference { try definition.get() }

private let definition = Result { try CommandReference.read(DrayRoot.self) }
