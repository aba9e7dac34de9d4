// The names of part files, hidden and visible: one recognisable component with the UUID.

import DrayCore
import Foundation
import Testing

@Suite struct PartNameTests {
  private static let uuid = "0F4C1B6A-9C0E-4E5B-8A1D-2B3C4D5E6F70"

  @Test(
    arguments: [
      (nil, ".\(uuid).part"), ("big.iso", "big.iso.\(uuid).part"), (".hidden", "_.hidden.\(uuid).part"),
      ("../../etc/passwd", "passwd.\(uuid).part"), ("a/..", ".\(uuid).part"), ("\n", ".\(uuid).part"),
      (String(repeating: "é", count: 200), String(repeating: "é", count: 106) + ".\(uuid).part"),
      (String(repeating: "x", count: 300), String(repeating: "x", count: 213) + ".\(uuid).part"),
    ] as [(String?, String)])
  func names(stem: String?, name: String) throws {
    #expect(PartName.text(Self.uuid, stem: stem) == name)
    #expect(name.utf8.count <= 255 && !name.contains("/"))
    #expect(PartName.uuid(of: name) == UUID(uuidString: Self.uuid))
    #expect(PartName.isHidden(name) == (name == ".\(Self.uuid).part"))
    let copy = PartName.copy(of: name)
    #expect(copy == ".copy.\(Self.uuid).part" && PartName.uuid(of: copy) == UUID(uuidString: Self.uuid))
    #expect(PartName.isHidden(copy))
  }

  @Test(
    "a generation has a name of its own, and so has its copy",
    arguments: [nil, "big.iso", String(repeating: "x", count: 300)])
  func generations(stem: String?) {
    let names = [0, 1, 42, UInt32.max].map { PartName.text(Self.uuid, stem: stem, generation: $0) }
    #expect(Set(names).count == 4 && Set(names.map(PartName.copy)).count == 4)
    for name in names + names.map(PartName.copy) {
      #expect(name.utf8.count <= 255 && PartName.uuid(of: name) == UUID(uuidString: Self.uuid))
    }
    #expect(
      names.allSatisfy { PartName.isHidden($0) == (stem == nil) }
        && names.map(PartName.copy).allSatisfy(PartName.isHidden))
    if stem == nil { #expect(names[2] == ".0000002A.\(Self.uuid).part") }
  }

  @Test(
    arguments: [
      "", ".part", "\(uuid).part", "x\(uuid).part", ".\(uuid.lowercased()).part", ".\(uuid).part2", ".\(uuid)",
      ".\(uuid.dropLast()).part", "x.\(uuid).PART", ".0F4C1B6A-9C0E-4E5B-8A1D-2B3C4D5E6F7é.part",
    ])
  func others(name: String) {
    #expect(PartName.uuid(of: name) == nil && Job.ofPartFile(named: name) == nil && !PartName.isHidden(name))
  }
}
