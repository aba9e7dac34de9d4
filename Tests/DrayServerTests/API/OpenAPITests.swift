// The document of the API against its table and the schema of DrayWire.

import DrayCore
import Foundation
import Testing

@testable import DrayServer

@Suite("the OpenAPI document")
struct OpenAPITests {
  private func document() throws -> [String: Any] {
    let text = OpenAPIDocument.text
    return try #require(try JSONSerialization.jsonObject(with: Data(text.bytes)) as? [String: Any])
  }

  /// A file of `docs/wire`.
  private func committed(_ name: String) throws -> [String: Any] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let data = try Data(contentsOf: root.appending(path: "docs/wire/\(name)"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// Renew the file with `curl HOST/api/v1/openapi.json | python3 -m json.tool --indent 1 > docs/wire/openapi.json`.
  @Test func theCommittedOneIsCurrent() throws {
    let (kept, current) = (try committed("openapi.json"), try document())
    #expect(NSDictionary(dictionary: kept) == NSDictionary(dictionary: current))
  }

  @Test func hasAllRoutesAndNoOther() throws {
    let paths = try #require(try document()["paths"] as? [String: [String: Any]])
    let found = Set(paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } })
    #expect(found == Set(APIRoutes.all.map { "\($0.method) \($0.path)" }))
    #expect(APIRoutes.all.count == found.count)
    let operations = paths.values.flatMap { $0.values.compactMap { ($0 as? [String: Any])?["operationId"] as? String } }
    #expect(Set(operations).count == APIRoutes.all.count)
  }

  @Test func refersOnlyToWhatIsThere() throws {
    let text = OpenAPIDocument.text.text
    let names = Set(APIShapes.all.map(\.key))
    let used = text.split(separator: "#/components/schemas/").dropFirst().map { String($0.prefix { $0.isLetter }) }
    #expect(!used.isEmpty && used.allSatisfy(names.contains))
  }

  /// A job is what `dray list --json` writes: the same fields are always there.
  @Test func jobsAreThoseOfTheWire() throws {
    let wire = try committed("dray.schema.json")
    let definitions = try #require(wire["$defs"] as? [String: [String: Any]])
    let schemas = try #require(
      ((try document()["components"] as? [String: Any])?["schemas"]) as? [String: [String: Any]])
    func needed(_ schema: [String: Any]?) throws -> Set<String> {
      Set(try #require(schema?["required"] as? [String]))
    }
    let job = try needed(schemas["Job"])
    let wireJob = try needed(definitions["job"])
    #expect(job == wireJob)
    let details = try #require(definitions["details"]?["properties"] as? [String: Any])
    let more = try needed(schemas["Details"]).subtracting(job)
    #expect(more.isSubset(of: details.keys))
  }
}
