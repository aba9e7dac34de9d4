// Labels: which texts are some, and which jobs they choose.

import DrayCore
import Foundation
import Testing

@Suite struct JobLabelTests {
  @Test(
    "texts that are labels",
    arguments: ["gpu", "site=north", "a.b/c-d_e", "x=", "A1", String(repeating: "a", count: 128)])
  func valid(_ text: String) throws { #expect(try JobLabel.parse(text).text == text) }

  @Test(
    "texts that are none",
    arguments: ["", "=x", "a b", "a'b", "a=b=c", "ä", "a\n", "a,b", String(repeating: "a", count: 129)])
  func invalid(_ text: String) { #expect(throws: LabelProblem.self) { try JobLabel.parse(text) } }

  @Test("several, with commas, without duplicates, and not too many")
  func several() throws {
    #expect(try JobLabel.parse(all: ["a,b", "c", "a"]).map(\.text) == ["a", "b", "c"])
    let problem = #expect(throws: LabelProblem.self) { try JobLabel.parse(all: ["a,b c"]) }
    #expect(problem?.word == "b c")
    #expect(throws: LabelProblem.self) { try JobLabel.parse(all: ["a,"]) }
    #expect(throws: LabelProblem.self) { try JobLabel.parse(all: (0...JobLabel.most).map { "l\($0)" }) }
  }

  /// Columns: the labels of a job, the wanted ones, whether the job is chosen.
  private static let chosen: [(String?, String, Bool)] = [
    (nil, "a", false), ("a", "a", true), ("a,b", "a", true), ("a", "a,b", false), ("a,b", "b,a", true),
    ("site=north", "site", false), ("A", "a", false),
  ]

  @Test(arguments: JobLabelTests.chosen.indices)
  func choice(index: Int) throws {
    let (own, wanted, expected) = Self.chosen[index]
    let labels = try own.map { try JobLabel.parse(all: [$0]) }
    #expect(JobLabel.matches(labels, all: try JobLabel.parse(all: [wanted])) == expected)
    #expect(JobLabel.matches(labels, all: []))
  }

  @Test("a stored label is checked again: it becomes part of a store's question")
  func stored() throws {
    let labels = try JobLabel.parse(all: ["a,site=n"])
    let data = try JSONEncoder().encode(labels)
    #expect(String(decoding: data, as: UTF8.self) == #"["a","site=n"]"#)
    #expect(try JSONDecoder().decode([JobLabel].self, from: data) == labels)
    #expect(throws: (any Error).self) { try JSONDecoder().decode([JobLabel].self, from: Data(#"["a' OR 1"]"#.utf8)) }
  }
}
