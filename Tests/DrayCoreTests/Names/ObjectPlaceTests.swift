// Places in object stores as text.

import DrayCore
import Testing

@Suite struct ObjectPlaceTests {
  @Test(arguments: [
    ("s3://bucket", "bucket", "", "s3://bucket"), ("s3://bucket/", "bucket", "", "s3://bucket"),
    ("S3://bucket/a", "bucket", "a", "s3://bucket/a"), ("s3://bucket/a/b/", "bucket", "a/b", "s3://bucket/a/b"),
    ("s3://b.c-d/ä ö/%41?x#y", "b.c-d", "ä ö/%41?x#y", "s3://b.c-d/ä ö/%41?x#y"),
  ])
  func parses(_ text: String, _ bucket: String, _ prefix: String, _ path: String) throws {
    let place = try ObjectPlace(parsing: text)
    #expect(place.bucket == bucket && place.prefix == prefix && place.path == path)
    #expect(ObjectPlace(path) == place)
  }

  @Test(arguments: [
    "s3://", "s3://ab", "s3:///key", "s3://Bucket/a", "s3://user@bucket/a", "s3://bucket:80/a", "s3://.bucket/a",
    "s3://bu..cket", "s3://bucket//", "s3://bucket//a", "s3://bucket/a//b", "s3://bucket/a//", "s3://bucket/..",
    "s3://bucket/a/../b", "s3://bucket/./a", "s3://bucket/a\nb", "s3://bucket/a\u{7F}", "s3://bucket/a\u{85}b",
    "s3://bucket/a\u{FFFF}", "/bucket/a", "bucket", "",
  ])
  func refuses(_ text: String) {
    #expect(throws: ObjectPlaceError.self) { try ObjectPlace(parsing: text) }
    #expect(ObjectPlace(text) == nil)
  }

  @Test func theLongestKey() throws {
    let longest = String(repeating: "k", count: ObjectPlace.longestKey)
    #expect(try ObjectPlace(parsing: "s3://bucket/\(longest)").prefix == longest)
    #expect(throws: ObjectPlaceError.self) { try ObjectPlace(parsing: "s3://bucket/\(longest)k") }
  }

  @Test(arguments: [
    ("s3://bucket/key", "s3://bucket", "key"), ("s3://bucket/a/b/key.iso", "s3://bucket/a/b", "key.iso"),
  ])
  func objects(_ text: String, _ place: String, _ name: String) throws {
    let found = try ObjectPlace.object(parsing: text)
    #expect(found.place.path == place && found.name == name)
    #expect(PathText.join(place, name) == text)
    #expect(PathText.directory(of: text) == place && PathText.name(of: text) == name)
  }

  @Test(arguments: ["s3://bucket", "s3://bucket/", "s3://bucket/a/", "s3://bucket/a/.."])
  func noObjects(_ text: String) {
    #expect(throws: ObjectPlaceError.self) { try ObjectPlace.object(parsing: text) }
  }

  @Test(arguments: [
    ("s3://b", true), ("S3://b", true), ("s3:/b", false), ("./s3://b", false), ("/s3://b", false), ("s3", false),
  ])
  func meant(_ text: String, _ isMeant: Bool) { #expect(ObjectPlace.isMeant(by: text) == isMeant) }

  @Test(arguments: [
    ("s3://bucket/a", "s3://bucket", true), ("s3://bucket/a", "s3://bucket/a", true),
    ("s3://bucket/a/b", "s3://bucket/a", true), ("s3://bucket/ab", "s3://bucket/a", false),
    ("s3://bucket", "s3://bucket/a", false), ("s3://bucket2/a", "s3://bucket/a", false),
  ])
  func below(_ text: String, _ other: String, _ isBelow: Bool) throws {
    #expect(try ObjectPlace(parsing: text).isBelow(try ObjectPlace(parsing: other)) == isBelow)
  }

  @Test(arguments: [
    ("s3://bucket/a/", "/base", "s3://bucket/a"), ("b/c", "s3://bucket/a", "s3://bucket/a/b/c"),
    ("", "s3://bucket/a", "s3://bucket/a"), ("/x", "s3://bucket/a", "/x"), ("", "/base", "/base"),
    ("s3://bucket//a", "/base", "s3://bucket//a"),
  ])
  func absolute(_ path: String, _ base: String, _ expected: String) {
    #expect(PathText.absolute(path, from: base) == expected)
  }
}
