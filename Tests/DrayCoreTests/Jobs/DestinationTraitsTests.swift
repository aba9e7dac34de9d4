// The abilities of a destination, as they follow from its place.

import Testing

@testable import DrayCore

@Suite struct DestinationTraitsTests {
  @Test("directories and object stores are opposite in every trait")
  func table() throws {
    let (directory, object) = (DestinationTraits.ofDirectories, DestinationTraits.ofObjects)
    for (trait, ofDirectories) in [
      (\DestinationTraits.asksServer, false), (\.holdsFiles, true), (\.keepsPartFiles, true),
      (\.keepsWholePartsOnly, false), (\.readsParts, true), (\.bindsName, false), (\.keepsIdentity, true),
      (\.needsAccess, false),
    ] {
      #expect(directory[keyPath: trait] == ofDirectories && object[keyPath: trait] != ofDirectories)
    }
  }

  @Test("a place has the traits of its kind", arguments: [("/d", true), ("s3://bucket/prefix", false)])
  func place(_ path: String, _ isDirectory: Bool) throws {
    var specification = JobSpecification(
      request: TransferRequest(url: try RequestURL.parse("http://h/f").url), directory: path)
    specification.directory = path
    #expect(specification.place.traits == (isDirectory ? .ofDirectories : .ofObjects))
  }
}
